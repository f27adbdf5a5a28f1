import { assertAlmostEquals, assertEquals } from "@std/assert";
import { exportRun } from "./api/run.ts";
import type { ApiRun } from "./api/schema.ts";
import { headlineOf } from "./headline.ts";
import { groupSentences, standingWords } from "./headline_words.ts";
import { deriveRun } from "./ranking.ts";
import { summariseRun } from "./run_summary.ts";
import { exampleRun } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";

function exported(results: Result[]): ApiRun {
  return exportRun(results, { ...summariseRun(results, false), ...deriveRun(results) });
}

const results = exampleRun("20260105T000000Z-0000005");
const run = exported(results);

/** Makes the entry of an implementation by the letters of its groups, and whom it is faster than. */
function entry(id: string, groups: string[], fasterThan: string[], slowerThan: string[]) {
  const ratio = { estimate: 1, low: 0.9, high: 1.1, confidence: 0.95, method: "t", rounds: 3 };
  return {
    ...{ id, name: id, command: "", order: 0, words: "", isGeneratorBound: false, tiedWith: [] },
    ...{ groups, fasterThan, slowerThan, ratio: { ...ratio, method: "t" as const } },
  };
}

Deno.test("headlineOf() says who is faster, who is tied, and by how much, each class apart", () => {
  const { classes, impls, connections, ratios, machines, failed } = headlineOf(run);
  assertEquals([connections, machines, failed], [10, ["Example CPU, 2 processors"], []]);
  assertEquals(ratios, { count: 4, aboveControl: 3 });
  assertEquals(impls, ["even", "freezing", "swift", "tweaked"]);
  const [standard, tuned] = classes;
  assertEquals([standard!.class, tuned!.class], ["standard", "tuned"]);
  assertEquals(standard!.sentences, [
    "swift and even are tied, faster than freezing",
    "freezing is slower than every other",
  ]);
  assertEquals(tuned!.sentences, ["tweaked is faster than the control"]);
  assertEquals(standard!.entries.map(({ id, order, words }) => [id, order, words]), [
    ["swift", 2, "tied with even, faster than freezing"],
    ["even", 0, "tied with swift, faster than freezing"],
    ["freezing", 1, "slower than every other"],
  ]);
  const { id, over, ratio } = standard!.lead!;
  assertEquals([id, over], ["swift", "freezing"]);
  const pair = run.pairs!.find(({ a, b }) => a === "swift" && b === "freezing");
  assertEquals(ratio, pair!.ratio);
});

Deno.test("headlineOf() turns a pair round where the faster one is its second", () => {
  const [pair] = run.pairs!.filter(({ a, b }) => a === "swift" && b === "freezing");
  const { estimate, low, high } = pair!.ratio;
  const turned = {
    ...{ connections: 10, a: "freezing", b: "swift", verdict: "slower" as const },
    ratio: { ...pair!.ratio, estimate: 1 / estimate, low: 1 / high, high: 1 / low },
  };
  const { lead } = headlineOf({ ...run, pairs: [turned] }).classes[0]!;
  assertAlmostEquals(lead!.ratio.estimate, estimate, 1e-12);
  assertAlmostEquals(lead!.ratio.low, low, 1e-12);
  assertAlmostEquals(lead!.ratio.high, high, 1e-12);
});

Deno.test("headlineOf() has goodputs of one load, and no words, where nothing was compared", () => {
  const alone = exported(
    results.map(({ comparison: _, control: __, plan, ...result }) => {
      const { comparison: ___, ...levels } = plan;
      return { ...result, plan: levels };
    }),
  );
  const { ratios, connections, classes } = headlineOf(alone);
  assertEquals([ratios, connections], [{ count: 0, aboveControl: 0 }, 10]);
  for (const { sentences, lead, entries } of classes) {
    assertEquals([sentences, lead], [[], undefined]);
    for (const { goodputPerSecond, problem, words } of entries) {
      assertEquals([goodputPerSecond, problem, words], [4_000, undefined, ""]);
    }
  }
});

Deno.test("headlineOf() puts rates of different processors in no table", () => {
  const [first, ...others] = run.impls;
  const machine = { cpuModel: "Other CPU", cpuCount: 4 };
  const { machines, classes } = headlineOf({ ...run, impls: [{ ...first!, machine }, ...others] });
  assertEquals(machines, ["Other CPU, 4 processors", "Example CPU, 2 processors"]);
  assertEquals(
    classes.flatMap(({ entries }) => entries).filter(({ goodputPerSecond }) =>
      goodputPerSecond !== undefined
    ),
    [],
  );
});

Deno.test("headlineOf() lists what failed and what is invalid, with the reason, in the end", () => {
  const [even, freezing, ...others] = run.impls;
  const { failed, classes } = headlineOf({
    ...run,
    impls: [
      {
        ...even!,
        status: "failed",
        levels: [{ connections: 10, invalid: ["failed at build: exit code 1"], tieGroups: [] }],
      },
      {
        ...freezing!,
        levels: [{ connections: 10, invalid: ["wrong bytes", "2 % failed"], tieGroups: [] }],
      },
      ...others,
    ],
    pairs: [],
  });
  assertEquals(failed, ["even"]);
  assertEquals(classes[0]!.entries.map(({ id, problem }) => [id, problem]), [
    ["swift", undefined],
    ["even", "failed at build: exit code 1"],
    ["freezing", "wrong bytes; 2 % failed"],
  ]);
});

Deno.test("headlineOf() speaks of the level at which two are compared elsewhere, where the run has it", () => {
  const levels = [10, 50].map((connections) => ({ ...run.impls[0]!.levels[0]!, connections }));
  assertEquals(headlineOf({ ...run, impls: [{ ...run.impls[0]!, levels }] }).connections, 50);
  assertEquals(headlineOf({ ...run, impls: [] }).connections, 50);
});

Deno.test("groupSentences() names all groups that overlap, and only what holds for all of one", () => {
  const entries = [
    entry("a", ["a"], ["c", "d"], []),
    entry("b", ["a", "b"], ["d"], []),
    entry("c", ["b"], ["d"], ["a"]),
    entry("d", ["c"], [], ["a", "b", "c"]),
  ];
  assertEquals(groupSentences(entries), [
    "a and b are tied, faster than d",
    "b and c are tied, faster than d",
    "d is slower than every other",
  ]);
});

Deno.test("groupSentences() compares one that stands alone with the control", () => {
  const [alone] = [entry("a", ["a"], [], [])];
  assertEquals(groupSentences([alone!]), ["a is tied with the control"]);
  const slow = { ...alone!, ratio: { ...alone!.ratio, low: 0.7, high: 0.8 } };
  assertEquals(groupSentences([slow]), ["a is slower than the control"]);
});

Deno.test("groupSentences() does not speak for those that have no ratio", () => {
  const entries = [
    entry("a", ["a"], ["b", "c"], []),
    entry("b", ["b"], ["c"], ["a"]),
    entry("c", ["c"], [], ["a", "b"]),
  ];
  const { ratio: _, ...invalid } = { ...entry("d", [], [], []), problem: "wrong bytes" };
  assertEquals(groupSentences([...entries, invalid]), [
    "a is faster than every other that was compared",
    "b is faster than c",
    "c is slower than every other that was compared",
  ]);
});

Deno.test("standingWords() spells the shorter side out, and calls the other the rest", () => {
  const words = (
    tiedWith: string,
    fasterThan: string,
    slowerThan: string,
    compared: number,
    all = compared,
  ) =>
    standingWords({
      tiedWith: [...tiedWith],
      fasterThan: [...fasterThan],
      slowerThan: [...slowerThan],
    }, { all, compared });
  assertEquals(words("", "bcd", "", 3), "faster than every other");
  assertEquals(words("", "b", "", 1), "faster than b");
  assertEquals(words("bc", "", "", 2), "tied with every other");
  assertEquals(words("b", "cd", "", 3), "tied with b, faster than the rest");
  assertEquals(words("b", "c", "", 2), "tied with b, faster than c");
  assertEquals(words("", "def", "b", 4), "slower than b, faster than the rest");
  assertEquals(words("c", "d", "ab", 4), "tied with c, faster than d, slower than the rest");
  // One of another control is in no pair: the rest would be too much.
  assertEquals(words("b", "cd", "", 4), "tied with b, faster than c and d");
  assertEquals(words("", "", "", 3), "");
  // Of one without a ratio, nothing is known.
  assertEquals(words("", "bcd", "", 3, 4), "faster than every other that was compared");
  assertEquals(words("b", "cd", "", 3, 4), "tied with b, faster than the rest of those compared");
  assertEquals(words("", "b", "", 1, 2), "faster than b");
});
