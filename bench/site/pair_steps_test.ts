import { assertEquals } from "@std/assert";
import { answerViews } from "./answer/answers.ts";
import { pairViews } from "./answer/pair_views.ts";
import { deriveOne } from "./derived_run.ts";
import { marksWith } from "./marks.ts";
import { withSteps } from "./pair_steps.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleRun } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";

const runId = "20260105T000000Z-0000005";

function pagesOf(all: Result[]) {
  const { exported, results, runs } = deriveOne(all, { local: false, earlier: [] });
  const run = { api: exported, results, known: runs };
  const marks = marksWith(new Map(), results);
  const pairs = pairViews(run, { views: answerViews([run], marks), marks, runs: [] });
  return { pairs, pages: pairs.map((pair) => withSteps(pair, run)) };
}

Deno.test("withSteps() has the bursts of both beside each other, and names no winner", () => {
  const { pages } = pagesOf(exampleBursts(runId));
  assertEquals(pages.map(({ address }) => address), [
    "compare/delay/cheating-or-queueing/",
    "compare/delay/cheating-or-steady/",
    "compare/delay/queueing-or-steady/",
  ]);
  const page = pages.at(-1)!;
  assertEquals(
    page.answer,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Steady answered every one; Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer.",
  );
  assertEquals(page.facts, ["1 January 2026", "Example CPU, 2 processors"]);
  const [, ten] = page.bursts!.steps;
  assertEquals(ten!.rows.map(({ name, answered }) => [name, answered]), [
    ["Steady", "10,000"],
    ["Queueing", "8,282"],
  ]);
  assertEquals(page.deliveries, undefined);
});

Deno.test("withSteps() has the deliveries of both", () => {
  const { pages } = pagesOf(exampleDeliveries(runId));
  const page = pages.find(({ address }) => address.endsWith("/pooled-or-steady/"))!;
  assertEquals(
    page.answer,
    "Notifications accepted within 50 ms (p99) and passed on in time, at most 0.1 % lost, given up, unsent or not accepted, by one fresh process at each rate: Steady at least 2,667 a second; Pooled up to 167 a second.",
  );
  assertEquals(page.deliveries!.steps.map(({ rows }) => rows.map(({ lost }) => lost)), [
    ["0", "0"],
    ["0", "40,020 (25.0 %)"],
  ]);
});

Deno.test("withSteps() has no figures of different machines beside each other", () => {
  const [steady, queueing] = exampleBursts(runId);
  const elsewhere = { ...queueing!, machine: { ...queueing!.machine, cpuModel: "Other CPU" } };
  const { pages: [page] } = pagesOf([steady!, elsewhere]);
  assertEquals(
    page!.answer,
    "They were measured on different machines, whose figures are not comparable.",
  );
  assertEquals([page!.bursts, page!.facts.slice(1)], [
    undefined,
    ["Example CPU, 2 processors", "Other CPU, 2 processors"],
  ]);
});

Deno.test("withSteps() leaves the page of a pair with levels as it is", () => {
  const { pairs, pages } = pagesOf(exampleRun(runId));
  assertEquals(pages, pairs);
});
