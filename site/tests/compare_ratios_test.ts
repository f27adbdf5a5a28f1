/** Ratios of two sides of a comparison, and what is said of them. */
import { assertEquals } from "@std/assert";
import { compareSides } from "../assets/compare_sides.js";
import { exportRun } from "../../bench/site/api/run.ts";
import type { ApiLevel, ApiRun } from "../../bench/site/api/schema.ts";
import { deriveRun } from "../../bench/site/ranking.ts";
import { summariseRun } from "../../bench/site/run_summary.ts";
import { comparedRunOf } from "../../bench/results/compared_run.ts";
import {
  compareOnly,
  implOf,
  levelOf,
  newer,
  older,
  ratioOf,
  runOf,
} from "../../bench/testing/example_api.ts";
import { exampleRun, withSlowGenerator } from "../../bench/testing/example_run.ts";
import { inverse } from "../../bench/statistics/mod.ts";

/** Takes the long-run ratio away, as in the first run of its kind. */
function inOneRun(level: ApiLevel): ApiLevel {
  return { ...level, warm: { ...level.warm, overRuns: undefined } };
}

/** Returns a level whose long-run ratio is to be read so. */
function readAs(qualifier: "at least" | "at most", level: ApiLevel): ApiLevel {
  return { ...level, warm: { ...level.warm, overRuns: { ...level.warm.overRuns!, qualifier } } };
}

/** Returns the example as it is published, where the load generator bounds those. */
function publishedRun(bound: string[]): ApiRun {
  const results = exampleRun(older).map((result) =>
    bound.includes(result.impl.id) ? withSlowGenerator(result) : result
  );
  return exportRun(results, {
    ...summariseRun(results, false),
    ...deriveRun(results),
    runs: [comparedRunOf(results)],
  });
}

const fast = implOf("fast", [levelOf(1.1, 1.2)]);
const slow = implOf("slow", [levelOf(0.5, 0.6)]);
const oldRun = runOf(older, [fast, slow]);

Deno.test("compareSides() gives the published interval and verdict of two of one run, either way round", () => {
  const ratio = ratioOf(1.8, 2.1);
  const verdict = "faster";
  const run = runOf(older, [fast, slow], {
    pairs: [{ connections: 50, a: "fast", b: "slow", ratio, verdict }],
  });
  const sides = run.impls.map((impl) => ({ run, impl }));
  const [row] = compareSides(sides[0]!, sides[1]!).rows!;
  assertEquals([row!.between, row!.verdict], [{ ratio, qualifier: undefined }, "faster"]);
  const [turned] = compareSides(sides[1]!, sides[0]!).rows!;
  assertEquals([turned!.between!.ratio, turned!.verdict], [inverse(ratio), "slower"]);
});

Deno.test("compareSides() says of two of one run what the load generator bounds", () => {
  const saidOf = (a: string, b: string, bound: string[]) => {
    const run = publishedRun(bound);
    const sideOf = (wanted: string) => ({ run, impl: run.impls.find(({ id }) => id === wanted)! });
    const [row] = compareSides(sideOf(a), sideOf(b)).rows!;
    return [row!.between ? row!.between.qualifier : "not known", row!.verdict];
  };
  const lesserBound = "tied: the load generator limited Freezing";
  assertEquals(saidOf("swift", "freezing", []), [undefined, "faster"]);
  assertEquals(saidOf("swift", "freezing", ["swift"]), ["at least", "faster"]);
  assertEquals(saidOf("swift", "freezing", ["freezing"]), ["at most", lesserBound]);
  assertEquals(saidOf("freezing", "swift", ["freezing"]), ["at least", lesserBound]);
  assertEquals(saidOf("freezing", "swift", ["swift"]), ["at most", "slower"]);
  assertEquals(saidOf("swift", "freezing", ["swift", "freezing"]), [
    "not known",
    "tied: the load generator limited both",
  ]);
  // Their interval holds 1: they were tied without a bound, too.
  assertEquals(saidOf("swift", "even", ["even"]), ["at most", "tied"]);
});

Deno.test("compareSides() does not judge two of one run that have no published interval", () => {
  const { rows } = compareSides({ run: oldRun, impl: fast }, { run: oldRun, impl: slow });
  assertEquals(rows!.map(({ between, verdict }) => [between, verdict]), [
    [undefined, "not comparable: the run has no interval for these two"],
  ]);
});

Deno.test("compareSides() decides nothing between runs by the interval of a single one", () => {
  const [low, high] = [levelOf(0.5, 0.6), levelOf(1.1, 1.2)];
  const rowOf = (a: ApiLevel, b: ApiLevel) =>
    compareOnly(runOf(newer, [implOf("one", [a])]), runOf(older, [implOf("one", [b])])).rows![0]!;
  for (const [a, b] of [[inOneRun(high), low], [high, inOneRun(low)]] as const) {
    assertEquals(
      rowOf(a, b).verdict,
      "not decided: the interval of a single run does not cover how far runs differ",
    );
  }
  assertEquals(rowOf(high, inOneRun(low)).a.runs, 3);
  assertEquals(rowOf(high, inOneRun(low)).b.runs, 1);
});

Deno.test("compareSides() decides nothing between processors", () => {
  const machine = { cpuModel: "Other CPU", cpuCount: 2 };
  const [row] = compareOnly(
    runOf(newer, [implOf("one", [levelOf(1.1, 1.2)])]),
    runOf(older, [implOf("one", [levelOf(0.5, 0.6)], { machine })]),
  ).rows!;
  assertEquals(
    row!.verdict,
    "not decided: no interval here covers how much ratios differ between processors",
  );
});

Deno.test("compareSides() says only whether intervals over runs overlap", () => {
  const verdictOf = (a: ApiLevel, b: ApiLevel, implId = "two") =>
    compareOnly(runOf(newer, [implOf("one", [a])]), runOf(older, [implOf(implId, [b])]))
      .rows![0]!.verdict;
  const [low, high, between] = [levelOf(0.5, 0.6), levelOf(1.1, 1.2), levelOf(0.55, 1.15)];
  assertEquals(verdictOf(high, low), "the intervals do not overlap: the first is higher");
  // Of one implementation, the later interval has the earlier runs in it.
  assertEquals(verdictOf(high, low, "one"), "not decided: see Changes");
  assertEquals(verdictOf(low, high), "the intervals do not overlap: the second is higher");
  assertEquals(verdictOf(low, between), "the intervals overlap: no measurable difference");
  assertEquals(
    verdictOf(levelOf(0.5, 1.1), high),
    "the intervals overlap: no measurable difference",
  );
  assertEquals(
    verdictOf(high, readAs("at least", low)),
    "no measurable difference: the load generator limited one of them",
  );
  assertEquals(
    verdictOf(readAs("at most", high), low),
    "no measurable difference: the load generator limited one of them",
  );
  assertEquals(
    verdictOf(readAs("at least", high), readAs("at most", low)),
    "the intervals do not overlap: the first is higher",
  );
});

Deno.test("compareSides() tells how to read each ratio to the control: that over runs, and that of a run alone", () => {
  const level = readAs("at most", levelOf(0.5, 0.6));
  const [across] = compareOnly(
    runOf(newer, [implOf("one", [level])]),
    runOf(older, [implOf("two", [inOneRun(level)])]),
  ).rows!;
  assertEquals([across!.a.qualifier, across!.b.qualifier], ["at most", undefined]);
  const run = runOf(older, [
    implOf("one", [{ ...level, warm: { ...level.warm, qualifier: "at least" } }]),
    implOf("two", [level]),
  ]);
  const [within] = compareSides({ run, impl: run.impls[0]! }, { run, impl: run.impls[1]! }).rows!;
  assertEquals([within!.a.qualifier, within!.b.qualifier], ["at least", undefined]);
});

Deno.test("compareSides() has no ratios of other controls, and says which", () => {
  const comparison = compareOnly(
    runOf(newer, [implOf("one", [levelOf(1, 1.1)], { control: "2.0.0" })]),
    runOf(older, [implOf("one", [levelOf(1, 1.1)])]),
  );
  assertEquals([comparison.rows, comparison.reason], [
    undefined,
    "one was compared with version 2.0.0 of the control, the other with version 1.0.0",
  ]);
  assertEquals(comparison.goodput!.map(({ a, b }) => [a.cold, b.cold]), [[1000, 1000]]);
});
