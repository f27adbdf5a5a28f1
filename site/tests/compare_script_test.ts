/** The part of the page that compares any two, which needs no document: what the address asks for, and what is said. */
import { assertAlmostEquals, assertEquals } from "@std/assert";
import { isWholeRun, pairUp, problemOf, readChoice, runLabel } from "../assets/compare_choice.js";
import { compareSides, warningsFor } from "../assets/compare_sides.js";
import { exportRun } from "../../bench/site/api/run.ts";
import type { ApiImpl, ApiIndex, ApiLevel, ApiRun } from "../../bench/site/api/schema.ts";
import { deriveRun } from "../../bench/site/ranking.ts";
import { summariseRun } from "../../bench/site/run_summary.ts";
import { comparedRunOf } from "../../bench/results/compared_run.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { inverse, type RatioInterval } from "../../bench/statistics/mod.ts";

const older = "20260105T000000Z-0000005";
const newer = "20260106T000000Z-0000006";

function ratioOf(low: number, high: number): RatioInterval {
  return {
    estimate: Math.sqrt(low * high),
    low,
    high,
    confidence: 0.95,
    method: "hodges-lehmann",
    rounds: 10,
  };
}

/** Makes a level, with the same interval over three runs. */
function levelOf(low: number, high: number, more: Partial<ApiLevel> = {}): ApiLevel {
  const ratio = ratioOf(low, high);
  const { estimate, confidence } = ratio;
  return {
    connections: 50,
    cold: { goodputPerSecond: 1000 * low },
    warm: {
      goodputPerSecond: {
        estimate: 2000 * low,
        low: 1900 * low,
        high: 2100 * low,
        confidence,
        rounds: 10,
      },
      ratio,
      overRuns: { estimate, low, high, confidence, runs: 3 },
      tieGroups: [],
    },
    ...more,
  };
}

/** Takes the long-run ratio away, as in the first run of its kind. */
function inOneRun(level: ApiLevel): ApiLevel {
  return { ...level, warm: { ...level.warm, overRuns: undefined } };
}

function implOf(id: string, levels: ApiLevel[], more: Partial<ApiImpl> = {}): ApiImpl {
  const versioned = { name: "thing", version: "1.0.0" };
  return {
    id,
    name: id.toUpperCase(),
    language: "Rust",
    class: "standard",
    status: "complete",
    command: `npx rust-just bench ${id} full`,
    machine: { cpuModel: "Example CPU", cpuCount: 2 },
    control: "1.0.0",
    runtime: versioned,
    framework: versioned,
    driver: versioned,
    jwt: versioned,
    levels,
    ...more,
  };
}

function runOf(id: string, impls: ApiImpl[], more: Partial<ApiRun> = {}): ApiRun {
  return {
    schemaVersion: 1,
    id,
    startedAt: "2026-01-05T00:00:00.000Z",
    scenario: "jwt-mysql",
    profile: "full",
    machine: "Example CPU, 2 processors",
    commit: "0".repeat(40),
    marks: [],
    impls,
    pairs: [],
    ...more,
  };
}

/** Returns the example as it is published, where the load generator bounds those. */
function publishedRun(bound: string[]): ApiRun {
  const results = exampleRun(older).map((result) => ({
    ...result,
    levels: result.levels.map((level) => ({
      ...level,
      frame: { ...level.frame!, isGeneratorBound: bound.includes(result.impl.id) },
    })),
  }));
  return exportRun(results, {
    ...summariseRun(results, false),
    ...deriveRun(results),
    runs: [comparedRunOf(results)],
  });
}

/** Compares the only implementations of two runs. */
function compareOnly(a: ApiRun, b: ApiRun) {
  return compareSides({ run: a, impl: a.impls[0]! }, { run: b, impl: b.impls[0]! });
}

function indexOf(...runs: ApiRun[]): ApiIndex {
  return { schemaVersion: 1, scenarios: [], runs };
}

const fast = implOf("fast", [levelOf(1.1, 1.2)]);
const slow = implOf("slow", [levelOf(0.5, 0.6)]);
const oldRun = runOf(older, [fast, slow]);
const newRun = runOf(newer, [fast, slow]);

Deno.test("readChoice() takes all four from the address", () => {
  const query = `?run-a=${older}&impl-a=fast&run-b=${newer}&impl-b=slow`;
  assertEquals(readChoice(query, indexOf(newRun, oldRun)), {
    runA: older,
    implA: "fast",
    runB: newer,
    implB: "slow",
  });
});

Deno.test("readChoice() fills up with the newest run and the one before it of the same scenario", () => {
  const other = runOf("20260105T120000Z-0000009", [fast], { scenario: "hello" });
  const all = { implA: "", implB: "" };
  const index = indexOf(newRun, other, oldRun);
  assertEquals(readChoice("", index), { runA: newer, runB: older, ...all });
  assertEquals(readChoice(`?run-a=${older}`, index), { runA: older, runB: older, ...all });
  assertEquals(readChoice("", indexOf()), { runA: "", runB: "", ...all });
});

Deno.test("runLabel() tells runs of several scenarios apart, which begin in the same minute", () => {
  assertEquals(
    runLabel(oldRun),
    "2026-01-05 00:00, jwt-mysql, full, Example CPU, 2 processors",
  );
  assertEquals(runLabel(oldRun) === runLabel({ ...oldRun, scenario: "hello" }), false);
});

Deno.test("problemOf() says which run or implementation is not there", () => {
  const index = indexOf(newRun, oldRun);
  const choice = { runA: newer, implA: "fast", runB: older, implB: "fast" };
  assertEquals(problemOf(choice, index), undefined);
  assertEquals(
    problemOf({ ...choice, runB: "<b>" }, index),
    "Cannot find run “<b>”: it is not among the published runs.",
  );
  assertEquals(
    problemOf({ ...choice, implA: "none" }, index),
    `Cannot find “none” in run ${newer}: it has fast, slow.`,
  );
  assertEquals(
    problemOf({ ...choice, runB: newer }, index),
    "Both sides are fast of the same run: choose another on one side.",
  );
});

Deno.test("pairUp() has each implementation with itself across runs, and names what only one has", () => {
  const renamed = runOf(older, [fast, implOf("gone", [])]);
  const { sides, onlyA, onlyB } = pairUp(
    { runA: newer, implA: "", runB: older, implB: "" },
    newRun,
    renamed,
  );
  assertEquals(sides.map(([a, b]) => [a.impl.id, a.run.id, b.impl.id, b.run.id]), [
    ["fast", newer, "fast", older],
  ]);
  assertEquals([onlyA, onlyB], [["SLOW"], ["GONE"]]);
});

Deno.test("pairUp() has one implementation with every other", () => {
  const choice = { runA: newer, implA: "fast", runB: newer, implB: "" };
  const ids = (runB: ApiRun) =>
    pairUp({ ...choice, runB: runB.id }, newRun, runB).sides
      .map(([a, b]) => [a.impl.id, b.impl.id]);
  assertEquals(ids(newRun), [["fast", "slow"]]);
  assertEquals(ids(oldRun), [["fast", "fast"], ["fast", "slow"]]);
  assertEquals(isWholeRun(choice), false);
  assertEquals(isWholeRun({ ...choice, implA: "" }), true);
});

Deno.test("compareSides() gives the published interval and verdict of two of one run, either way round", () => {
  const ratio = ratioOf(1.8, 2.1);
  const verdict = "faster";
  const run = runOf(older, [fast, slow], {
    pairs: [{ connections: 50, a: "fast", b: "slow", ratio, verdict }],
  });
  const sides = run.impls.map((impl) => ({ run, impl }));
  const [row] = compareSides(sides[0]!, sides[1]!).rows!;
  assertEquals([row!.between, row!.verdict], [{ ratio, qualifier: "" }, "faster"]);
  const [turned] = compareSides(sides[1]!, sides[0]!).rows!;
  assertEquals([turned!.between!.ratio, turned!.verdict], [inverse(ratio), "slower"]);
});

Deno.test("compareSides() says of two of one run what the load generator bounds", () => {
  const saidOf = (a: string, b: string, bound: string[]) => {
    const run = publishedRun(bound);
    const sideOf = (wanted: string) => ({ run, impl: run.impls.find(({ id }) => id === wanted)! });
    const [row] = compareSides(sideOf(a), sideOf(b)).rows!;
    return [row!.between!.qualifier, row!.verdict];
  };
  const lesserBound = "tied: the load generator limited Freezing";
  assertEquals(saidOf("swift", "freezing", []), ["", "faster"]);
  assertEquals(saidOf("swift", "freezing", ["swift"]), ["at least ", "faster"]);
  assertEquals(saidOf("swift", "freezing", ["freezing"]), ["at most ", lesserBound]);
  assertEquals(saidOf("freezing", "swift", ["freezing"]), ["at least ", lesserBound]);
  assertEquals(saidOf("freezing", "swift", ["swift"]), ["at most ", "slower"]);
  assertEquals(saidOf("swift", "freezing", ["swift", "freezing"]), [
    "",
    "tied: the load generator limited both",
  ]);
  // Their interval holds 1: they were tied without a bound, too.
  assertEquals(saidOf("swift", "even", ["even"]), ["at most ", "tied"]);
});

Deno.test("compareSides() has goodput of what the load generator bounds as such", () => {
  const bound = implOf("one", [levelOf(1, 1.1, { isGeneratorBound: true })]);
  const { goodput } = compareOnly(runOf(newer, [bound]), runOf(older, [implOf("one", [])]));
  assertEquals(goodput, [{
    connections: 50,
    a: {
      isBound: true,
      warm: bound.levels[0]!.warm.goodputPerSecond,
      warmMissing: undefined,
      cold: 1000,
      coldMissing: undefined,
    },
    b: {
      isBound: false,
      warm: undefined,
      warmMissing: "not compared at this level",
      cold: undefined,
      coldMissing: "not measured at this level",
    },
  }]);
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
    "not decided: no interval here covers how far ratios carry between processors",
  );
});

Deno.test("compareSides() says only whether intervals over runs overlap", () => {
  const verdictOf = (a: ApiLevel, b: ApiLevel) =>
    compareOnly(runOf(newer, [implOf("one", [a])]), runOf(older, [implOf("one", [b])]))
      .rows![0]!.verdict;
  const [low, high, between] = [levelOf(0.5, 0.6), levelOf(1.1, 1.2), levelOf(0.55, 1.15)];
  assertEquals(verdictOf(high, low), "the intervals do not overlap: the first is higher");
  assertEquals(verdictOf(low, high), "the intervals do not overlap: the second is higher");
  assertEquals(verdictOf(low, between), "the intervals overlap: no measurable difference");
  assertEquals(
    verdictOf(levelOf(0.5, 1.1), high),
    "the intervals overlap: no measurable difference",
  );
  const bound = { ...low, isGeneratorBound: true };
  assertEquals(
    verdictOf(high, bound),
    "no measurable difference: the load generator limited the lower one",
  );
  assertEquals(
    verdictOf({ ...high, isGeneratorBound: true }, low),
    "the intervals do not overlap: the first is higher",
  );
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

Deno.test("compareSides() has no figures of other scenarios, other classes, and what failed", () => {
  const one = implOf("one", [levelOf(1, 1.1)]);
  const against = (impl: ApiImpl, more: Partial<ApiRun> = {}) => {
    const { rows, goodput, reason } = compareOnly(
      runOf(newer, [one]),
      runOf(older, [impl], more),
    );
    assertEquals([rows, goodput], [undefined, undefined]);
    return reason;
  };
  assertEquals(
    against(one, { scenario: "hello" }),
    "their scenarios differ, jwt-mysql and hello",
  );
  assertEquals(
    against({ ...one, class: "tuned" }),
    "one is standard and the other tuned, which are ranked separately",
  );
  const failure = { stage: "build" as const, message: "exit code is 1, expected 0" };
  assertEquals(
    against({ ...one, status: "failed", failure }),
    `ONE failed in run ${older} at build: exit code is 1, expected 0`,
  );
});

Deno.test("compareSides() says for each level why a side has no ratio", () => {
  const levels = [
    levelOf(1, 1.1),
    { connections: 10, cold: {}, warm: { tieGroups: [], ratioMissing: "one: the subject exited" } },
    { connections: 100, cold: { missing: "too many failures; swapping" }, warm: { tieGroups: [] } },
  ];
  const { rows, goodput } = compareOnly(
    runOf(newer, [implOf("one", levels)]),
    runOf(older, [implOf("one", [levelOf(1, 1.1)])]),
  );
  assertEquals(
    rows!.map(({ connections, a, b }) => [connections, a.missing, b.missing]),
    [
      [10, "one: the subject exited", "not compared at this level"],
      [50, undefined, undefined],
      [100, "too many failures; swapping", "not compared at this level"],
    ],
  );
  assertEquals(rows![0]!.verdict, "not comparable: a ratio is missing");
  assertEquals(goodput!.map(({ a, b }) => [a, b].map((it) => it.coldMissing ?? it.cold)), [
    ["not measured at this level", "not measured at this level"],
    [1000, 1000],
    ["too many failures; swapping", "not measured at this level"],
  ]);
});

Deno.test("goodput of different machines is not shown, and a warning says so", () => {
  const elsewhere = implOf("one", [levelOf(1, 1.1)], {
    machine: { cpuModel: "Other CPU", cpuCount: 4 },
  });
  const a = runOf(newer, [implOf("one", [levelOf(1, 1.1)])], {
    marks: ["profile quick, not full"],
  });
  const b = runOf(older, [elsewhere], { profile: "quick" });
  const { goodput, rows } = compareOnly(a, b);
  assertEquals(goodput, undefined);
  assertAlmostEquals(rows![0]!.a.ratio!.low, 1);
  assertEquals(warningsFor({ run: a, impl: a.impls[0]! }, { run: b, impl: elsewhere }), [
    "Machines differ: Example CPU, 2 processors and Other CPU, 4 processors. " +
    "Only ratios to the control are shown, no goodput.",
    "Profiles differ: full and quick. Warming up is a larger part of a shorter cold load.",
    `Run ${newer} is provisional: profile quick, not full.`,
  ]);
});
