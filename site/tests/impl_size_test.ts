import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { shownEntries } from "../../bench/site/history/join.ts";
import type { Result } from "../../bench/results/result_schema.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { rowsOf, textOf } from "../../bench/testing/pages.ts";
import { siteOf } from "../../bench/testing/site.ts";

Deno.test("the page of an implementation with many runs stays under 300 kB", async () => {
  const results: Result[] = [];
  const [example] = exampleRun("20260101T000000Z-0000001");
  for (let day = 0; day <= shownEntries; day++) {
    const startedAt = new Date(Date.UTC(2026, 0, 1 + day)).toISOString();
    const runId = `${startedAt.replaceAll(/[-:]|\.000/g, "")}-0000000`;
    const control = { version: `1.0.${Math.floor(day / 10)}` };
    const machine = { ...example!.machine, cpuModel: day % 2 === 0 ? "One CPU" : "Other CPU" };
    const plan = { ...example!.plan, profile: "full" as const };
    results.push({ ...example!, runId, startedAt, control, machine, plan });
  }
  const site = await siteOf({ runs: results });
  const page = await site.page("impls/swift/index.html");
  assertStringIncludes(page.text, `The newest ${shownEntries} of ${shownEntries + 1} runs`);
  assertEquals(rowsOf(page, "history").size, shownEntries);
  const figure = page.getElementById("history-title")!.closest("figure")!;
  assertEquals(textOf(figure, "ol.breaks li"), []);
  assertStringIncludes(figure.text, `${shownEntries - 1} times`);
  const { size } = await Deno.stat(join(site.folder, "impls/swift/index.html"));
  assert(size < 300_000, `it has ${size} bytes`);
});
