import { assertEquals } from "@std/assert";
import { exportRun } from "./api/run.ts";
import type { ApiRun } from "./api/schema.ts";
import { headlineOf } from "./headline.ts";
import { deriveRun } from "./ranking.ts";
import { summariseRun } from "./run_summary.ts";
import { exampleRun } from "../testing/example_run.ts";
import { comparedRunOf } from "../results/compared_run.ts";
import type { Result } from "../results/result_schema.ts";

function exported(results: Result[]): ApiRun {
  return exportRun(results, {
    ...summariseRun(results, false),
    ...deriveRun(results),
    runs: [comparedRunOf(results)],
  });
}

const results = exampleRun("20260105T000000Z-0000005");
const run = exported(results);

Deno.test("headlineOf() says who is faster, who is tied, and by how much, each class apart", () => {
  const { classes, connections, ratios, machines, failed } = headlineOf(run);
  assertEquals([connections, machines, failed], [10, ["Example CPU, 2 processors"], []]);
  assertEquals(ratios, { count: 4 });
  const [standard, tuned] = classes;
  assertEquals([standard!.class, tuned!.class], ["standard", "tuned"]);
  assertEquals(standard!.sentences, [
    "Even and Swift lead; no difference between them could be measured",
    "Freezing is slower than the other 2",
  ]);
  assertEquals(tuned!.sentences, ["Tweaked is faster than the control"]);
  assertEquals(standard!.entries.map(({ id, words }) => [id, words]), [
    ["swift", "tied with Even, faster than Freezing"],
    ["even", "tied with Swift, faster than Freezing"],
    ["freezing", "slower than the other 2"],
  ]);
  assertEquals(
    standard!.lead,
    "Swift, warm, answered 2.1 times as many requests as Freezing (95 %: 2.0–2.1; interval of this run).",
  );
});

Deno.test("headlineOf() turns a pair round where the faster one is its second", () => {
  const [pair] = run.pairs!.filter(({ a, b }) => a === "swift" && b === "freezing");
  const { estimate, low, high } = pair!.ratio;
  const turned = {
    ...{ connections: 10, a: "freezing", b: "swift", verdict: "slower" as const },
    ratio: { ...pair!.ratio, estimate: 1 / estimate, low: 1 / high, high: 1 / low },
  };
  const leadOf = (pairs: ApiRun["pairs"]) => headlineOf({ ...run, pairs }).classes[0]!.lead;
  assertEquals(leadOf([turned]), leadOf([pair!]));
});

Deno.test("headlineOf() has cold goodput, and no words, where nothing was compared", () => {
  const alone = exported(
    results.map(({ comparison: _, control: __, plan, ...result }) => {
      const { comparison: ___, ...levels } = plan;
      return { ...result, plan: levels };
    }),
  );
  const { ratios, connections, classes } = headlineOf(alone);
  assertEquals([ratios, connections], [{ count: 0 }, 10]);
  for (const { sentences, lead, entries } of classes) {
    assertEquals([sentences, lead], [[], undefined]);
    for (const { id, coldGoodputPerSecond, warmGoodput, missing, words } of entries) {
      assertEquals([coldGoodputPerSecond, warmGoodput, missing, words], [
        id === "tweaked" ? 8_000 : 4_000,
        undefined,
        undefined,
        "",
      ]);
    }
  }
});

Deno.test("headlineOf() puts rates of different processors in no table", () => {
  const [first, ...others] = run.impls;
  const machine = { cpuModel: "Other CPU", cpuCount: 4 };
  const { machines, classes } = headlineOf({ ...run, impls: [{ ...first!, machine }, ...others] });
  assertEquals(machines, ["Example CPU, 2 processors", "Other CPU, 4 processors"]);
  assertEquals(
    classes.flatMap(({ entries }) => entries).filter(({ warmGoodput, coldGoodputPerSecond }) =>
      warmGoodput !== undefined || coldGoodputPerSecond !== undefined
    ),
    [],
  );
});

function withoutFigures(missing: string) {
  return { connections: 10, cold: { missing }, warm: { tieGroups: [] } };
}

Deno.test("headlineOf() lists what failed and what is invalid, with the reason, in the end", () => {
  const [even, freezing, ...others] = run.impls;
  const { failed, classes } = headlineOf({
    ...run,
    impls: [
      {
        ...even!,
        status: "failed",
        levels: [withoutFigures("failed at build: exit code 1")],
      },
      {
        ...freezing!,
        levels: [withoutFigures("wrong bytes; 2 % failed")],
      },
      ...others,
    ],
    pairs: [],
  });
  assertEquals(failed, ["even"]);
  assertEquals(classes[0]!.entries.map(({ id, missing }) => [id, missing]), [
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

Deno.test("headlineOf() has nothing against a ratio beside a cold load that the machine disturbed", () => {
  const [first, ...others] = run.impls;
  const levels = first!.levels.map((level) => ({
    ...level,
    cold: { missing: "the hypervisor took 2 %" },
  }));
  const { classes } = headlineOf({ ...run, impls: [{ ...first!, levels }, ...others] });
  const { ratio, missing } = classes[0]!.entries.find(({ id }) => id === first!.id)!;
  assertEquals([ratio !== undefined, missing], [true, undefined]);
});
