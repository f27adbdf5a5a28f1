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
