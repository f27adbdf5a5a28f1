import { assertEquals } from "@std/assert";
import type { ClaimQuery } from "./file.ts";
import { testedRuns } from "./tested_runs.ts";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleRun } from "../../testing/example_run.ts";
import type { Result } from "../../results/result_schema.ts";
import { summariseRun } from "../run_summary.ts";

const runIds = [3, 2, 1].map((day) => `2026010${day}T000000Z-000000${day}`);

/** Returns the ids of the runs that test a claim, of runs that have all implementations but the newest, which lacks one. */
function testedBy(query: ClaimQuery, exampleOf: (runId: string) => Result[]): string[] {
  const index = runIds.map((runId, place) => {
    const results = exampleOf(runId).filter(({ impl }) => place > 0 || impl.id !== lacking);
    const profile = "full" as const;
    return summariseRun(results.map((it) => ({ ...it, plan: { ...it.plan, profile } })), false);
  });
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "some", query };
  return testedRuns(index, index[0]!.scenario, { claims: [claim] }).map(({ id }) => id);
}

const lacking = "cheating";

Deno.test("testedRuns() has the runs with all implementations of a claim about steps, after the current one", () => {
  const queryOf = (subject: string): ClaimQuery => ({
    ...{ kind: "burst", scenario: "delay", subject, users: [10_000], delaySeconds: 5 },
    ...{ figure: "failedShare", about: 0.17 },
  });
  assertEquals(testedBy(queryOf(lacking), exampleBursts), runIds);
  assertEquals(testedBy(queryOf("steady"), exampleBursts), runIds);
});

Deno.test("testedRuns() has the newest five runs of a claim about steps", () => {
  const index = [7, 6, 5, 4, 3, 2, 1].map((day) => {
    const results = exampleBursts(`2026010${day}T000000Z-000000${day}`);
    const profile = "full" as const;
    return summariseRun(results.map((it) => ({ ...it, plan: { ...it.plan, profile } })), false);
  });
  const query: ClaimQuery = {
    ...{ kind: "burst", scenario: "delay", subject: "steady", users: [10_000], delaySeconds: 5 },
    ...{ figure: "failedShare", about: 0.17 },
  };
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "some", query };
  const tested = testedRuns(index, "delay", { claims: [claim] });
  assertEquals(tested.map(({ id }) => id), index.slice(0, 5).map(({ id }) => id));
});

Deno.test("testedRuns() lets no failed result take the place of a run that has the step", () => {
  const index = ["20260102T000000Z-0000002", "20260101T000000Z-0000001"].map((runId, place) => {
    const profile = "full" as const;
    const status = place === 0 ? "failed" as const : "complete" as const;
    const results = exampleBursts(runId)
      .map((it) => ({ ...it, plan: { ...it.plan, profile }, status }));
    return summariseRun(results, false);
  });
  const query: ClaimQuery = {
    ...{ kind: "burst", scenario: "delay", subject: "steady", users: [10_000], delaySeconds: 5 },
    ...{ figure: "failedShare", about: 0.17 },
  };
  const claim = { id: "claim", article: "article", claim: "It is so", figure: "some", query };
  const ids = testedRuns(index, "delay", { claims: [claim] }).map(({ id }) => id);
  assertEquals(ids, index.map(({ id }) => id), "the current one, and the one that has the step");
});

Deno.test("testedRuns() has only the newest run with all implementations of another claim", () => {
  const [subject, reference] = exampleRun(runIds[0]!).map(({ impl }) => impl.id);
  const query: ClaimQuery = {
    ...{ kind: "ratio", scenario: "jwt-mysql", levels: [10], about: 2 },
    ...{ subject: subject!, reference: reference! },
  };
  assertEquals(testedBy(query, exampleRun), runIds.slice(0, 1));
});
