import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import type { Observation } from "../results/result_schema.ts";
import { exampleObservation, latencyOfEqual } from "../testing/example_result.ts";
import type { RateStep } from "../results/protocols_schema.ts";
import { sweptProcess } from "../results/rate_sweep.ts";
import { connectionsAt, describeStep, maySweepAgain, notSwept, problemOf } from "./fixed_rates.ts";
import { factsOf } from "./load.ts";

Deno.test("connectionsAt() uses each connection ten times a second, and no more than the plan has", () => {
  const plan = { connections: 200 };
  assertEquals([1, 100, 500, 2_000, 64_000].map((rate) => connectionsAt(rate, plan)), [
    1,
    10,
    50,
    200,
    200,
  ]);
});

Deno.test("describeStep() counts requests without an answer in latency, as at least their time-out", () => {
  const observation = exampleObservation();
  observation.attempted += 102;
  observation.failures = { timeout: 102 };
  const plan = {
    ratesPerSecond: [4_000],
    processes: 1,
    connections: 10,
    secondsPerStep: 2.5,
    warmUpRequests: 0,
    goal: { p99Seconds: 0.05, failureShare: 1 },
  };
  const load = { observation, answers: undefined!, isRight: new Uint8Array() };
  const { latencySeconds, uncorrectedSeconds, holds } = describeStep(load, 4_000, plan);
  for (const latency of [latencySeconds, uncorrectedSeconds]) {
    assertEquals([latency!.p99, latency!.atLeast], [10, ["p99", "p999", "max"]]);
    assert(latency!.p90 < 0.003);
  }
  assertEquals(holds, false);
});

Deno.test("describeStep() counts requests that were due and never sent, as at least the objective's latency", () => {
  const observation = exampleObservation();
  const plan = {
    ...{ ratesPerSecond: [4_000], processes: 1, connections: 10, warmUpRequests: 0 },
    secondsPerStep: 2 * observation.attempted / 4_000,
    goal: { p99Seconds: 0.05, failureShare: 0.001 },
  };
  const load = { observation, answers: undefined!, isRight: new Uint8Array() };
  const { unsent, latencySeconds, uncorrectedSeconds } = describeStep(load, 4_000, plan);
  assertEquals(unsent, observation.attempted);
  // The slower half, and the median with it, was never sent, but for 200 that were due in the last 0.05 s.
  assertEquals(latencySeconds!.atLeast, ["p90", "p99", "p999", "max"]);
  assertEquals(latencySeconds!.p90, 0.05);
  assertEquals(uncorrectedSeconds!.atLeast, undefined);
});

Deno.test("describeStep() takes percentiles from what counts once the load had settled, and all else from the whole load", () => {
  const observation = exampleObservation();
  const plan = {
    ...{ ratesPerSecond: [4_000], processes: 1, connections: 10, warmUpRequests: 0 },
    secondsPerStep: observation.attempted / 4_000,
    goal: { p99Seconds: 0.05, failureShare: 0.001 },
  };
  const settled = {
    fromDue: latencyOfEqual(900, 3_000),
    fromSent: latencyOfEqual(900, 2_000),
    settling: latencyOfEqual(100, 80_000),
  };
  const load = { observation, answers: undefined!, isRight: new Uint8Array(), settled };
  const step = describeStep(load, 4_000, plan);
  assertAlmostEquals(step.latencySeconds!.p99, 0.003, 1e-5);
  assertAlmostEquals(step.uncorrectedSeconds!.p99, 0.002, 1e-5);
  assertAlmostEquals(step.settlingSeconds!.p99, 0.08, 1e-4);
  assertEquals([step.latency, step.correct], [settled.fromDue, observation.correct]);
  // No answer came to what was due later.
  const none = { ...settled, fromDue: latencyOfEqual(0, 1), fromSent: latencyOfEqual(0, 1) };
  const { latencySeconds, holds } = describeStep({ ...load, settled: none }, 4_000, plan);
  assertEquals([latencySeconds, holds], [undefined, false]);
});

Deno.test("problemOf() finds a step that missed the objective near the limit of the upstream, and no failures", () => {
  const observation = exampleObservation();
  const { attempted: received, durationSeconds } = observation;
  observation.failures = { timeout: received };
  const open = { peakConnections: 10, peakOpen: 10, connectionsOpened: 10 };
  observation.calls = { received, answered: received, ...open };
  const problem = (callsPerSecond: number, holds = false) =>
    problemOf(observation, {
      ...{ connections: 10, poolMax: 16, holds, offeredSeconds: durationSeconds },
      upstreamLimit: { callsPerSecond },
    });
  // A last request that times out makes a load longer, and its calls no fewer.
  observation.durationSeconds += 10;
  const perSecond = received / durationSeconds;
  assertEquals(problem(2 * perSecond), undefined);
  assertStringIncludes(problem(perSecond)!, "the load may have measured the upstream");
  assertEquals(problem(perSecond, true), undefined);
});

Deno.test("maySweepAgain() gives no second chance where a step speaks against the subject", () => {
  const stepWith = (change: (observation: Observation) => void) => {
    const observation = exampleObservation();
    change(observation);
    const context = { connections: 10, poolMax: 16, holds: true, offeredSeconds: 2.5 };
    return {
      machine: observation.resources!.machine,
      problem: problemOf(observation, context),
    };
  };
  const disturb = ({ resources }: Observation) => resources!.machine.swappedBytes = 2 ** 21;
  const answerWrong = (observation: Observation) => observation.wrong = { "stale-record": 1 };
  const right = stepWith(() => {});
  const disturbed = stepWith(disturb);
  const wrong = stepWith(answerWrong);
  const both = stepWith((observation) => [disturb, answerWrong].forEach((it) => it(observation)));
  assertEquals(maySweepAgain({ steps: [right] }), false);
  const problem = "why the sweep is invalid";
  const mayWith = (...steps: typeof right[]) => maySweepAgain({ steps, problem });
  // Not warm in time, disturbed.
  assertEquals([mayWith(), mayWith(right, disturbed)], [true, true]);
  assertEquals([mayWith(right, wrong), mayWith(right, both)], [false, false]);
  // A miss, although a higher rate was met.
  const stalled = [true, false, true].map((holds, index) => ({ ratePerSecond: index + 1, holds }));
  assertEquals(maySweepAgain(sweptProcess(stalled as RateStep[])), false);
});

Deno.test("notSwept() gives no second chance where a request for warm-up was answered wrongly", () => {
  const atWork =
    "its compilers were still at work after 90 s, expected them to be done before the first step";
  const right = factsOf(exampleObservation());
  const sweep = { process: { steps: [], problem: atWork }, mayRepeat: true };
  assertEquals([notSwept(right, 90), notSwept(undefined, 90)], [sweep, sweep]);
  const { process, mayRepeat } = notSwept({ ...right, wrong: { "stale-record": 1 } }, 90);
  assertEquals(mayRepeat, false);
  assertStringIncludes(process.problem!, `${atWork}; while it was warmed up, 1 of`);
});
