import { assertEquals } from "@std/assert";
import { deriveWarmUps } from "./warm_up_curves.ts";
import { sum } from "../lib/sum.ts";
import { exampleObservation, exampleResult, latencyOfEqual } from "../testing/example_result.ts";
import { exampleRun } from "../testing/example_run.ts";
import { judge } from "../measure/judge.ts";
import { warmGoodputAt } from "../results/goodput.ts";
import { valueOf } from "../results/known.ts";
import type { Level, Observation, Result } from "../results/result_schema.ts";

/** Makes a result of one level with such a series of goodput; `seconds` is the length of the load. */
function resultWith(correct: number[], seconds: number): Result {
  const result = exampleResult();
  const total = sum(correct);
  const observation: Observation = {
    ...exampleObservation(),
    durationSeconds: seconds,
    attempted: total,
    correct: total,
    // Ten connections waited all of the time.
    latency: latencyOfEqual(total, Math.round(10 * seconds * 1e6 / total)),
    series: { intervalSeconds: 0.25, correct, failed: correct.map(() => 0) },
  };
  const plan = { ...result.plan, requests: total };
  const level: Level = {
    connections: 10,
    repetitions: [{
      startedAt: result.startedAt,
      ...judge(observation, { connections: 10, poolMax: plan.poolMax, requests: total }),
      observation,
    }],
  };
  return { ...result, plan, levels: [level] };
}

Deno.test("deriveWarmUps() has a point for each interval of a short load, at its middle", () => {
  const [curve] = deriveWarmUps([resultWith([100, 200, 300, 400], 1)]).example!.curves;
  assertEquals(curve?.intervalSeconds, 0.25);
  assertEquals(curve?.points, [[0.125, 400], [0.375, 800], [0.625, 1200], [0.875, 1600]]);
  assertEquals(curve?.firstSecondPerSecond, 1000);
});

Deno.test("deriveWarmUps() takes intervals of a long load together, 120 points at most", () => {
  const correct = Array.from({ length: 300 }, (_, index) => index < 3 ? 10 : 250);
  const [curve] = deriveWarmUps([resultWith(correct, 75)]).example!.curves;
  assertEquals(curve?.intervalSeconds, 0.75);
  assertEquals(curve?.points.length, 100);
  assertEquals(curve?.points.slice(0, 2), [[0.375, 40], [1.125, 1000]]);
  assertEquals(curve?.steadyPerSecond, 1000);
});

Deno.test("deriveWarmUps() leaves out the interval that the end of the load has cut short", () => {
  const [curve] = deriveWarmUps([resultWith([100, 100, 100, 100, 1], 1.01)]).example!.curves;
  assertEquals(curve?.points.length, 4);
});

Deno.test("deriveWarmUps() has nothing of an invalid level, and no implementation without a valid one", () => {
  const valid = resultWith([100, 100, 100, 100], 1);
  const invalid: Result = {
    ...valid,
    levels: [{
      connections: 50,
      repetitions: [{
        startedAt: valid.startedAt,
        validity: { valid: false, reasons: [{ code: "swapping", message: "it swapped" }] },
        observation: valid.levels[0]!.repetitions[0]!.observation!,
      }],
    }],
  };
  assertEquals(deriveWarmUps([invalid]), {});
  const both = { ...valid, levels: [...invalid.levels, ...valid.levels] };
  assertEquals(deriveWarmUps([both]).example?.curves.map(({ connections }) => connections), [10]);
});

Deno.test("deriveWarmUps() names no time until steady where a warm load may be as slow: noise has such times, too", () => {
  const findingAt = (share: number, secondsToSteady?: number, others: readonly Level[] = []) => {
    const [result] = exampleRun("20260105T000000Z-0000005");
    const { figures } = result!.levels[0]!.repetitions[0]!;
    const { estimate } = valueOf(warmGoodputAt(result!, 10))!;
    Object.assign(figures!, { goodputPerSecond: share * estimate, secondsToSteady });
    return deriveWarmUps([{ ...result!, levels: [...result!.levels, ...others] }])
      .swift!.finding;
  };
  const [other] = resultWith([100, 100, 100, 100, 100, 100, 100, 100], 2).levels;
  assertEquals(findingAt(0.3, 5), "Steady after 5.00 s at 10 connections");
  assertEquals(findingAt(0.3), "No steady state at 10 connections");
  assertEquals(findingAt(1, 5), "No cost of the cold start was measured at 10 connections");
  assertEquals(
    findingAt(1, 5, [{ ...other!, connections: 100 }]),
    "Steady from the first second at 100 connections; no cost of the cold start was measured at 10 connections",
  );
  assertEquals(
    findingAt(0.3, undefined, [{ ...other!, connections: 100 }]),
    "Steady from the first second at 100 connections; no steady state at 10 connections",
  );
  const rising = resultWith([100, 200, 300, 400, 500, 600, 700, 800], 2).levels[0]!;
  assertEquals(
    findingAt(1, 5, [{ ...rising, connections: 100 }]),
    "No steady state at 100 connections; no cost of the cold start was measured at 10 connections",
  );
});
