import { assertEquals } from "@std/assert";
import { exampleRun, withSlowGenerator } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";
import { deriveOne } from "./derived_run.ts";
import { headlineOf } from "./headline.ts";
import { badgeWords, implFinding } from "./place.ts";

const results = exampleRun("20260105T000000Z-0000005")
  .filter(({ impl }) => impl.class === "standard");

/** Returns the words of each badge, and without what all of them have. */
function badgesOf(results: Result[], change: { cold?: number } = {}) {
  const headline = headlineOf(deriveOne(results, { local: false, earlier: [] }).exported);
  const [first] = headline.classes;
  const entries = first!.entries.map((entry) =>
    entry.id === "swift" && "cold" in change
      ? { ...entry, coldGoodputPerSecond: change.cold }
      : entry
  );
  const among = { ...headline, ...first!, entries };
  return {
    among,
    words: new Map(
      entries.map((entry) => [
        entry.id,
        badgeWords(entry, among).replace(/, jwt-mysql, 10 connections$/, ""),
      ]),
    ),
  };
}

/** Returns the results, of which the fastest was loaded, but not compared. */
function withoutComparison(id: string): Result[] {
  return results.map((result) => {
    if (result.impl.id !== id) return result;
    const { comparison, ...rest } = result;
    const levels = comparison!.levels.map(({ connections, rounds }) => ({
      connections,
      rounds,
      problem: "the processes were not warm",
    }));
    return { ...rest, comparison: { ...comparison!, levels } };
  });
}

Deno.test("a badge says of how many it is, and at which level", () => {
  const { among, words } = badgesOf(results);
  assertEquals(words.get("freezing"), "3rd of 3");
  assertEquals(words.get("swift"), "tied for 1st of 3");
  assertEquals(
    badgeWords(among.entries.find(({ id }) => id === "freezing")!, among),
    "3rd of 3, jwt-mysql, 10 connections",
  );
});

Deno.test("nobody has a place where one that was not compared may be ahead", () => {
  const unsure = withoutComparison("swift");
  const slow = badgesOf(unsure, { cold: 1 }).words;
  assertEquals(
    [slow.get("even"), slow.get("freezing"), slow.get("swift")],
    ["1st of 2", "2nd of 2", "not ranked"],
  );
  // As fast when cold, or not known.
  for (const cold of [1e6, undefined]) {
    const { words, among } = badgesOf(unsure, { cold });
    assertEquals(
      [words.get("even"), words.get("freezing"), words.get("swift")],
      ["faster than 1 of 1 compared", "slower than 1 of 1 compared", "not ranked"],
    );
    const even = among.entries.find(({ id }) => id === "even")!;
    const { title } = implFinding(even, among);
    assertEquals(title, `${even.name} is faster than 1 of 1 compared in jwt-mysql`);
  }
  const { among } = badgesOf(unsure, { cold: undefined });
  const even = among.entries.find(({ id }) => id === "even")!;
  const failed = badgeWords(even, { ...among, failed: ["swift"] });
  assertEquals(failed, "1st of 2, jwt-mysql, 10 connections");
});

Deno.test("those of whom the load generator limited both have no place, and the one behind them has", () => {
  const { words } = badgesOf(
    results.map((result) => result.impl.id === "freezing" ? result : withSlowGenerator(result)),
  );
  assertEquals(
    [words.get("swift"), words.get("even"), words.get("freezing")],
    ["faster than 1 of 2 compared", "faster than 1 of 2 compared", "3rd of 3"],
  );
});
