import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { rateSweepPlans } from "./profiles.ts";
import {
  type Climbed,
  isFine,
  meetsObjective,
  nextRate,
  offeredRates,
  ratesOf,
  stalledProcesses,
  sustainedBy,
  sustainedRate,
  sweepProblem,
  sweptProcess,
} from "./rate_sweep.ts";
import type { RateStep, RateSweepPlan } from "./protocols_schema.ts";

const { full, quick } = rateSweepPlans;

/** Sweeps what meets the objective up to a limit, except where `stalls` says. */
function sweep(plan: RateSweepPlan, limit: number, stalls: readonly number[] = []): Climbed[] {
  const steps: Climbed[] = [];
  for (let rate = nextRate(plan, steps); rate !== undefined; rate = nextRate(plan, steps)) {
    steps.push({ ratePerSecond: rate, holds: rate <= limit && !stalls.includes(rate) });
    assert(steps.length < 100, "it does not end");
  }
  return steps;
}

const ratesIn = (steps: Climbed[]) => steps.map(({ ratePerSecond }) => ratePerSecond);

Deno.test("offeredRates() has the plan's rates, and neighbours at most 15 % apart", () => {
  const rates = offeredRates(full);
  assertEquals(full.ratesPerSecond.filter((rate) => !rates.includes(rate)), []);
  assertEquals(rates, [...new Set(rates)].sort((a, b) => a - b));
  for (const [index, rate] of rates.slice(1).entries()) {
    assert(rate / rates[index]! < 1.151, `${rates[index]} to ${rate}`);
  }
  // 1.15 to the fifth is more than 2.
  assertEquals(rates.filter((rate) => rate > 8_000 && rate < 16_000).length, 4);
  assertEquals(offeredRates(quick), quick.ratesPerSecond);
});

Deno.test("nextRate() climbs until the first miss, then in fine steps until two neighbours are missed", () => {
  const coarse = full.ratesPerSecond.filter((rate) => rate <= 16_000);
  const fine = offeredRates(full).filter((rate) => rate > 8_000);
  assertEquals(ratesIn(sweep(full, 10_000)), [...coarse, ...fine.slice(0, 3)]);
  // Of two neighbours, the higher was missed before.
  assertEquals(ratesIn(sweep(full, 13_000)), [...coarse, ...fine.slice(0, 4)]);
  // The one miss was not confirmed by a lower one, so a higher one must.
  assertEquals(ratesIn(sweep(full, 15_000)), [...coarse, ...fine.slice(0, 4), fine[5]!]);
  assertEquals(ratesIn(sweep(full, 1e6)), full.ratesPerSecond);
  assertEquals(ratesIn(sweep(full, 0)), offeredRates(full).slice(0, 2));
});

Deno.test("nextRate() finds the limit within 15 %, whatever it is, in few steps", () => {
  for (let limit = 120; limit < 60_000; limit *= 1.07) {
    const steps = sweep(full, limit);
    const found = sustainedRate(steps)!;
    assert(found <= limit && limit < 1.151 * found, `${found} of ${limit}`);
    if (limit > 500) assert(steps.length <= 14, `${steps.length} steps to ${limit}`);
  }
});

Deno.test("nextRate() has the plan's rates only where steps are not refined", () => {
  assertEquals(ratesIn(sweep(quick, 3_000)), [100, 1_000, 2_000, 4_000, 8_000]);
});

Deno.test("a rate that was missed counts as missed although a higher one was met, and is told", () => {
  const steps = sweep(full, 10_000, [4_000]) as RateStep[];
  const missed = sweptProcess(steps);
  assertEquals([missed.problem, missed.sustainablePerSecond], [undefined, 3_482]);
  // The sweep ends there.
  assertEquals(ratesIn(steps).slice(-1), [4_595]);
  const steady = sweptProcess(sweep(full, 10_000) as RateStep[]);
  const processes = [steady, missed, steady];
  assertEquals(sustainedBy(processes), {
    sustainablePerSecond: 9_190,
    range: { lowestPerSecond: 3_482, highestPerSecond: 9_190 },
  });
  assertEquals(stalledProcesses({ processes }), [
    "Process 2 missed the objective at 4,000 requests per second, but met it at 4,595: " +
    "its figure is the highest rate below the miss",
  ]);
  assertEquals(stalledProcesses({ processes: [{ ...missed, problem: "it swapped" }] }), []);
});

Deno.test("an invalid step is the reason, and its process has no figure", () => {
  const [step, ...others] = sweep(quick, 3_000) as RateStep[];
  const invalid = sweptProcess([
    { ...step!, problem: "the machine swapped", holds: false },
    ...others,
  ]);
  const problem = "at 100 requests per second, the machine swapped";
  assertEquals([invalid.problem, invalid.sustainablePerSecond], [problem, undefined]);
  const valid = sweptProcess([step!, ...others]);
  assertEquals(sustainedBy([valid, invalid, valid]), {});
  assertEquals(
    sweepProblem({ processes: [valid, invalid, valid] }),
    `process 2 of 3: ${problem}`,
  );
  assertEquals(sweepProblem({ processes: [valid] }), undefined);
});

Deno.test("sustainedRate() is the highest of which it and every lower one was met", () => {
  const steps = (...held: boolean[]) =>
    held.map((holds, index) => ({ ratePerSecond: 100 * 2 ** index, holds })).toReversed();
  assertEquals(sustainedRate(steps(true, true, false, true)), 200);
  assertEquals(sustainedRate(steps(true, true)), 200);
  assertEquals(sustainedRate(steps(false, true)), undefined);
  assertEquals(sustainedRate([]), undefined);
});

Deno.test("sustainedBy() is the median with the range, in which one that sustained none is 0", () => {
  const of = (...rates: (number | undefined)[]) =>
    sustainedBy(rates.map((sustainablePerSecond) => ({ sustainablePerSecond })));
  assertEquals(of(300, 100, 200), {
    sustainablePerSecond: 200,
    range: { lowestPerSecond: 100, highestPerSecond: 300 },
  });
  assertEquals(of(300, undefined, 200), {
    sustainablePerSecond: 200,
    range: { lowestPerSecond: 0, highestPerSecond: 300 },
  });
  assertEquals(of(undefined, undefined, 200), {
    sustainablePerSecond: undefined,
    range: { lowestPerSecond: 0, highestPerSecond: 200 },
  });
  assertEquals(of(300), { sustainablePerSecond: 300, range: undefined });
});

Deno.test("isFine() asks for three processes and refined steps", () => {
  assertEquals(isFine(full), true);
  assertEquals(isFine(quick), false);
  assertEquals(isFine({ ...full, processes: 2 }), false);
});

Deno.test("ratesOf() has medians and ranges over the processes that got so far", () => {
  const { rateSweep } = exampleRun("20260105T000000Z-0000005")[0]!;
  const rates = ratesOf(rateSweep!);
  const [first] = rates;
  const steps = rateSweep!.processes.map((process) => process.steps[0]!);
  assertEquals([first!.ratePerSecond, first!.processes, first!.met], [100, 3, 3]);
  const p99 = steps.map(({ latencySeconds }) => latencySeconds!.p99).sort((a, b) => a - b);
  assertEquals(first!.latencySeconds!.p99, p99[1]!);
  assertEquals(first!.p99Seconds, { lowest: p99[0]!, median: p99[1]!, highest: p99[2]! });
  assertAlmostEquals(first!.cpuSecondsPerAnswer!.median, steps[1]!.cpuSecondsPerAnswer!, 1e-12);
  assert(rates.some(({ processes }) => processes < 3));
  const [step] = steps;
  // Of what took at least so long, nobody knows whether it took longer than the median.
  const atLeastOf = (...maxima: [max: number, isBound: boolean][]) => {
    const processes = maxima.map(([max, isBound]) => {
      const atLeast = isBound ? ["max" as const] : undefined;
      return { steps: [{ ...step!, latencySeconds: { ...step!.latencySeconds!, max, atLeast } }] };
    });
    return ratesOf({ processes })[0]!.latencySeconds!.atLeast;
  };
  assertEquals(atLeastOf([2, false], [1, false], [3, true]), undefined);
  assertEquals(atLeastOf([2, false], [1, true], [3, false]), ["max"]);
  assertEquals(atLeastOf([2, true], [1, false], [3, false]), ["max"]);
  const { latencySeconds: _, ...silent } = step!;
  assertEquals(
    ratesOf({ processes: [{ steps: [step!] }, { steps: [silent] }] })[0]!.latencySeconds,
    undefined,
  );
});

Deno.test("meetsObjective() lets what became due in the last moment go unsent, and no more", () => {
  const goal = { p99Seconds: 0.05, failureShare: 0.001 };
  const step = (unsent: number, failed: number, p99 = 0.05) => ({
    ratePerSecond: 1_000,
    due: 10_000,
    attempted: 10_000 - unsent,
    unsent,
    correct: 10_000 - unsent - failed,
    latencySeconds: { p50: 0.001, p90: 0.01, p99, p999: 0.1, max: 1 },
  });
  assert(meetsObjective(step(0, 0), goal));
  assert(!meetsObjective(step(0, 0, 0.051), goal));
  assert(meetsObjective(step(0, 10), goal));
  assert(!meetsObjective(step(0, 11), goal));
  assert(meetsObjective(step(50, 10), goal));
  assert(!meetsObjective(step(51, 10), goal));
  assert(meetsObjective(step(60, 0), goal));
  assert(!meetsObjective({ ...step(0, 0), latencySeconds: undefined }, goal));
});
