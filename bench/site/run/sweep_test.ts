import { assertEquals } from "@std/assert";
import type { Percentiles } from "../../results/values.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { floorOver, showSweep, sweepFinding, sweepWords } from "./sweep.ts";

const results = exampleRun("20260105T000000Z-0000005");
const { plan } = showSweep(results[0]!.rateSweep!);

function sweep(name: string, perSecond?: number, lowestPerSecond = perSecond) {
  return {
    impl: { name },
    sweep: {
      plan,
      isFine: true,
      sustainablePerSecond: perSecond,
      range: perSecond === undefined || lowestPerSecond === undefined
        ? undefined
        : { lowestPerSecond, highestPerSecond: perSecond },
      isHighestOffered: perSecond === 4_000,
    },
  };
}

Deno.test("sweepFinding() has the range, and says at least where the highest rate offered was sustained", () => {
  assertEquals(
    sweepFinding([sweep("A", 4_000, 3_500), sweep("B", 2_000), sweep("C")]),
    "A sustained at least 4,000 requests per second (by process, 3,500–4,000) with p99 ≤ 50 ms; C none",
  );
  assertEquals(
    sweepFinding([sweep("A", 2_000), sweep("B", 2_000)]),
    "A and B sustained 2,000 requests per second with p99 ≤ 50 ms",
  );
  assertEquals(sweepFinding([sweep("A")]), "No rate was sustained with p99 ≤ 50 ms");
  assertEquals(sweepFinding([]), "No rate sweep was valid");
});

Deno.test("sweepFinding() says of the only sweep why it has no figure", () => {
  const { impl, sweep: outcome } = sweep("A", 2_000);
  const invalid = { impl, sweep: { ...outcome, problem: "the machine swapped" } };
  assertEquals(sweepFinding([invalid]), "No highest sustainable rate: the machine swapped");
  assertEquals(sweepFinding([invalid, invalid]), "No rate sweep was valid");
});

Deno.test("sweepFinding() ranks nothing by one process or by coarse steps", () => {
  const [a, b] = [sweep("A", 4_000), sweep("B", 2_000)];
  const coarse = { ...a!, sweep: { ...a!.sweep, isFine: false } };
  assertEquals(
    sweepFinding([coarse, b!]),
    "Latency at 100 to 4,000 requests per second, too coarse to rank by",
  );
});

Deno.test("sweepWords() says why there is no figure, and tells that from no sustainable rate", () => {
  assertEquals(
    sweepWords({ problem: "the machine swapped", isHighestOffered: false }),
    "no figure: the machine swapped",
  );
  assertEquals(sweepWords({ isHighestOffered: false }), "sustained no rate");
});

Deno.test("showSweep() finds the stall of one that freezes, and none of what is overloaded", () => {
  for (const { impl, rateSweep } of results) {
    const { stalls, steps } = showSweep(rateSweep!);
    assertEquals(stalls.length > 0, impl.id === "freezing", impl.id);
    assertEquals(steps[0]!.floorP99Seconds, rateSweep!.floor[0]!.latencySeconds.p99);
  }
});

Deno.test("floorOver() takes the median of the null server's p99 beside each implementation", () => {
  const floorWith = (...p99s: [ratePerSecond: number, p99Seconds: number][]) => ({
    floor: p99s.map(([ratePerSecond, p99Seconds]) => ({ ratePerSecond, p99Seconds })),
  });
  const floors = [floorWith([500, 3], [100, 1]), floorWith([100, 2]), floorWith([100, 6])];
  assertEquals(floorOver(floors), [
    { ratePerSecond: 100, p99Seconds: 2 },
    { ratePerSecond: 500, p99Seconds: 3 },
  ]);
  assertEquals(floorOver([]), []);
});

Deno.test("showSweep() has no percentile that the longest of few requests would stand for", () => {
  const rateSweep = structuredClone(results[0]!.rateSweep!);
  rateSweep.plan.settleSeconds = 0.5;
  const [first] = rateSweep.processes;
  const [step] = first!.steps;
  const latencySeconds: Percentiles = { ...step!.latencySeconds!, atLeast: ["p999", "max"] };
  const steps = [100, 200, 500].map((ratePerSecond) => ({
    ...step!,
    ...{ ratePerSecond, due: 2.5 * ratePerSecond, latencySeconds, settlingSeconds: latencySeconds },
  }));
  const shown = showSweep({ ...rateSweep, processes: [{ ...first!, steps }] }).steps;
  assertEquals(shown.map(({ latencySeconds }) => latencySeconds?.p999), [
    undefined,
    undefined,
    latencySeconds.p999,
  ]);
  assertEquals(shown.map(({ latencySeconds }) => latencySeconds?.atLeast), [
    ["max"],
    ["max"],
    ["p999", "max"],
  ]);
  assertEquals(shown.map(({ settlingSeconds }) => settlingSeconds?.p99), [
    undefined,
    latencySeconds.p99,
    latencySeconds.p99,
  ]);
});

Deno.test("showSweep() says of each step how many processes met the objective", () => {
  const { steps } = showSweep(results[0]!.rateSweep!);
  const outcomes = new Set(steps.map(({ outcome }) => outcome));
  assertEquals(outcomes.has("yes"), true);
  assertEquals([...outcomes].some((outcome) => / of [23]$/.test(outcome)), true);
  for (const { holds, met, processes, outcome } of steps) {
    if (holds) assertEquals(outcome, processes < 3 ? `${met} of ${processes}` : "yes");
  }
});
