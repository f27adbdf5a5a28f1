import { assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleRun } from "../testing/example_run.ts";
import { comparedRunOf } from "./compared_run.ts";
import { missingOf, valueOf } from "./known.ts";
import { pairOverRuns } from "./pairs_over_runs.ts";
import { seriesOf } from "./series.ts";
import { mean, type Variance } from "../statistics/mod.ts";

/** Returns the series of an implementation in runs of days in January 2026 that have nothing else. */
function only(id: string, ...days: number[]) {
  const runs = days.map((day) => {
    const results = exampleRun(`2026010${day}T000000Z-0000000`, day);
    return comparedRunOf(results.filter(({ impl }) => impl.id === id));
  });
  return seriesOf(id, runs);
}

function pairOf(a: ReturnType<typeof only>, b: ReturnType<typeof only>, pooled?: Variance) {
  return valueOf(pairOverRuns(a, b, 10, { pooled }))!;
}

const pooled = { variance: 0.01, degreesOfFreedom: 6 };
/** Student's t of these degrees of freedom. */
const t = 2.447;

Deno.test("pairOverRuns() of two that no run has both of has the variation between runs in its interval, where it is known", () => {
  const [swift, even] = [only("swift", 3), only("even", 2)];
  const [alone, over] = [pairOf(swift, even), pairOf(swift, even, pooled)];
  assertEquals([alone.runs, over.runs], [1, 2]);
  assertAlmostEquals(over.estimate, alone.estimate, 0.005);
  assertAlmostEquals(over.high / over.estimate, Math.exp(t * Math.sqrt(0.02)), 0.001);
  // Where runs do not differ, it is as wide as their own intervals make it.
  const known = pairOf(swift, even, { ...pooled, variance: 0 });
  assertAlmostEquals(known.high / known.low, alone.high / alone.low, 0.03);
});

Deno.test("pairOverRuns() of two that no run has both of is over all runs of each", () => {
  const [one, two] = [only("even", 2), only("swift", 3, 1)];
  const over = pairOf(two, one, pooled);
  assertEquals(over.runs, 2);
  assertAlmostEquals(over.high / over.estimate, Math.exp(t * Math.sqrt(0.015)), 0.001);
});

Deno.test("pairOverRuns() of two that one run has both of is over all runs of each, which share a part of what runs differ by", () => {
  const [swift, even] = [only("swift", 3, 1), only("even", 3, 2)];
  const over = pairOf(swift, even, pooled);
  assertEquals(over.runs, 2);
  // A half and a half, less a quarter.
  assertAlmostEquals(over.high / over.estimate, Math.exp(t * Math.sqrt(0.0075)), 0.001);
  const [ofSwift, ofEven] = [swift, even].map((series) =>
    geometricMean(series.map(({ levels }) => valueOf(levels[0]!.ratio)!.estimate))
  );
  assertAlmostEquals(over.estimate, ofSwift! / ofEven!, 1e-9);
  // Swift's own variance counts, because it is more than the pooled one; of this is what the shared run takes off.
  const [newer, older] = swift;
  const wide = pairOf([newer!, doubled(older!)], even, pooled);
  const own = observedOf([newer!, doubled(older!)]) / 2 + 0.005 - 0.0025;
  assertAlmostEquals(Math.log(wide.high / wide.estimate), t * Math.sqrt(own), 1e-4);
});

Deno.test("pairOverRuns() of two that two runs have both of is over these, whatever other runs one has", () => {
  const [more, both] = [only("swift", 4, 3, 1), only("swift", 3, 1)];
  const even = only("even", 3, 1);
  assertEquals(pairOf(more, even, pooled), pairOf(both, even, pooled));
  assertAlmostEquals(pairOf(more, even, pooled).estimate, pairOf(both, even).estimate, 1e-9);
});

Deno.test("pairOverRuns() of two that one run has both of keeps the interval of that run, where nothing tells how far runs differ", () => {
  const [swift, even] = [only("swift", 3, 1), only("even", 3, 2)];
  const [alone, limited] = [pairOf(swift, even), pairOf(swift, limit(even), pooled)];
  assertEquals(alone.runs, 1);
  assertEquals(limited, alone);
  // Nor is it over runs if both have that run only.
  assertEquals(pairOf(swift.slice(0, 1), even.slice(0, 1), pooled), alone);
});

Deno.test("pairOverRuns() of two that no run has both of takes what the runs of one differ by, where that is more", () => {
  const [newer, older] = only("swift", 3, 1);
  const wide = pairOf([newer!, doubled(older!)], only("even", 2), { ...pooled, variance: 1e-9 });
  // The variance of two values is half the square of their difference, that of their mean a quarter.
  assertAlmostEquals(Math.log(wide.high / wide.estimate), t * Math.log(2) / 2, 0.05);
});

Deno.test("pairOverRuns() has none of two that no run has both of where the load generator limited the control", () => {
  const [swift, even] = [only("swift", 3), only("even", 2)];
  for (const [a, b] of [[swift, limit(even)], [limit(even), swift]]) {
    assertEquals(
      missingOf(pairOverRuns(a!, b!, 10, { pooled })),
      "the load generator limited the control beside Even, and no run has both",
    );
  }
});

function geometricMean(values: number[]): number {
  return Math.exp(mean(values.map(Math.log)));
}

/** Returns the variance of the logarithms of two ratios. */
function observedOf(series: ReturnType<typeof only>): number {
  const [a, b] = series.map(({ levels }) => Math.log(valueOf(levels[0]!.ratio)!.estimate));
  return (a! - b!) ** 2 / 2;
}

function limit(series: ReturnType<typeof only>) {
  return series.map((impl) => {
    const levels = impl.levels.map((level) => ({ ...level, qualifier: "at most" as const }));
    return { ...impl, levels };
  });
}

function doubled(impl: ReturnType<typeof only>[number]) {
  const levels = impl.levels.map((level) => {
    const { low, estimate, high, ...rest } = valueOf(level.ratio)!;
    const value = { ...rest, low: 2 * low, estimate: 2 * estimate, high: 2 * high };
    return { ...level, ratio: { value } };
  });
  return { ...impl, levels };
}
