import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { goodputOf } from "./comparison_schema.ts";
import {
  coldGoodputAt,
  coldGoodputOfFirst,
  coldStartAt,
  warmGoodputAt,
  warmLogRatesAt,
} from "./goodput.ts";
import { predictionMargin } from "../statistics/mod.ts";
import { missingOf, valueOf } from "./known.ts";
import type { Result } from "./result_schema.ts";

const [swift, , , tweaked] = exampleRun("20260105T000000Z-0000005");

Deno.test("coldGoodputAt() is of the load on a fresh process, warmGoodputAt() of the comparison's rounds", () => {
  const { figures } = swift!.levels[0]!.repetitions[0]!;
  assertEquals(valueOf(coldGoodputAt(swift!, 10)), figures!.goodputPerSecond);
  const { rounds } = swift!.comparison!.levels[0]!;
  const rates = rounds.map(({ subject }) => goodputOf(subject));
  const warm = valueOf(warmGoodputAt(swift!, 10))!;
  assert(Math.min(...rates) <= warm.low && warm.high <= Math.max(...rates));
  assert(warm.low < warm.estimate && warm.estimate < warm.high);
  assertEquals([warm.rounds, warm.confidence >= 0.95], [rounds.length, true]);
  assertAlmostEquals(valueOf(warmGoodputAt(swift!, 10, "reference"))!.estimate, 4_000, 1e-6);
});

Deno.test("coldGoodputOfFirst() of all requests is that of the load, whose end cuts the last interval short", () => {
  const result = structuredClone(swift!);
  const { observation } = result.levels[0]!.repetitions[0]!;
  Object.assign(observation!, {
    durationSeconds: 0.6,
    series: { intervalSeconds: 0.25, correct: [100, 200, 60], failed: [0, 0, 0] },
  });
  const first = (requests: number) => coldGoodputOfFirst(result, 10, requests);
  assertAlmostEquals(valueOf(first(360))!, 360 / 0.6, 1e-6);
  assertAlmostEquals(valueOf(first(330))!, 330 / 0.55, 1e-6);
  assertAlmostEquals(valueOf(first(200))!, 200 / 0.375, 1e-6);
  assertEquals(missingOf(first(361)), "360 requests ended, fewer than 361");
  observation!.series.failed[0] = 100;
  assertAlmostEquals(valueOf(first(200))!, 100 / 0.25, 1e-6);
});

Deno.test("warmGoodputAt() leaves out a round that the machine disturbed, as ratios do", () => {
  const [level] = swift!.comparison!.levels;
  const odd = structuredClone(level!.rounds[0]!);
  odd.disturbed = "the hypervisor took 20.0 % of the machine's CPU time, expected at most 0.5 %";
  odd.subject.correct /= 10;
  odd.subject.cpuSecondsPerAnswer = 1;
  const rounds = [...level!.rounds, odd];
  const result: Result = {
    ...swift!,
    comparison: { ...swift!.comparison!, levels: [{ ...level!, rounds }] },
  };
  assertEquals(warmGoodputAt(result, 10), warmGoodputAt(swift!, 10));
});

Deno.test("warmGoodputAt() says why there is none", () => {
  const { comparison: _, ...alone } = swift!;
  assertEquals(missingOf(warmGoodputAt(alone, 10)), "Swift was not compared with the control");
  const { goodput: __, ...level } = swift!.comparison!.levels[0]!;
  const few: Result = { ...swift!, comparison: { ...swift!.comparison!, levels: [level] } };
  assertEquals(missingOf(warmGoodputAt(few, 10)), "an interval needs three rounds");
});

Deno.test("coldStartAt() is cold goodput as a share of warm, with the time and the requests until steady", () => {
  const warm = valueOf(warmGoodputAt(swift!, 10))!;
  const { figures } = swift!.levels[0]!.repetitions[0]!;
  const { secondsToSteady, requestsToSteady } = figures!;
  const { low, high, ...coldStart } = valueOf(coldStartAt(swift!, 10))!;
  const share = figures!.goodputPerSecond / warm.estimate;
  assertEquals(coldStart, { share, secondsToSteady, requestsToSteady });
  const margin = predictionMargin(valueOf(warmLogRatesAt(swift!, 10))!)!;
  assertAlmostEquals(Math.log(share / low), margin);
  assertAlmostEquals(Math.log(high / share), margin);
  assert(high - low > 0, "one more round would be just as the others");
});

Deno.test("coldStartAt() is unknown without either goodput, and where the load generator limited them", () => {
  assertEquals(missingOf(coldStartAt(tweaked!, 10)), "the load generator limited Tweaked");
  assertEquals(missingOf(coldStartAt(swift!, 50)), "not measured");
  const { comparison: _, ...alone } = swift!;
  assertEquals(missingOf(coldStartAt(alone, 10)), "Swift was not compared with the control");
});
