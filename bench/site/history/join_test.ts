import { assertEquals } from "@std/assert";
import { historyEntries, type HistoryEntry } from "./entries.ts";
import { joinHistories, shownEntries, summariseHistory } from "./join.ts";
import { deriveRun } from "../ranking.ts";
import { exampleRun } from "../../testing/example_run.ts";

const results = exampleRun("20260101T000000Z-0000000");
const entriesOfRun = historyEntries(results, deriveRun(results));

/** Makes the run of a day that holds Swift alone, changed. */
function runOf(day: number, change: (entry: HistoryEntry) => void = () => {}, local = false) {
  const entry = structuredClone(entriesOfRun.find(({ impl }) => impl.id === "swift")!);
  entry.startedAt = new Date(Date.UTC(2026, 0, day)).toISOString();
  entry.runId = `${entry.startedAt.replaceAll(/[-:]|\.000/g, "")}-0000000`;
  entry.conditions.profile = "full";
  change(entry);
  return { local, entries: [entry] };
}

const fail = (entry: HistoryEntry) => {
  entry.status = "failed";
  entry.failure = "failed at build: Cannot build it";
  entry.levels = [];
  delete entry.conditions.control;
  delete entry.versions.database;
  entry.impl = { ...entry.impl, framework: { name: entry.impl.framework.name } };
  entry.versions.framework = entry.impl.framework;
};

const days = (entries: { startedAt: string }[]) =>
  entries.map(({ startedAt }) => Math.round(Date.parse(startedAt) / 86_400_000) - 20_453);

Deno.test("joinHistories() has a history of each implementation, the newest run first", () => {
  const runs = ["20260105T000000Z-0000005", "20260106T000000Z-0000006"].map((runId) => ({
    local: false,
    entries: entriesOfRun.map((entry) => ({ ...entry, runId })),
  }));
  const histories = joinHistories(runs);
  assertEquals(histories.map(({ id }) => id), ["even", "freezing", "swift", "tweaked"]);
  for (const { entries, runs } of histories) {
    assertEquals(entries.map(({ runId }) => runId.slice(0, 8)), ["20260106", "20260105"]);
    assertEquals(runs, 2);
  }
});

Deno.test("joinHistories() breaks where figures are not comparable, and says why", () => {
  const [history] = joinHistories([
    runOf(1),
    runOf(2, ({ conditions }) => conditions.cpuModel = "Other CPU"),
    runOf(3, ({ conditions }) => conditions.cpuModel = "Other CPU"),
    runOf(4, ({ conditions }) => {
      conditions.cpuModel = "Other CPU";
      conditions.control = "2.0.0";
    }),
  ]);
  assertEquals(history!.entries.map(({ conditionChanges }) => conditionChanges), [
    [{ what: "control", before: "1.0.0", now: "2.0.0" }],
    [],
    [{ what: "processor", before: "Example CPU", now: "Other CPU" }],
    [],
  ]);
});

Deno.test("joinHistories() changes no conditions at a run that failed before it was compared", () => {
  const settle = ({ conditions }: HistoryEntry) =>
    conditions.kernelSettings = { "net.core.somaxconn": "4096" };
  const [history] = joinHistories([runOf(1, settle), runOf(2, fail), runOf(3, settle)]);
  assertEquals(history!.entries.flatMap(({ conditionChanges }) => conditionChanges), []);
});

Deno.test("joinHistories() says which versions changed, over runs that could not tell theirs", () => {
  const update = (version: string) => (entry: HistoryEntry) => {
    entry.versions.framework = { name: "koa", version };
  };
  const [history] = joinHistories([
    runOf(1, update("3.0.0")),
    runOf(2, fail),
    runOf(3, update("3.1.0")),
    runOf(4, (entry) => {
      update("3.1.0")(entry);
      entry.versions.jwt = { name: "jose", version: "6.0.0" };
      entry.versions.database!.version = "9.1.0";
    }),
  ]);
  assertEquals(history!.versionChangeCount, 2);
  assertEquals(history!.versionChanges.map(({ versionChanges }) => versionChanges), [
    [
      { what: "jwt", before: "jsonwebtoken 9.0.0", now: "jose 6.0.0" },
      { what: "database", before: "MySQL 9.0.0", now: "MySQL 9.1.0" },
    ],
    [{ what: "framework", before: "koa 3.0.0", now: "koa 3.1.0" }],
  ]);
  assertEquals(days(history!.versionChanges), [4, 3]);
});

Deno.test("joinHistories() lets the newest published full run speak, a failed one too", () => {
  const quick = ({ conditions }: HistoryEntry) => conditions.profile = "quick";
  const speaking = (...runs: Parameters<typeof joinHistories>[0]) => {
    const [{ latest, measured } = {}] = joinHistories(runs);
    return days([latest!, ...(measured === undefined ? [] : [measured])]);
  };
  assertEquals(speaking(runOf(1), runOf(2), runOf(3, quick), runOf(4, () => {}, true)), [2, 2]);
  assertEquals(speaking(runOf(1), runOf(2, fail)), [2, 1]);
  assertEquals(speaking(runOf(1, fail)), [1]);
  assertEquals(speaking(runOf(1, quick), runOf(2, () => {}, true)), [1, 1]);
  assertEquals(speaking(runOf(1, () => {}, true), runOf(2, () => {}, true)), [2, 2]);
});

Deno.test("joinHistories() keeps the newest entries, and counts all of them", () => {
  const runs = Array.from({ length: shownEntries + 5 }, (_, index) => runOf(index + 1));
  const [history] = joinHistories(runs);
  assertEquals([history!.runs, history!.entries.length], [shownEntries + 5, shownEntries]);
  assertEquals(days(history!.entries.slice(0, 1)), [shownEntries + 5]);
});

Deno.test("joinHistories() tells the level at which implementations are compared, else the lowest", () => {
  const with50 = (entry: HistoryEntry) =>
    entry.levels.push({ ...entry.levels[0]!, connections: 50 });
  assertEquals(joinHistories([runOf(1)])[0]?.connections, 10);
  assertEquals(joinHistories([runOf(1, with50)])[0]?.connections, 50);
});

Deno.test("summariseHistory() has the figures of the run that speaks, or why there are none", () => {
  const [measured] = joinHistories([runOf(1)]);
  const summary = summariseHistory(measured!);
  assertEquals(summary.latest, measured!.entries[0]!.runId);
  assertEquals(summary.level, measured!.entries[0]!.levels[0]);
  assertEquals([summary.name, summary.framework.name, summary.runs], ["Swift", "koa", 1]);
  assertEquals(summary.machine, "Example CPU, 2 processors");
  const [failed] = joinHistories([runOf(1), runOf(2, fail)]);
  const { level, failure, latest, framework } = summariseHistory(failed!);
  assertEquals([level, failure], [undefined, "failed at build: Cannot build it"]);
  assertEquals(framework.version, "3.0.0");
  assertEquals(latest, failed!.entries[0]!.runId);
});
