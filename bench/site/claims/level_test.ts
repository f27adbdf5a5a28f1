import { assertEquals } from "@std/assert";
import type { Result } from "../../results/result_schema.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { judgeClaims } from "./claims.ts";
import type { ClaimQuery } from "./file.ts";
import { judgeLevel } from "./level.ts";

/** A load of eight quarter seconds, of which the first are slow. */
function resultOf(id: string, correct: number[]): Result {
  const result = exampleResult();
  const [level] = result.levels;
  const [repetition] = level!.repetitions;
  const series = { intervalSeconds: 0.25, correct, failed: correct.map(() => 0) };
  const observation = { ...repetition!.observation!, series };
  return {
    ...result,
    impl: { ...result.impl, id, name: id },
    levels: [{ ...level!, connections: 50, repetitions: [{ ...repetition!, observation }] }],
  };
}

const bands = { aboutFactor: 1.15, benefitRatio: 1.05 };
const query = {
  ...{ kind: "cold-ratio", scenario: "insert", subject: "fast", reference: "cold" },
  ...{ levels: [50], requests: { subject: 4_000, reference: 300 } },
} satisfies ClaimQuery;

Deno.test("judgeLevel() of cold processes takes as many requests of each as the article sent, and decides nothing", () => {
  const results = [
    resultOf("fast", [1_000, 1_000, 1_000, 1_000]),
    resultOf("cold", [100, 100, 100, 900, 900]),
  ];
  const evidence = {
    bands: { aboutFactor: 1.15, benefitRatio: 1.05 },
    results,
    hello: [],
    runs: [],
  };
  assertEquals(judgeLevel(query, 50, evidence), {
    verdict: "not decided",
    because:
      "fast answered 4,000 per second over its first 4,000 requests, cold answered 400 per " +
      "second over its first 300 requests: 10 times as many, in one load each, so without an interval.",
  });
  const tooMany = { ...query, requests: { subject: 4_001, reference: 300 } };
  assertEquals(judgeLevel(tooMany, 50, evidence), {
    verdict: "not decided",
    because: "No comparison: fast: 4,000 requests ended, fewer than 4,001.",
  });
});

Deno.test("judgeClaims() shows loads with every commit on disk beside a claim about rows written", () => {
  const results = ["fast", "cold"].map((id, index) => {
    const result = resultOf(id, [1_000]);
    const [level] = result.levels;
    const [repetition] = level!.repetitions;
    const figures = { ...repetition!.figures!, goodputPerSecond: 600 / (1 + index) };
    const load = { connections: 50, repetitions: [{ ...repetition!, figures }] };
    return { ...result, scenario: "insert" as const, durable: { load } };
  });
  const article = { title: "An article", setting: "a laptop" };
  const rowsOf = (results: Result[], query: ClaimQuery) => {
    const claim = { id: "claim", article: "one", claim: "It is so", figure: "6", query };
    const tested = [{ results, runs: [] }];
    const judged = judgeClaims({ bands, articles: { one: article }, claims: [claim] }, tested);
    return judged.claims[0]!.levels.map(({ at, unit, because }) => `${at} ${unit}: ${because}`);
  };
  const of = { scenario: "insert" as const, levels: [50], about: 6 };
  const ratio = { ...of, kind: "ratio" as const, subject: "fast", reference: "cold" };
  assertEquals(
    rowsOf(results, ratio)[1],
    "50 connections, with every commit on disk: Cold: fast 600 per second and cold 300 per second, " +
      "in one load each, so without an interval.",
  );
  const goodput = { ...of, kind: "goodput" as const, subject: "cold" };
  assertEquals(
    rowsOf(results, goodput)[1],
    "50 connections, with every commit on disk: Cold: cold 300 per second, in one load, " +
      "so without an interval.",
  );
  const { durable: _, ...without } = results[1]!;
  assertEquals(rowsOf([results[0]!, without], ratio).length, 1);
});

Deno.test("judgeClaims() of cold processes says whose result is missing", () => {
  const article = { title: "An article", setting: "a laptop" };
  const claims = [{ id: "claim", article: "one", claim: "It is so", figure: "6 to 8", query }];
  const articles = { one: article };
  const results = [resultOf("fast", [1_000, 1_000, 1_000, 1_000])];
  const tested = [{
    results: results.map((result) => ({ ...result, scenario: query.scenario })),
    runs: [],
  }];
  const [judged] = judgeClaims({ bands, articles, claims }, tested).claims;
  assertEquals([judged!.verdict, judged!.settingHere], ["not decided", undefined]);
  assertEquals(judged!.because, `No comparison: run ${results[0]!.runId} has no result of cold.`);
});
