import { assertEquals } from "@std/assert";
import { foundChanges } from "./found.ts";
import type { DerivedChanges } from "./changes.ts";
import type { ListedRun } from "../derived_run.ts";

const summary: ListedRun = {
  ...{ id: "20260112T000000Z-0000006", version: 1, startedAt: "2026-01-12T00:00:00.000Z" },
  ...{ profile: "full", scenario: "hello", machines: [], machine: "", commit: "b", local: false },
  ...{ marks: [], tests: true, impls: [], finding: "", implCount: 0 },
};
const ratio = { estimate: 0.8, low: 0.7, high: 0.92, confidence: 0.95, runs: 4 };
const before = { runId: "20260105T000000Z-0000005", startedAt: "2026-01-05T00:00:00.000Z" };
const framework = { what: "framework" as const, before: "koa 3.0.0", now: "koa 3.1.0" };
const database = { what: "database" as const, before: "MySQL 9.7.3", now: "MySQL 9.7.4" };

const changes: DerivedChanges = {
  runId: summary.id,
  before,
  environment: [database],
  impls: [{
    ...{ id: "deno", name: "Deno", class: "standard", state: "compared", versions: [framework] },
    levels: [
      { connections: 10, ratio, verdict: "slower" },
      { connections: 50, ratio: { ...ratio, low: 0.9, high: 1.1 }, verdict: "tied" },
      {
        connections: 100,
        ratio: { ...ratio, estimate: 1.2, low: 1.1, high: 1.3 },
        verdict: "faster",
        qualifier: "at least",
      },
    ],
  }],
};

Deno.test("foundChanges() lists regressions and improvements with interval and versions, and nothing tied", () => {
  const shared = {
    ...{ runId: summary.id, scenario: "hello", commit: "b", startedAt: summary.startedAt },
    ...{ name: "Deno", address: "impls/deno/hello/", versions: [framework, database] },
    before: { ...before, commit: "a" },
  };
  const over = "interval over 4 runs";
  assertEquals(foundChanges([{ summary, changes, commitBefore: "a" }]), [
    {
      ...shared,
      kind: "regression",
      levels: [{ connections: 10, ratio: "0.80 times", interval: "0.70–0.92", over }],
    },
    {
      ...shared,
      kind: "improvement",
      // Of a bound, the end of the interval that is known.
      levels: [{ connections: 100, ratio: "at least 1.10 times", interval: undefined, over }],
    },
  ]);
  assertEquals(foundChanges([{ summary, changes: { ...changes, before: undefined } }]), []);
});
