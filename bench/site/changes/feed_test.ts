import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { ChangedImpl } from "./changes.ts";
import { changesFeed } from "./feed.ts";
import { feedLength } from "../feed_item.ts";

function impl(verdict: "faster" | "slower" | "tied", estimate: number): ChangedImpl {
  const ratio = {
    ...{ estimate, low: estimate * 0.9, high: estimate * 1.1, runs: 4, confidence: 0.95 },
    ...{ method: "t" as const, rounds: 8 },
  };
  return {
    ...{ id: "go", name: "Go, net/http", class: "standard", state: "compared" },
    versions: [{ what: "runtime", before: "go 1.25", now: "go 1.26" }],
    levels: [{ connections: 50, ratio, verdict }],
  };
}

function run(runId: string, changed: ChangedImpl) {
  const before = { runId: "earlier", startedAt: "2026-01-01T00:00:00Z" };
  const environment = [{ what: "kernel" as const, before: "Linux 6.1", now: "Linux 6.2" }];
  const changes = { runId, before, environment, finding: "Go is slower", impls: [changed] };
  return { startedAt: "2026-01-02T00:00:00Z", scenario: "hello", changes };
}

Deno.test("changesFeed() has the runs in which something changed, with ratio, interval and versions", () => {
  const [entry, ...more] = changesFeed([
    run("third", impl("slower", 0.8)),
    run("second", impl("tied", 1.01)),
  ]);
  assertEquals(more, []);
  assertEquals(entry?.title, "Go is slower (hello)");
  assertEquals(entry?.page, "compare/third/");
  for (
    const part of [
      "Go: 0.80 times what it was at 50 connections (95 %: 0.72–0.88)",
      "changed: go 1.26, go 1.25 before",
      "Environment: Linux 6.2, Linux 6.1 before.",
      "earlier",
    ]
  ) assertStringIncludes(entry!.summary, part);
});

Deno.test("changesFeed() ends after the newest", () => {
  const runs = Array.from(
    { length: feedLength + 5 },
    (_, index) => run(`run-${index}`, impl("faster", 1.2)),
  );
  const feed = changesFeed(runs);
  assertEquals(feed.length, feedLength);
  assert(feed[0]!.page.includes("run-0"));
});
