import { assertEquals } from "@std/assert";
import { deriveCompare } from "./pairs.ts";
import { deriveRun } from "./ranking.ts";
import { exampleRun, withSlowGenerator } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";
import { inverse, winPoints } from "../statistics/mod.ts";

const runId = "20260105T000000Z-0000005";

function compareAll(results: Result[]) {
  return deriveCompare(results, deriveRun(results));
}

/** Returns the example with one of its results changed. */
function exampleWith(id: string, change: (result: Result) => Result): Result[] {
  return exampleRun(runId).map((result) => result.impl.id === id ? change(result) : result);
}

Deno.test("deriveCompare() has every two of a class once, the higher ratio first", () => {
  const { levels } = compareAll(exampleRun(runId));
  assertEquals(
    levels.map(({ connections, class: implClass, impls, pairs }) => ({
      connections,
      class: implClass,
      impls: impls.map(({ id }) => id),
      pairs: pairs.map(({ a, b, verdict, points }) => [a, b, verdict, points]),
    })),
    [{
      connections: 10,
      class: "standard",
      impls: ["swift", "even", "freezing"],
      pairs: [
        ["swift", "even", "tied", 0],
        ["swift", "freezing", "faster", 3],
        ["even", "freezing", "faster", 3],
      ],
    }, { connections: 10, class: "tuned", impls: ["tweaked"], pairs: [] }],
  );
});

Deno.test("deriveCompare() states the ratio of the first to the second, whichever way it was derived", () => {
  const results = exampleRun(runId);
  const [derived] = deriveRun(results).levels;
  for (const { a, b, ratio, points } of compareAll(results).levels[0]!.pairs) {
    const same = derived!.pairs.find((pair) => pair.a === a && pair.b === b);
    const turned = derived!.pairs.find((pair) => pair.a === b && pair.b === a);
    const expected = same?.ratio ?? inverse(turned!.ratio);
    assertEquals(ratio, expected);
    assertEquals(points, winPoints(expected));
  }
});

Deno.test("deriveCompare() says why one is in no pair, and names it last", () => {
  const withoutControl = exampleWith("swift", (result) => ({
    ...result,
    control: { version: "2.0.0" },
  }));
  const [standard, tuned] = compareAll(withoutControl).levels;
  const alone = "no other of its class has a ratio to the same version of the control";
  assertEquals(
    standard!.impls.map(({ id, control, missing }) => [id, control, missing]),
    [
      ["swift", "2.0.0", alone],
      ["even", "1.0.0", undefined],
      ["freezing", "1.0.0", undefined],
    ],
  );
  assertEquals(tuned!.impls[0]!.missing, alone);

  const failed = exampleWith("even", ({ comparison: _, ...result }) => ({
    ...result,
    status: "failed",
    failure: { stage: "build", message: "exit code is 1, expected 0", detail: "" },
  }));
  const last = compareAll(failed).levels[0]!.impls.at(-1)!;
  assertEquals([last.id, last.ratio, last.missing], [
    "even",
    undefined,
    "Even failed at build: exit code is 1, expected 0",
  ]);
});

Deno.test("deriveCompare() tells which side of a pair the load generator bounds", () => {
  const bound = (...ids: string[]) =>
    exampleRun(runId).map((result) =>
      ids.includes(result.impl.id) ? withSlowGenerator(result) : result
    );
  const sides = (results: Result[]) =>
    compareAll(results).levels[0]!.pairs.map(({ a, b, qualifier, words }) => [
      a,
      b,
      qualifier,
      words,
    ]);
  assertEquals(sides(bound("swift", "even")), [
    ["swift", "even", undefined, "tied: the load generator limited both"],
    ["swift", "freezing", "at least", "faster"],
    ["even", "freezing", "at least", "faster"],
  ]);
  assertEquals(sides(bound("even", "freezing")), [
    ["swift", "even", "at most", "tied"],
    ["swift", "freezing", "at most", "tied: the load generator limited Freezing"],
    ["even", "freezing", undefined, "tied: the load generator limited both"],
  ]);
});

Deno.test("deriveCompare() has no level of a run that was never compared with the control", () => {
  const results = exampleRun(runId).map(({ comparison: _, ...result }) => result);
  assertEquals(compareAll(results).levels, []);
});
