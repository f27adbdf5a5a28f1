/** What scenarios without levels publish: bursts and deliveries, as JSON and as rows of the table. */
import { assert, assertEquals } from "@std/assert";
import { parse } from "@std/csv";
import { csvColumns } from "./columns.ts";
import { csvLines } from "./csv.ts";
import { apiRunSchema } from "./schema.ts";
import { deriveOne } from "../derived_run.ts";
import type { Result } from "../../results/result_schema.ts";
import { asWritten } from "../../testing/as_written.ts";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleDeliveries } from "../../testing/example_deliveries.ts";
import { exampleRun } from "../../testing/example_run.ts";

function exported(results: Result[]) {
  return asWritten(deriveOne(results, { local: false, earlier: [] }).exported);
}

/** Returns the rows of the table by the names of columns. */
function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { columns: csvColumns.map(({ name }) => name) });
}

Deno.test("exportRun() has bursts by delay and users, with figures or why there are none", () => {
  const results = exampleBursts("20260105T000000Z-0000005");
  const run = exported(results);
  apiRunSchema.parse(run);
  const [cheating, queueing] = run.impls.map(({ bursts }) => bursts!);
  assertEquals(queueing!.map(({ users, delaySeconds }) => [users, delaySeconds]), [
    [1_000, 1],
    [10_000, 1],
    [30_000, 1],
    [10_000, 5],
  ]);
  const { missing, answered, failures, peakEstablished } = queueing![1]!;
  assertEquals([missing, answered!.mean, failures, peakEstablished], [
    undefined,
    8_282,
    { reset: 5_154 },
    8_292,
  ]);
  assertEquals(cheating![1]!.missing, "3 of 10,000 users had a wrong answer (early)");
  assertEquals(exported(exampleRun("20260105T000000Z-0000005")).impls[0]!.bursts, undefined);
});

Deno.test("exportRun() has deliveries from the lowest rate up, and no figure of one that is invalid", () => {
  const results = exampleDeliveries("20260105T000000Z-0000005");
  const run = exported(results);
  assertEquals(apiRunSchema.parse(run), run);
  const [doubling, pooled, steady] = run.impls;
  assertEquals(doubling!.deliveries, [
    {
      ...{ users: 100, ratePerSecond: 167, failures: {} },
      missing: "POST /notify/1 led to 2 calls of it, expected one",
    },
    {
      ...{ users: 1_600, ratePerSecond: 2_667, failures: {} },
      missing: "POST /notify/1 led to 2 calls of it, expected one",
    },
  ]);
  const { ratePerSecond, accepted, delivered, lost, acceptSeconds, holds } = pooled!
    .deliveries![1]!;
  assertEquals([ratePerSecond, accepted, delivered, lost, acceptSeconds!.p99, holds], [
    ...[2_667, 160_020, 120_000, 40_020, 0.004, false],
  ]);
  assertEquals(
    [steady, pooled, doubling].map((impl) => impl!.sustainablePerSecond),
    [2_667, 167, undefined],
  );
  assertEquals([steady, pooled].map((impl) => impl!.sustainableQualifier), ["at least", undefined]);
  assertEquals(
    doubling!.sustainableMissing,
    "POST /notify/1 led to 2 calls of it, expected one",
  );
  assertEquals(exported(exampleRun("20260105T000000Z-0000005")).impls[0]!.deliveries, undefined);
});

Deno.test("csvLines() has a row for each burst, with intervals, and no cell of a level", () => {
  const run = exported(exampleBursts("20260105T000000Z-0000005"));
  const rows = rowsOf(csvLines(run)).filter(({ impl }) => impl === "queueing");
  assertEquals(rows.map(({ users, delay_seconds }) => [users, delay_seconds]), [
    ["1000", "1"],
    ["10000", "1"],
    ["30000", "1"],
    ["10000", "5"],
  ]);
  const { answered, failedShare, meanSeconds, p99Seconds } = run.impls[1]!.bursts![1]!;
  assertEquals([p99Seconds, rows[1]!.wait_p99_seconds], [undefined, ""]);
  for (
    const [name, estimate] of [
      ["answered", answered],
      ["failed_share", failedShare],
      ["wait_mean_seconds", meanSeconds],
    ] as const
  ) {
    const { mean, low, high } = estimate!;
    assert(low! < mean && mean < high!, name);
    const cells = [name, `${name}_low`, `${name}_high`].map((column) => rows[1]![column]);
    assertEquals(cells, [mean, low, high].map(String), name);
  }
  const { step_failures, peak_established, peak_threads, connections, accepted } = rows[1]!;
  assertEquals([step_failures, peak_established, peak_threads, connections, accepted], [
    ...["reset 5154", "8292", "230", "", ""],
  ]);
  assertEquals([rows[2]!.step_missing, rows[2]!.answered], [
    "30,000 users need 30,256 descriptors, the limit is 20,000",
    "",
  ]);
});

Deno.test("csvLines() has a row for one that failed before any step", () => {
  const [first] = exampleBursts("20260105T000000Z-0000005");
  const failure = { stage: "build" as const, message: "exit code 101", detail: "" };
  const failed: Result = { ...first!, status: "failed", failure, bursts: undefined };
  const rows = rowsOf(csvLines(exported([failed])));
  assertEquals(rows.map(({ impl, status, users }) => [impl, status, users]), [
    [first!.impl.id, "failed", ""],
  ]);
});

Deno.test("csvLines() has a row for each rate of deliveries, with what was accepted and lost", () => {
  const rows = rowsOf(csvLines(exported(exampleDeliveries("20260105T000000Z-0000005"))));
  const pooled = rows.filter(({ impl }) => impl === "pooled");
  const columns = ["offered_per_second", "accepted", "delivered", "lost", "accept_p99_seconds"];
  assertEquals(
    pooled.map((row) => [...columns, "meets_objective", "step_missing"].map((name) => row[name])),
    [
      ["167", "10020", "10020", "0", "0.004", "true", ""],
      ["2667", "160020", "120000", "40020", "0.004", "false", ""],
    ],
  );
  assertEquals(pooled.map((row) => row.sustainable_per_second), ["167", "167"]);
  assertEquals(
    rows.find(({ impl }) => impl === "doubling")!.step_missing,
    "POST /notify/1 led to 2 calls of it, expected one",
  );
});
