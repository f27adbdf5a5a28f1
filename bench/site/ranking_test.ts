import { assertEquals } from "@std/assert";
import { warmGoodputAt } from "../results/goodput.ts";
import { valueOf } from "../results/known.ts";
import { deriveRun } from "./ranking.ts";
import { asWritten } from "../testing/as_written.ts";
import { exampleResult } from "../testing/example_result.ts";
import { exampleCeiling, exampleRun, withSlowGenerator } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";

const runId = "20260105T000000Z-0000005";

/** Returns the example run with one implementation changed. */
function runWith(id: string, change: (result: Result) => Partial<Result>): Result[] {
  return exampleRun(runId).map((result) =>
    result.impl.id === id ? { ...result, ...change(result) } : result
  );
}

/** Returns each pair as a sentence. */
function pairsOf(results: Result[]): string[] {
  const [level] = deriveRun(results).levels;
  return level!.pairs.map(({ a, b, verdict }) => `${a} ${verdict} ${b}`);
}

Deno.test("deriveRun() says of every two of a class who is faster, and groups those that are tied", () => {
  const { levels } = deriveRun(exampleRun(runId));
  const [level] = levels;
  assertEquals([levels.length, level!.connections], [1, 10]);
  assertEquals(pairsOf(exampleRun(runId)), [
    "swift tied even",
    "swift faster freezing",
    "even faster freezing",
  ]);
  assertEquals(level!.impls.map(({ id, groups }) => [id, ...groups]), [
    ["even", "a"],
    ["freezing", "b"],
    ["swift", "a"],
    ["tweaked", "c"],
  ]);
});

Deno.test("deriveRun() copies ratio, goodput and what bounds a level, unrounded", () => {
  const results = exampleRun(runId);
  const tweaked = results.find(({ impl }) => impl.id === "tweaked")!;
  assertEquals(deriveRun(results).levels[0]!.impls.find(({ id }) => id === "tweaked"), {
    id: "tweaked",
    class: "tuned",
    coldGoodputPerSecond: tweaked.levels[0]!.repetitions[0]!.figures!.goodputPerSecond,
    warmGoodput: valueOf(warmGoodputAt(tweaked, 10)),
    coldStart: undefined,
    isGeneratorBound: true,
    bottleneck: "generator",
    ratio: tweaked.comparison!.levels[0]!.goodput!,
    qualifier: "at least",
    tiedWith: [],
    groups: ["c"],
  });
});

Deno.test("deriveRun() gives points for sure margins, for each pair and level, and sums none", () => {
  const { levels, ...rest } = deriveRun(exampleRun(runId));
  assertEquals(
    levels[0]!.pairs.map(({ a, b, points }) => [a, b, points]),
    [["swift", "even", 0], ["swift", "freezing", 3], ["even", "freezing", 3]],
  );
  assertEquals(rest, {});
});

Deno.test("deriveRun() gives none the win over what the load generator bounds, and that every win of its own", () => {
  const bound = (id: string) =>
    exampleRun(runId).map((result) => result.impl.id === id ? withSlowGenerator(result) : result);
  assertEquals(pairsOf(bound("freezing")), [
    "swift tied even",
    "swift tied freezing",
    "even tied freezing",
  ]);
  const [level] = deriveRun(bound("freezing")).levels;
  assertEquals(level!.impls.map(({ id, groups }) => [id, ...groups]), [
    ["even", "a"],
    ["freezing", "a"],
    ["swift", "a"],
    ["tweaked", "b"],
  ]);
  assertEquals(level!.pairs.map(({ points }) => points), [0, 0, 0]);
  assertEquals(pairsOf(bound("swift")), pairsOf(exampleRun(runId)));
});

Deno.test("deriveRun() compares nothing that is invalid, has a problem or another control", () => {
  const expected = ["swift tied even"];
  const reasons = [{ code: "failures" as const, message: "2 % of the requests failed" }];
  const repetitions = [{
    startedAt: "2026-01-01T00:00:10.000Z",
    validity: { valid: false as const, reasons },
  }];
  const invalid = runWith(
    "freezing",
    ({ levels }) => ({ levels: [{ ...levels[0]!, repetitions }] }),
  );
  assertEquals(pairsOf(invalid), expected);
  const [freezing] = deriveRun(invalid).levels[0]!.impls.filter(({ id }) => id === "freezing");
  assertEquals([freezing?.ratio, freezing?.coldGoodputPerSecond, freezing?.groups], [
    undefined,
    undefined,
    [],
  ]);
  const problem = runWith("freezing", ({ comparison }) => ({
    comparison: {
      ...comparison!,
      levels: comparison!.levels.map((level) => ({ ...level, problem: "wrong answers" })),
    },
  }));
  assertEquals(pairsOf(problem), expected);
  assertEquals(pairsOf(runWith("freezing", () => ({ control: { version: "2.0.0" } }))), expected);
});

Deno.test("deriveRun() leaves out what a run without comparisons does not know", () => {
  assertEquals(asWritten(deriveRun([exampleResult()])), {
    levels: [{
      connections: 10,
      impls: [{
        id: "example",
        class: "standard",
        coldGoodputPerSecond: 4000,
        tiedWith: [],
        groups: [],
      }],
      pairs: [],
    }],
  });
});

Deno.test("deriveRun() reads at least where warm goodput reaches the ceiling, whatever disturbed the cold load", () => {
  const results = runWith("swift", ({ levels: [level], comparison }) => {
    const { startedAt } = level!.repetitions[0]!;
    const reasons = [{ code: "steal" as const, message: "the hypervisor took 2 %" }];
    const { subject } = comparison!.levels[0]!.goodputPerSecond!;
    return {
      levels: [{
        connections: 10,
        repetitions: [{ startedAt, validity: { valid: false as const, reasons } }],
      }],
      ceilings: [exampleCeiling(subject)],
    };
  });
  const swift = deriveRun(results).levels[0]!.impls.find(({ id }) => id === "swift")!;
  assertEquals([swift.isGeneratorBound, swift.coldGoodputPerSecond], [true, undefined]);
  assertEquals(swift.warmGoodput !== undefined, true);
});
