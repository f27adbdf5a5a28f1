import { assert, assertEquals, assertMatch } from "@std/assert";
import { pairChoice, pairViews } from "./pair_views.ts";
import { answerViews } from "./answers.ts";
import { deriveOne } from "../derived_run.ts";
import { marksWith } from "../marks.ts";
import { exampleRun, withSlowGenerator } from "../../testing/example_run.ts";
import type { Result } from "../../results/result_schema.ts";
import { summariseRun } from "../run_summary.ts";

function pairsOf(all: Result[]) {
  const { exported, results, runs } = deriveOne(all, { local: false, earlier: [] });
  const run = { api: exported, results, known: runs };
  const marks = marksWith(new Map(), results);
  const views = answerViews([run], marks);
  const without = results.length > 1 ? results.slice(1) : results;
  const older = { ...summariseRun(without, false), id: "20260101T000000Z-0000001" };
  const elsewhere = { ...older, id: "20260102T000000Z-0000002", scenario: "hello" as const };
  const pairs = pairViews(run, {
    views,
    marks,
    runs: [summariseRun(results, false), elsewhere, older],
  });
  return { pairs, choice: pairChoice(run, pairs, views) };
}

const example = exampleRun("20260105T000000Z-0000005");

Deno.test("pairViews() has every two of a class, at one address, and says who is faster by how much", () => {
  const { pairs } = pairsOf(example);
  assertEquals(pairs.map(({ address, question }) => [address, question]), [
    ["compare/jwt-mysql/even-or-freezing/", "Even or Freezing?"],
    ["compare/jwt-mysql/even-or-swift/", "Even or Swift?"],
    ["compare/jwt-mysql/freezing-or-swift/", "Freezing or Swift?"],
  ]);
  const [first, tied, turned] = pairs;
  assertMatch(
    first!.answer,
    /^Even answers \d\.\d times as many requests as Freezing at 10 connections \(95 %: \d\.\d+–\d\.\d+\)\.$/,
  );
  assertEquals(
    tied!.answer,
    "Tied: no difference between Even and Swift could be measured at 10 connections.",
  );
  // Whoever leads is the subject, wherever its name stands.
  assert(turned!.answer.startsWith("Swift answers "));
  const [level] = turned!.throughput!.levels;
  assertEquals(level!.words, "Swift is faster");
  assert(level!.low! > turned!.throughput!.even);
});

Deno.test("pairViews() says what each of two is made of, because a name may leave out the framework", () => {
  const named = example.map((result) => {
    const { impl } = result;
    return {
      ...result,
      impl: {
        ...impl,
        framework: { name: `framework-of-${impl.id}`, version: "3.3.0" },
        runtime: { name: "Deno" },
      },
    };
  });
  assertEquals(pairsOf(named).pairs[0]!.impls.map(({ name, madeOf }) => [name, madeOf]), [
    ["Even", "framework-of-even 3.3.0, Deno"],
    ["Freezing", "framework-of-freezing 3.3.0, Deno"],
  ]);
});

Deno.test("pairViews() names the newest other run of the scenario that has an implementation, if there is one", () => {
  const impls = pairsOf(example).pairs.flatMap(({ impls }) => impls);
  assert(impls.some(({ id }) => id === example[0]!.impl.id));
  for (const { id, otherRun } of impls) {
    assertEquals(otherRun, id === example[0]!.impl.id ? undefined : "20260101T000000Z-0000001", id);
  }
});

Deno.test("pairViews() has every other figure of both, and no winner in it", () => {
  const { pairs: [pair] } = pairsOf(example);
  assertEquals(pair!.figures.map(({ figure }) => figure), ["p99", "cpu", "memory", "startup"]);
  for (const { groups, words } of pair!.figures) {
    assertEquals(groups[0]!.rows.map(({ id }) => id).toSorted(), ["even", "freezing"]);
    assert(!words.includes("faster"));
  }
  const facts = pair!.figures.map(({ fact }) => fact.split(/;|,| of /)[0]);
  assertEquals(facts, [
    "strokes are the range",
    "95 % interval",
    "one load each",
    "plotted against the control’s starts",
  ]);
  assertEquals(pair!.others, [
    { name: "Swift", address: "compare/jwt-mysql/even-or-swift/" },
  ]);
});

Deno.test("pairViews() shows of a bound the end that is known alone, and nothing where the load generator limited both", () => {
  const levelWith = (...ids: string[]) => {
    const bound = example.map((it) => ids.includes(it.impl.id) ? withSlowGenerator(it) : it);
    const pair = pairsOf(bound).pairs.find(({ address }) =>
      address.endsWith("freezing-or-swift/")
    )!;
    const { levels: [level] } = pair.throughput!;
    return { answer: pair.answer, level: level! };
  };
  const whole = levelWith().level;
  const { answer, level } = levelWith("swift");
  assertMatch(
    answer,
    /^Swift answers at least \d\.\d+ times as many requests as Freezing at 10 connections\.$/,
  );
  assert(answer.includes(level.ratio!));
  assertEquals([level.at, level.low, level.interval], [whole.low, undefined, undefined]);
  const { answer: unknown, level: both } = levelWith("swift", "freezing");
  assertEquals(
    unknown,
    "Which of Freezing and Swift is faster at 10 connections is not known: the load generator limited both.",
  );
  assertEquals([both.ratio, both.interval, both.at, both.low], Array(4).fill(undefined));
  assertEquals(both.words, "tied: the load generator limited both");
});

Deno.test("pairViews() says so where no interval tells two apart", () => {
  const cold = example.map(({ comparison: _, ...result }) => result);
  const { pairs: [pair] } = pairsOf(cold);
  assertEquals(pair!.throughput, undefined);
  assertEquals(pair!.answer, "Even and Freezing cannot be compared here.");
  const problem = "the processes were not warm";
  const unsure = example.map((result) => {
    const { comparison, impl } = result;
    if (impl.id !== "freezing") return result;
    const levels = comparison!.levels.map(({ connections, rounds }) => ({
      connections,
      rounds,
      problem,
    }));
    return { ...result, comparison: { ...comparison!, levels } };
  });
  const { pairs: [other] } = pairsOf(unsure);
  assertEquals(
    other!.answer,
    "Even and Freezing cannot be compared here; Freezing has no ratio to the control: the processes were not warm.",
  );
});

Deno.test("pairChoice() offers those that have a pair, the two fastest first", () => {
  const { choice } = pairsOf(example);
  assertEquals(choice?.impls.map(({ id }) => id), ["even", "freezing", "swift"]);
  assertEquals([choice?.first, choice?.second].toSorted(), ["even", "swift"]);
  assertEquals(pairsOf(example.slice(0, 1)).choice, undefined);
});
