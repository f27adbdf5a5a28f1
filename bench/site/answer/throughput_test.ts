import { assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { deriveOne } from "../derived_run.ts";
import { headlineOf, type HeadlineStanding } from "../headline.ts";
import { marksWith } from "../marks.ts";
import { throughputView } from "./throughput.ts";

const results = exampleRun("20260105T000000Z-0000005");
const { exported: run } = deriveOne(results, { local: false, earlier: [] });

/** Returns the answer where pairs of the class have these verdicts. */
function answerOf(groups: [id: string, letters: string[]][], slower: [a: string, b: string][]) {
  const ratio = { estimate: 1.1, low: 1.05, high: 1.15, confidence: 0.95, rounds: 7, runs: 1 };
  const ids = groups.map(([id]) => id);
  const standing: HeadlineStanding = {
    ratios: new Map(ids.map((id, index) => [id, { ...ratio, estimate: 2 - 0.1 * index }])),
    groups: new Map(groups),
    pairs: ids.flatMap((a, index) =>
      ids.slice(index + 1).map((b) => ({
        ...{ a, b, ratio },
        verdict: slower.some(([x, y]) => x === a && y === b) ? "faster" as const : "tied" as const,
      }))
    ),
  };
  return throughputView(headlineOf(run, () => standing), marksWith(new Map(), results)).answer;
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
