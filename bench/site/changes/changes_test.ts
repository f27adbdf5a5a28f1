import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { deriveChanges } from "./changes.ts";
import { comparedRunOf } from "../../results/compared_run.ts";
import type { Known } from "../../results/known.ts";
import { exampleComparedLevel, exampleRun, withFastGenerator } from "../../testing/example_run.ts";
import type { RatioInterval } from "../../statistics/mod.ts";
import type { Result } from "../../results/result_schema.ts";

const thenId = "20260105T000000Z-0000005";
const nowId = "20260112T000000Z-0000006";

/** Returns a run with one implementation changed. */
function runWith(runId: string, id: string, change: (result: Result) => Partial<Result>): Result[] {
  return exampleRun(runId).map((result) =>
    result.impl.id === id ? { ...result, ...change(result) } : result
  );
}

/** Compares a result with another ratio, drawn anew. */
function withRatio(ratio: number): (result: Result) => Partial<Result> {
  return ({ comparison }) => ({
    comparison: {
      ...comparison!,
      levels: [exampleComparedLevel({ ratio, seed: 99, connections: 10 })],
    },
  });
}

/** Compares a run with four before it, which differ by a few percent around the newest of them. */
function changes(now: Result[], before: Result[]) {
  const [newest, ...older] = [1, 1.01, 0.99, 1.005].map((factor, index) => {
    const { startedAt, impls } = comparedRunOf(before);
    const runId = `2026010${5 - index}T000000Z-0000005`;
    return {
      runId,
      startedAt,
      impls: impls.map((impl) => ({
        ...impl,
        runId,
        levels: impl.levels.map((level) => ({ ...level, ratio: scaled(level.ratio, factor) })),
      })),
    };
  });
  return deriveChanges(comparedRunOf(now), { value: newest! }, [newest!, ...older]);
}

function scaled(ratio: Known<RatioInterval>, factor: number): Known<RatioInterval> {
  if ("missing" in ratio) return ratio;
  const { estimate, low, high } = ratio.value;
  return {
    value: { ...ratio.value, estimate: estimate * factor, low: low * factor, high: high * factor },
  };
}

function changeOf(id: string, now: Result[], before: Result[]) {
  return changes(now, before).impls.find((impl) => impl.id === id)!;
}

Deno.test("deriveChanges() says who is faster, slower and tied since the run before", () => {
  const now = runWith(nowId, "freezing", withRatio(0.7)).map((result) =>
    result.impl.id === "even" ? { ...result, ...withRatio(0.8)(result) } : result
  );
  const found = changes(now, exampleRun(thenId));
  assertEquals(found.before, { runId: thenId, startedAt: "2026-01-01T00:00:00.000Z" });
  assertEquals(found.impls.map(({ id, levels }) => [id, levels[0]?.verdict]), [
    ["even", "slower"],
    ["freezing", "faster"],
    ["swift", "tied"],
    ["tweaked", undefined],
  ]);
  const [level] = found.impls[1]!.levels;
  assertAlmostEquals(level!.ratio!.estimate, 0.7 / 0.5, 0.03);
  assertEquals([level!.ratio!.runs, level!.now!.runs, level!.before!.runs], [4, 1, 4]);
  assertEquals(level!.now!.estimate, now[2]!.comparison!.levels[0]!.goodput!.estimate);
});

Deno.test("deriveChanges() claims no change against a single earlier run, and shows both with their intervals", () => {
  const [now] = runWith(nowId, "swift", withRatio(1.5));
  const before = comparedRunOf(exampleRun(thenId).slice(0, 1));
  const found = deriveChanges(comparedRunOf([now!]), { value: before }, [before]);
  const [swift] = found.impls;
  const [level] = swift!.levels;
  assertEquals([swift!.state, level!.verdict, level!.ratio], ["compared", undefined, undefined]);
  assertEquals([level!.now!.runs, level!.before!.runs], [1, 1]);
  assertEquals(
    level!.missing,
    "not decided: one earlier run does not tell how far runs differ",
  );
  assertEquals(
    found.finding,
    "One earlier run does not tell how far runs differ, so no change is claimed",
  );
});

Deno.test("deriveChanges() takes no run for an earlier one that was measured on another processor", () => {
  const [now] = runWith(nowId, "swift", withRatio(1.1));
  const run = comparedRunOf(exampleRun(thenId).slice(0, 1));
  const other = (runId: string): typeof run => ({
    ...run,
    runId,
    impls: run.impls.map((impl) => ({
      ...impl,
      runId,
      conditions: { ...impl.conditions, cpuModel: "Other CPU" },
    })),
  });
  const earlier = [run, other("20260104T000000Z-0000004"), other("20260103T000000Z-0000003")];
  const { impls } = deriveChanges(comparedRunOf([now!]), { value: run }, earlier);
  assertEquals(impls[0]!.levels[0]!.ratio, undefined);
});

Deno.test("deriveChanges() has wider intervals for more implementations, so that all hold together", () => {
  const ratioOf = (now: Result[], before: Result[]) =>
    changeOf("swift", now, before).levels[0]!.ratio!;
  const all = ratioOf(exampleRun(nowId), exampleRun(thenId));
  const alone = ratioOf(exampleRun(nowId).slice(0, 1), exampleRun(thenId).slice(0, 1));
  assert(alone.confidence >= 0.95);
  // Four were compared.
  assert(all.confidence >= 1 - 0.05 / 4);
  assert(all.low < alone.low && alone.high < all.high);
});

Deno.test("deriveChanges() counts intervals where the run before has no ratio, and those before it do", () => {
  const { startedAt, impls } = comparedRunOf(exampleRun(thenId));
  const missing = "the load was disturbed";
  const earlier = [true, false, false].map((isInvalid, index) => {
    const runId = `2026010${5 - index}T000000Z-0000005`;
    const levelsOf = ({ levels }: typeof impls[number]) =>
      levels.map((level) => isInvalid ? { ...level, ratio: { missing } } : level);
    const all = impls.map((impl) => ({ ...impl, runId, levels: levelsOf(impl) }));
    return { runId, startedAt, impls: all };
  });
  const found = deriveChanges(comparedRunOf(exampleRun(nowId)), { value: earlier[0]! }, earlier);
  const ratios = found.impls.flatMap(({ levels }) => levels[0]?.ratio ?? []);
  assert(ratios.length > 1);
  for (const { estimate, low, high, confidence } of ratios) {
    assert(low < estimate && estimate < high);
    assertAlmostEquals(confidence!, 1 - 0.05 / found.impls.length);
  }
});

Deno.test("deriveChanges() names versions that changed, and what changed around all only once", () => {
  const now = runWith(nowId, "swift", ({ impl }) => ({
    impl: {
      ...impl,
      runtime: { name: "Deno", version: "2.1.0" },
      driver: { name: "mysql2" },
      jwt: { name: "jose", version: "6.0.0" },
    },
  })).map((result) => ({ ...result, machine: { ...result.machine, kernel: "6.1" } }));
  const found = changes(now, exampleRun(thenId));
  assertEquals(found.environment, [{ what: "kernel", before: "kernel 6.0", now: "kernel 6.1" }]);
  assertEquals(found.impls.filter(({ versions }) => versions.length > 0).map(({ id }) => id), [
    "swift",
  ]);
  // A driver whose version could not be read is not known to have changed.
  assertEquals(found.impls.find(({ id }) => id === "swift")!.versions, [
    { what: "runtime", before: "Deno 2.0.0", now: "Deno 2.1.0" },
    { what: "jwt", before: "jsonwebtoken 9.0.0", now: "jose 6.0.0" },
  ]);
});

Deno.test("deriveChanges() lists what only one of the two runs has", () => {
  const [swift, even, freezing] = exampleRun(nowId);
  const before = exampleRun(thenId).filter(({ impl }) => impl.id !== "even");
  assertEquals(
    changes([swift!, even!, freezing!], before).impls.map(({ id, state }) => [id, state]),
    [["even", "only-now"], ["freezing", "compared"], ["swift", "compared"], [
      "tweaked",
      "only-before",
    ]],
  );
});

Deno.test("deriveChanges() says why a level or an implementation does not compare", () => {
  const invalid = runWith(thenId, "swift", ({ levels }) => ({
    levels: [{
      ...levels[0]!,
      repetitions: [{
        startedAt: "2026-01-01T00:00:10.000Z",
        validity: { valid: false, reasons: [{ code: "failures", message: "2 % failed" }] },
      }],
    }],
  }));
  const reasonFor = (id: string, now: Result[], before: Result[]) => {
    const { state, missing, levels } = changeOf(id, now, before);
    assertEquals([state, levels], ["unknown", []]);
    return missing;
  };
  assertEquals(
    reasonFor("swift", exampleRun(nowId), invalid),
    "in the earlier run, Swift is invalid at 10 connections: 2 % failed",
  );
  assertEquals(
    reasonFor("tweaked", exampleRun(nowId), exampleRun(thenId)),
    "the load generator limited both",
  );
  const control = { control: { version: "2.0.0" } };
  assertEquals(
    reasonFor("even", runWith(nowId, "even", () => control), exampleRun(thenId)),
    "the control is 2.0.0, and was 1.0.0",
  );
  const failed = runWith(nowId, "even", ({ comparison: _, ...result }) => ({
    ...result,
    status: "failed",
    failure: { stage: "build", message: "exit code 1", detail: "" },
    comparison: undefined,
  }));
  assertEquals(
    reasonFor("even", failed, exampleRun(thenId)),
    "Even failed at build: exit code 1",
  );
});

Deno.test("deriveChanges() draws from a bound on one side only what it allows", () => {
  const tweaked = (runId: string, ratio: number, isBound: boolean) =>
    runWith(runId, "tweaked", (result) => ({
      ...isBound ? result : withFastGenerator(result),
      ...withRatio(ratio)(result),
    }));
  const changed = (now: Result[], before: Result[]) => {
    const [level] = changeOf("tweaked", now, before).levels;
    return [level!.qualifier, level!.verdict];
  };
  const [bound, slow] = [tweaked(thenId, 1.6, true), tweaked(thenId, 1.2, false)];
  assertEquals(changed(tweaked(nowId, 1.6, true), slow), ["at least", "faster"]);
  assertEquals(changed(tweaked(nowId, 1.0, true), slow), ["at least", "tied"]);
  assertEquals(changed(tweaked(nowId, 1.2, false), bound), ["at most", "slower"]);
  assertEquals(changed(tweaked(nowId, 2.0, false), bound), ["at most", "tied"]);
});
