import { assertEquals, assertThrows } from "@std/assert";
import { parse } from "@std/csv";
import { z } from "zod";
import { exportRun } from "./run.ts";
import { csvColumns } from "./columns.ts";
import { csvHeader, csvLines } from "./csv.ts";
import { apiSchemaJson } from "./json_schema.ts";
import { apiRunSchema } from "./schema.ts";
import { deriveRun } from "../ranking.ts";
import { summariseRun } from "../run_summary.ts";
import { sumOf } from "../../lib/sum.ts";
import { asWritten } from "../../testing/as_written.ts";
import { exampleResult } from "../../testing/example_result.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { coldStartAt, warmGoodputAt } from "../../results/goodput.ts";
import { valueOf } from "../../results/known.ts";
import { lastRepetition } from "../../results/outcome.ts";
import { comparedRunOf } from "../../results/compared_run.ts";
import type { Result } from "../../results/result_schema.ts";
import { startsOf } from "../../results/startup.ts";
import { median } from "../../statistics/mod.ts";

function exported(results: Result[]) {
  return asWritten(
    exportRun(results, {
      ...summariseRun(results, false),
      ...deriveRun(results),
      runs: [comparedRunOf(results)],
    }),
  );
}

const results = exampleRun("20260105T000000Z-0000005");
const run = exported(results);

/** Returns the rows of the table by the names of columns. */
function rowsOf(text: string): Record<string, string>[] {
  return parse(text, { columns: csvColumns.map(({ name }) => name) });
}

Deno.test("exportRun() has every figure as the result has it", () => {
  for (const result of results) {
    const impl = run.impls.find(({ id }) => id === result.impl.id)!;
    const [level] = impl.levels;
    const { figures, observation } = lastRepetition(result.levels[0]!);
    const { subject } = observation!.resources!;
    const coldStart = valueOf(coldStartAt(result, 10));
    assertEquals(
      level,
      asWritten({
        connections: 10,
        isGeneratorBound: result.levels[0]!.frame!.isGeneratorBound,
        cold: {
          goodputPerSecond: figures!.goodputPerSecond,
          bottleneck: result.levels[0]!.frame!.bottleneck,
          latencySeconds: figures!.latencySeconds,
          attempted: observation!.attempted,
          failed: observation!.attempted - observation!.correct,
          cpuSecondsPerAnswer: subject.cpuSecondsPerAnswer!,
          peakMemoryBytes: subject.peakMemoryBytes,
        },
        warm: {
          goodputPerSecond: valueOf(warmGoodputAt(result, 10)),
          controlGoodputPerSecond: valueOf(warmGoodputAt(result, 10, "reference")),
          ratio: result.comparison!.levels[0]!.goodput!,
          qualifier: impl.id === "tweaked" ? "at least" : undefined,
          tieGroups: { swift: ["a"], even: ["a"], freezing: ["b"], tweaked: ["c"] }[impl.id]!,
        },
        coldStart,
      }),
    );
    assertEquals(coldStart === undefined, impl.id === "tweaked");
    assertEquals(impl.control, "1.0.0");
    assertEquals(impl.database, { name: "MySQL", version: "9.0.0" });
    assertEquals(impl.sustainablePerSecond, result.rateSweep!.sustainablePerSecond);
    const none = "in most of 3 processes, the lowest offered rate misses the objective";
    assertEquals(
      [impl.sustainableQualifier, impl.sustainableMissing],
      { freezing: [undefined, none], tweaked: ["at least", undefined] }[impl.id] ??
        [undefined, undefined],
    );
    assertEquals(impl.sustainableRange, result.rateSweep!.range);
    assertEquals(impl.startupSeconds, median(startsOf(result.startup!, "subject").seconds));
    assertEquals(impl.startupRatio, result.startup!.ratio);
  }
  assertEquals(
    run.pairs,
    asWritten(
      deriveRun(results).levels[0]!.pairs
        .map(({ points: _, ratio: { runs: __, ...ratio }, ...pair }) => ({
          connections: 10,
          ...pair,
          ratio,
        })),
    ),
  );
});

Deno.test("exportRun() gives reasons in place of figures, and nothing where nothing was planned", () => {
  const failed: Result = {
    ...exampleResult(),
    status: "failed",
    failure: { stage: "build", message: "exit code 101", detail: "the log" },
    levels: [],
  };
  const { failure, levels } = exported([failed]).impls[0]!;
  assertEquals(failure, { stage: "build", message: "exit code 101" });
  assertEquals(levels, [{
    connections: 10,
    cold: { missing: "failed at build: exit code 101" },
    warm: { tieGroups: [] },
  }]);

  const reasons = [{ code: "failures" as const, message: "2 % failed" }, {
    code: "swapping" as const,
    message: "the machine swapped",
  }];
  const [swift] = results;
  const invalid = exported([{
    ...swift!,
    levels: [{
      connections: 10,
      repetitions: [{
        startedAt: "2026-01-01T00:00:10.000Z",
        validity: { valid: false, reasons },
        observation: lastRepetition(swift!.levels[0]!).observation!,
      }],
    }],
  }]).impls[0]!.levels[0];
  assertEquals(invalid, {
    connections: 10,
    isGeneratorBound: false,
    cold: { missing: "2 % failed; the machine swapped", attempted: 10_000, failed: 0 },
    warm: {
      ratioMissing: "Swift is invalid at 10 connections: 2 % failed",
      tieGroups: [],
    },
  });

  const { comparison: _, ...unfinished } = swift!;
  assertEquals(
    exported([{ ...unfinished, levels: [] }]).impls[0]!.levels.map(
      ({ connections, cold, warm }) => [connections, cold.missing, warm.ratioMissing],
    )[0],
    [10, "not measured", undefined],
  );
});

Deno.test("exportRun() says how to read the highest sustainable rate, and why there is none", () => {
  const [swift] = results;
  const { plan, processes } = swift!.rateSweep!;
  const of = (rateSweep: Partial<Result["rateSweep"]>) => {
    const changed = { ...swift!, rateSweep: { ...swift!.rateSweep!, ...rateSweep } };
    const { sustainablePerSecond, sustainableQualifier, sustainableMissing } = exported([changed])
      .impls[0]!;
    return [sustainablePerSecond, sustainableQualifier, sustainableMissing];
  };
  const highest = Math.max(...plan.ratesPerSecond);
  assertEquals(of({ sustainablePerSecond: highest }), [highest, "at least", undefined]);
  const [process] = processes;
  assertEquals(of({ sustainablePerSecond: undefined, processes: [process!] }), [
    ...[undefined, undefined, "the lowest offered rate misses the objective"],
  ]);
  const invalid = { ...process!, problem: "the machine swapped" };
  assertEquals(of({ sustainablePerSecond: undefined, processes: [invalid] }), [
    ...[undefined, undefined, "the machine swapped"],
  ]);
});

Deno.test("exportRun() says which article's settings a run has", () => {
  assertEquals(run.reproduces, undefined);
  const reproducing = results.map((result) => ({
    ...result,
    plan: { ...result.plan, reproduces: "article" },
  }));
  assertEquals(exported(reproducing).reproduces, "article");
});

Deno.test("exportRun() is what the schema says, to the last key", () => {
  assertEquals(apiRunSchema.parse(run), run);
  const latest = { ...run, pairs: undefined };
  assertEquals(apiRunSchema.parse(latest), latest);
});

Deno.test("the published JSON Schema takes a run and a list of runs, more keys, and no other version", () => {
  const schema = z.fromJSONSchema(JSON.parse(apiSchemaJson()));
  const { impls, ...summary } = run;
  const index = {
    schemaVersion: 1,
    scenarios: [{ scenario: "jwt-mysql", latest: run.id }],
    runs: [{
      ...summary,
      impls: impls.map(({ id, name, class: c, status }) => ({ id, name, class: c, status })),
    }],
  };
  schema.parse(run);
  schema.parse(index);
  schema.parse({ ...run, added: 1 });
  const more = structuredClone(run);
  Object.assign(more.impls[0]!.levels[0]!.warm.ratio!, { added: 1 });
  assertEquals(schema.parse(more), more);
  assertThrows(() => schema.parse({ ...run, schemaVersion: 2 }), z.ZodError);
  assertThrows(() => schema.parse({ ...run, impls: [{ id: "only" }] }), z.ZodError);
});

Deno.test("csvLines() has a row for each implementation and level, of the figures of the JSON", () => {
  const rows = rowsOf(csvLines(run));
  assertEquals(rows.length, sumOf(run.impls, ({ levels }) => levels.length));
  assertEquals(csvHeader(), csvColumns.map(({ name }) => name).join(",") + "\r\n");
  const cells = run.impls.flatMap((impl) => impl.levels.map((level) => ({ impl, level })));
  for (const [index, { impl, level }] of cells.entries()) {
    const row = rows[index]!;
    assertEquals([row.run, row.impl, row.connections], [
      run.id,
      impl.id,
      String(level.connections),
    ]);
    for (
      const [name, value] of [
        ["warm_goodput_per_second", level.warm.goodputPerSecond?.estimate],
        ["warm_ratio", level.warm.ratio?.estimate],
        ["warm_ratio_low", level.warm.ratio?.low],
        ["warm_ratio_high", level.warm.ratio?.high],
        ["cold_goodput_per_second", level.cold.goodputPerSecond],
        ["cold_share_of_warm", level.coldStart?.share],
        ["cold_latency_p99_seconds", level.cold.latencySeconds?.p99],
        ["cold_latency_at_least", level.cold.latencySeconds?.atLeast?.join(" ")],
        ["cold_cpu_seconds_per_answer", level.cold.cpuSecondsPerAnswer],
        ["sustainable_per_second", impl.sustainablePerSecond],
        ["startup_seconds", impl.startupSeconds],
        ["startup_ratio", impl.startupRatio?.estimate],
        ["startup_ratio_low", impl.startupRatio?.low],
        ["startup_ratio_high", impl.startupRatio?.high],
      ] as const
    ) assertEquals(row[name], value === undefined ? "" : String(value), name);
  }
});

Deno.test("csvLines() quotes what RFC 4180 says, and keeps every line break and quote", () => {
  const [impl] = run.impls;
  const reason = 'said "no", twice,\nand ended';
  const text = csvLines({
    ...run,
    impls: [{
      ...impl!,
      levels: [{ connections: 10, cold: { missing: reason }, warm: { tieGroups: ["a", "b"] } }],
    }],
  });
  assertEquals(text.includes('"said ""no"", twice,\nand ended"'), true);
  const [row] = rowsOf(text);
  assertEquals([row!.cold_missing, row!.warm_tie_groups, row!.warm_ratio], [reason, "a b", ""]);
});

Deno.test("columns have names of their own and descriptions", () => {
  const names = csvColumns.map(({ name }) => name);
  assertEquals(names, [...new Set(names)]);
  assertEquals(names.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name)), []);
  assertEquals(csvColumns.filter(({ description }) => description === ""), []);
});
