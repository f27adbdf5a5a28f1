import { assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { deriveOne } from "../derived_run.ts";
import { headlineOf, type HeadlineStanding } from "../headline.ts";
import { marksWith } from "../marks.ts";
import { throughputView } from "./throughput.ts";

const results = exampleRun("20260105T000000Z-0000005");
const { exported: run } = deriveOne(results, { local: false, earlier: [] });

const marks = marksWith(new Map(), results);

/** Returns a headline where some are faster than others of the class; ratios to the control fall in this order. */
function headlineWith(groups: [id: string, letters: string[]][], faster: [a: string, b: string][]) {
  const ratio = { estimate: 1.1, low: 1.05, high: 1.15, confidence: 0.95, rounds: 7, runs: 1 };
  const isFaster = (a: string, b: string) => faster.some(([x, y]) => x === a && y === b);
  const ids = groups.map(([id]) => id);
  const standing: HeadlineStanding = {
    ratios: new Map(ids.map((id, index) => [id, { ...ratio, estimate: 2 - 0.1 * index }])),
    groups: new Map(groups),
    pairs: ids.flatMap((a, index) =>
      ids.slice(index + 1).map((b) =>
        isFaster(b, a)
          ? { a: b, b: a, ratio, verdict: "faster" as const }
          : { a, b, ratio, verdict: isFaster(a, b) ? "faster" as const : "tied" as const }
      )
    ),
  };
  return headlineOf(run, () => standing);
}

function answerOf(...given: Parameters<typeof headlineWith>): string {
  return throughputView(headlineWith(...given), marks).answer;
}

Deno.test("throughputView() calls tied with each other only those that are", () => {
  const all = answerOf([["swift", ["a"]], ["even", ["a"]], ["freezing", ["a"]]], []);
  assertEquals(all, "Even, Freezing, and Swift are tied: no difference could be measured.");
  // Swift is tied with both others, which are apart.
  const chain: [string, string[]][] = [["swift", ["a", "b"]], ["even", ["a"]], ["freezing", ["b"]]];
  assertEquals(
    answerOf(chain, [["even", "freezing"]]),
    "Even and Swift are tied; every other differs from at least one of them.",
  );
});

Deno.test("throughputView() has nobody lead who is slower than another", () => {
  const answer = answerOf([["swift", ["b"]], ["even", ["a"]]], [["even", "swift"]]);
  assertEquals(answer, "Even leads: it answers 1.1 times as many requests as Swift.");
});

Deno.test("throughputView() says what a cold start costs, unless one more warm load may have been as slow", () => {
  const headline = headlineWith([["swift", ["a"]], ["even", ["b"]]], [["swift", "even"]]);
  const swiftWith = (coldStart: { share: number; low: number; high: number }) => {
    const classes = headline.classes.map(({ entries, ...rest }) => ({
      ...rest,
      entries: entries.map((entry) => ({ ...entry, coldStart })),
    }));
    const rows = throughputView({ ...headline, classes }, marks).groups.flatMap(({ rows }) => rows);
    return rows.find(({ id }) => id === "swift")!;
  };
  const slower = swiftWith({ share: 0.9, low: 0.85, high: 0.95 });
  assertEquals([slower.cold, slower.plot!.tail?.to], ["cold start 90 % of warm", slower.plot!.at]);
  const alike = swiftWith({ share: 0.9, low: 0.8, high: 1.02 });
  assertEquals([alike.cold, alike.plot!.tail], [undefined, undefined]);
});
