import { assertEquals } from "@std/assert";
import { historyEntries } from "./entries.ts";
import { deriveRun } from "../ranking.ts";
import { asWritten } from "../../testing/as_written.ts";
import { exampleRun } from "../../testing/example_run.ts";
import type { Result } from "../../results/result_schema.ts";
import { startsOf } from "../../results/startup.ts";
import { median } from "../../statistics/mod.ts";

const runId = "20260105T000000Z-0000005";

function entriesOf(results: Result[]) {
  return new Map(
    asWritten(historyEntries(results, deriveRun(results))).map((entry) => [entry.impl.id, entry]),
  );
}

Deno.test("historyEntries() has the figures of each result, and whom it is tied with", () => {
  const results = exampleRun(runId);
  const entries = entriesOf(results);
  assertEquals(entries.size, results.length);
  for (const { impl, levels, comparison, rateSweep, startup } of results) {
    const entry = entries.get(impl.id)!;
    const { figures, observation } = levels[0]!.repetitions[0]!;
    const [level] = entry.levels;
    assertEquals(entry.levels.length, 1);
    assertEquals(level?.connections, 10);
    assertEquals(level?.ratio, comparison!.levels[0]!.goodput);
    assertEquals(level?.coldGoodputPerSecond, figures!.goodputPerSecond);
    assertEquals(level?.isGeneratorBound, levels[0]!.frame!.isGeneratorBound);
    assertEquals(level?.coldPeakMemoryBytes, observation!.resources!.subject.peakMemoryBytes);
    const { seconds } = startsOf(startup!, "subject");
    assertEquals(entry.startup, { seconds: median(seconds), ratio: startup!.ratio });
    assertEquals(entry.sustainableRate?.perSecond, rateSweep!.sustainablePerSecond);
    assertEquals(entry.conditions.control, "1.0.0");
  }
  const groups = (id: string) => entries.get(id)!.levels[0]!.groups;
  assertEquals(groups("swift"), groups("even"));
  assertEquals(groups("swift").some((group) => groups("freezing").includes(group)), false);
});

Deno.test("historyEntries() says when the highest rate that was offered was held", () => {
  const [swift] = exampleRun(runId);
  const { rateSweep } = swift!;
  const { range } = rateSweep!;
  const held = (sustainablePerSecond: number) =>
    entriesOf([{ ...swift!, rateSweep: { ...rateSweep!, sustainablePerSecond } }]).get("swift")
      ?.sustainableRate;
  assertEquals(held(2_000), { perSecond: 2_000, isHighestOffered: false, range });
  assertEquals(held(4_000), { perSecond: 4_000, isHighestOffered: true, range });
});

Deno.test("historyEntries() says why a rate sweep gave no figure", () => {
  const [swift] = exampleRun(runId);
  const { sustainablePerSecond: _, range: __, ...rateSweep } = swift!.rateSweep!;
  const processes = rateSweep.processes
    .map((process, index) => index === 0 ? { ...process, problem: "it swapped" } : process);
  const entry = entriesOf([{ ...swift!, rateSweep: { ...rateSweep, processes } }]).get("swift")!;
  assertEquals(entry.sustainableRate, undefined);
  assertEquals(entry.sustainableRateMissing, `process 1 of ${processes.length}: it swapped`);
});

Deno.test("historyEntries() has the reason of what is invalid, and none of its figures", () => {
  const results = exampleRun(runId);
  const [swift] = results;
  const repetition = swift!.levels[0]!.repetitions[0]!;
  swift!.levels[0]!.repetitions = [{
    startedAt: repetition.startedAt,
    validity: { valid: false, reasons: [{ code: "failures", message: "2 % failed" }] },
    observation: repetition.observation!,
  }];
  delete swift!.levels[0]!.frame;
  const [level] = entriesOf(results).get("swift")!.levels;
  assertEquals(level, {
    connections: 10,
    groups: [],
    isGeneratorBound: false,
    missing: "2 % failed",
    ratioMissing: "Swift is invalid at 10 connections: 2 % failed",
  });
});

Deno.test("historyEntries() has where and why one failed, and no level that it did not reach", () => {
  const results = exampleRun(runId);
  const { levels: _, comparison: __, rateSweep: ___, startup: ____, database: _____, ...swift } =
    results[0]!;
  const failed: Result = {
    ...swift,
    status: "failed",
    failure: { stage: "build", message: "Cannot build it", detail: "line after line" },
    levels: [],
  };
  const entry = entriesOf([failed, ...results.slice(1)]).get("swift")!;
  assertEquals(entry.failure, "failed at build: Cannot build it");
  assertEquals(entry.levels, []);
  assertEquals([entry.sustainableRate, entry.startup, entry.versions.database], [
    undefined,
    undefined,
    undefined,
  ]);
});

Deno.test("historyEntries() has no ratio, and no excuse for it, where none was to be measured", () => {
  const results = exampleRun(runId).map(({ comparison: _, ...result }): Result => result);
  const [level] = entriesOf(results).get("even")!.levels;
  assertEquals([level?.ratio, level?.ratioMissing], [undefined, undefined]);
  assertEquals(level?.coldGoodputPerSecond, 4_000);
});
