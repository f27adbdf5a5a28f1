import { assertEquals, assertStringIncludes } from "@std/assert";
import { exampleResult } from "../../testing/example_result.ts";
import { judgeClaims } from "./claims.ts";
import type { ClaimQuery } from "./file.ts";
import type { TestedRun } from "./level.ts";

const bands = { aboutFactor: 1.15, benefitRatio: 1.05 };
const article = { title: "An article", setting: "a laptop" };

function run(runId: string, ids: string[]): TestedRun {
  const result = exampleResult();
  const results = ids.map((id) => ({ ...result, runId, impl: { ...result.impl, id } }));
  return { results, runs: [] };
}

function claimOf(subject: string) {
  const query = {
    ...{ scenario: "jwt-mysql", kind: "ratio", subject, reference: "deno" },
    ...{ levels: [10], about: 3 },
  } satisfies ClaimQuery;
  return { id: subject, article: "article", claim: "It is so", figure: "about 3", query };
}

Deno.test("judgeClaims() tests a claim with the current run, or with another that has all of its implementations", () => {
  const claims = ["rust", "go", "bun"].map(claimOf);
  const judged = judgeClaims({ bands, articles: { article }, claims }, [
    run("current", ["deno", "rust"]),
    run("newer", ["go"]),
    run("older", ["deno", "go", "rust"]),
    run("oldest", ["deno", "go"]),
  ]);
  assertEquals(judged.claims.map(({ testedBy }) => testedBy), [["current"], ["older"], [
    "current",
  ]]);
  assertStringIncludes(judged.claims[2]!.because, "run current has no result of bun");
  assertEquals(judged.runs.map(({ id }) => id), ["current", "older"]);
});
