import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import type { HTMLElement } from "node-html-parser";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { repositoryRoot } from "../../bench/measure/begin_result.ts";
import type { Result } from "../../bench/results/result_schema.ts";
import {
  expectedImplTables,
  expectedTables,
  type Row,
} from "../../bench/testing/expected_tables.ts";
import { buildSite, format, makeData, textOf } from "../../bench/testing/site.ts";
import { listRunIds, readRun } from "../../bench/results/store.ts";

const fixtures = fromFileUrl(new URL("../../bench/testing/captured/runs", import.meta.url));

Deno.test("the site shows in every table of every run what the run's files hold", async () => {
  const runs = [
    ...await readRuns(fixtures),
    ...await readRuns(join(repositoryRoot, "site", "data", "runs")),
    exampleRun("20260105T000000Z-0000005"),
    exampleRun("20260106T000000Z-0000006").map((result, index) => ({
      ...result,
      machine: { ...result.machine, cpuModel: `CPU ${index % 2}` },
    })),
  ];
  await using folders = await makeData({ results: runs.flat() });
  await using site = await buildSite(folders);
  for (const results of runs) {
    const { runId } = results[0]!;
    const page = await site.page(`runs/${runId}/index.html`);
    const shown = shownTables(page);
    for (const [id, rows] of expectedTables(results)) {
      assertEquals(shown.get(id)?.sort(), rows.sort(), `table ${id} of run ${runId}`);
      shown.delete(id);
    }
    assertEquals([...shown.keys()], [], `run ${runId} has tables that no file of it explains`);
    const inTables = new Set(textOf(page, "th, td").flatMap(numbersIn));
    for (const mark of textOf(page, "figure svg title")) {
      for (const number of numbersIn(mark)) {
        assert(
          inTables.has(number),
          `run ${runId}: a chart reads out "${mark}", and no table has it`,
        );
      }
    }
    const facts = textOf(page, "dd").join("\n");
    for (const { plan, machine, database } of results) {
      for (
        const fact of [
          `${format(plan.requests, 1, 0)} requests at each level`,
          `after ${format(plan.warmUpRequests, 1, 0)} to warm up`,
          `${plan.poolMax} database connections; seed ${plan.seed}`,
          `${format(machine.memoryBytes, 1 / 1024 ** 2)} MiB`,
          ...database === undefined ? [] : [`${format(database.rows, 1, 0)}, SHA-256`],
        ]
      ) assertStringIncludes(facts, fact);
    }
  }
});

Deno.test("the site shows of every implementation what the newest full run's file holds", async () => {
  const results = exampleRun("20260105T000000Z-0000005")
    .map((result) => ({ ...result, plan: { ...result.plan, profile: "full" as const } }));
  const published = await readRuns(join(repositoryRoot, "site", "data", "runs"));
  for (const newest of [results, ...published.slice(-1)]) {
    await using folders = await makeData({ results: newest });
    await using site = await buildSite(folders);
    for (const result of newest.filter(({ status }) => status === "complete")) {
      const page = await site.page(`impls/${result.impl.id}/index.html`);
      const shown = shownTables(page);
      for (const [id, rows] of expectedImplTables(result)) {
        assertEquals(shown.get(id)?.sort(), rows.sort(), `table ${id} of ${result.impl.id}`);
      }
    }
  }
});

async function readRuns(folder: string): Promise<Result[][]> {
  return await Promise.all((await listRunIds(folder)).map((runId) => readRun(folder, runId)));
}

function numbersIn(text: string): string[] {
  return text.match(/\d[\d,]*(\.\d+)?/g) ?? [];
}

function shownTables(page: HTMLElement): Map<string, Row[]> {
  const tables = page.querySelectorAll("table");
  assert(tables.length > 0);
  return new Map(tables.map((table) => [
    table.querySelector("caption")!.id,
    table.querySelectorAll("tbody").flatMap((group) => {
      const [label = ""] = textOf(group, ".group th");
      return group.querySelectorAll("tr:not(.group)")
        .map((row) => [label, ...textOf(row, "th, td")]);
    }),
  ]));
}
