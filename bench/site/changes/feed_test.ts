import { assertEquals, assertStringIncludes } from "@std/assert";
import { changesFeed } from "./feed.ts";
import type { FoundChange } from "./found.ts";
import { feedLength } from "../feed_item.ts";

function change(runId: string, name: string, kind: FoundChange["kind"]): FoundChange {
  return {
    ...{ runId, scenario: "hello", commit: "b", startedAt: "2026-01-02T00:00:00Z", name, kind },
    before: { runId: "earlier", startedAt: "2026-01-01T00:00:00Z", commit: "a" },
    address: "impls/go/",
    levels: [
      { connections: 50, ratio: "0.80 times", interval: "0.72–0.88", over: "interval over 4 runs" },
    ],
    versions: [{ what: "runtime", before: "go 1.25", now: "go 1.26" }],
  };
}

Deno.test("changesFeed() has an entry for each run, with ratios, intervals and versions", () => {
  const feed = changesFeed([
    change("third", "Go", "regression"),
    change("third", "Rust", "improvement"),
    change("second", "Go", "improvement"),
  ]);
  assertEquals(feed.map(({ page }) => page), ["compare/third/", "compare/second/"]);
  assertEquals(
    feed[0]!.title,
    "Regression of Go at 50 connections; improvement of Rust at 50 connections (hello)",
  );
  for (
    const part of [
      "Go: 0.80 times what it was at 50 connections (95 %: 0.72–0.88; interval over 4 runs)",
      "changed: go 1.26, go 1.25 before.",
      "The newest of the runs before is earlier.",
    ]
  ) assertStringIncludes(feed[0]!.summary, part);
});

Deno.test("changesFeed() has no interval of a ratio that is a bound", () => {
  const bound = change("third", "Go", "improvement");
  bound.levels[0]!.interval = undefined;
  assertStringIncludes(
    changesFeed([bound])[0]!.summary,
    "0.80 times what it was at 50 connections (end of the 95 % interval over 4 runs)",
  );
});

Deno.test("changesFeed() ends after the newest runs", () => {
  const changes = Array.from(
    { length: feedLength + 5 },
    (_, index) => change(`run-${index}`, "Go", "improvement"),
  );
  const feed = changesFeed(changes);
  assertEquals(feed.length, feedLength);
  assertEquals(feed[0]!.page, "compare/run-0/");
});
