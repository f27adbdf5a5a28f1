import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { z } from "zod";
import { exampleRun } from "../../testing/example_run.ts";
import { temporaryFolder } from "../../testing/temporary_folder.ts";
import { runIdOf } from "../../testing/weekly_runs.ts";
import { foldersOf } from "../../cli/folders.ts";
import type { Result } from "../../results/result_schema.ts";
import { listRunIds, readRun, writeResult } from "../../results/store.ts";
import {
  baselineOf,
  benchmarksOf,
  benchmarksSchema,
  externalDataSchema,
  suiteNames,
  tools,
  writeBenchmarkData,
} from "./benchmark_data.ts";
import type { Direction } from "../figure.ts";
import { followAll } from "../figures.ts";

const repositoryUrl = "https://github.com/example/backbench";
const directions: Direction[] = ["bigger", "smaller"];
/** What is left of a value once it is a file. */
const asWritten = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const now = runIdOf(30);

/** Runs of the given number of weeks, each with another highest sustainable rate of Swift. */
function weeks(count: number, change: (result: Result, week: number) => void = () => {}): Result[] {
  return Array.from({ length: count }, (_, index) => index + 1).flatMap((week) =>
    exampleRun(runIdOf(week)).map((result) => {
      if (result.impl.id === "swift") result.rateSweep!.sustainablePerSecond = 1_000 * week;
      change(result, week);
      return result;
    })
  );
}

const followed = (results: readonly Result[]) => followAll(results).flat();

function benchmarks(results: readonly Result[], direction: Direction) {
  return benchmarksOf(followed(results), direction);
}

/** Returns the names of all figures of results. */
function namesOf(...results: Result[]): string[] {
  return directions.flatMap((direction) => benchmarks(results, direction)).map(({ name }) => name);
}

/** Returns the baseline of a run, each result of `history` from a run of its own. */
function baselineIn(history: Result[], direction: Direction, results = exampleRun(now)) {
  const earlier = history.flatMap((result) => followed([result]));
  return baselineOf(followed(results), earlier, { direction, repositoryUrl });
}

function sustainableIn(history: Result[], results = exampleRun(now)): number | undefined {
  const { entries } = baselineIn(history, "bigger", results);
  return entries[suiteNames.bigger]?.[0]?.benches
    .find(({ name }) => name === "swift, jwt-mysql: highest sustainable rate")?.value;
}

Deno.test("benchmarksOf() gives ratio and highest sustainable rate as bigger is better, the rest as smaller", () => {
  const [swift] = exampleRun(now);
  assertEquals(
    benchmarks([swift!], "bigger").map(({ name, unit }) => `${name}, ${unit}`),
    [
      "swift, jwt-mysql: warm goodput at 10 connections, times the control",
      "swift, jwt-mysql: highest sustainable rate, requests/s",
    ],
  );
  assertEquals(
    benchmarks([swift!], "smaller").map(({ name, unit }) => `${name}, ${unit}`),
    [
      "swift, jwt-mysql: p99 at 100 requests/s, after 0.5 s, ms",
      "swift, jwt-mysql: p99 at 500 requests/s, after 0.5 s, ms",
      "swift, jwt-mysql: p99 at 1000 requests/s, after 0.5 s, ms",
      "swift, jwt-mysql: p99 at 2000 requests/s, after 0.5 s, ms",
      "swift, jwt-mysql: CPU time per answer in the cold load at 10 connections, us",
      "swift, jwt-mysql: peak memory in the cold load at 10 connections, MiB",
      "swift, jwt-mysql: startup, times the control",
    ],
  );
  const { estimate, low, high } = swift!.comparison!.levels[0]!.goodput!;
  const [goodput] = benchmarks([swift!], "bigger");
  assertAlmostEquals(goodput!.value, estimate, 1e-4);
  assertEquals(goodput!.range, `± ${((high - low) / 2).toFixed(4)}`);
});

Deno.test("benchmarksOf() is what the action takes: unique names, positive numbers, no other key", () => {
  for (const direction of directions) {
    const read = asWritten(benchmarks(exampleRun(now), direction));
    assertEquals(benchmarksSchema.parse(read).length > 4, true);
  }
});

Deno.test("every published run is what the action takes, and so is the baseline of one after it", async () => {
  const { publishedRuns } = foldersOf();
  const ids = await listRunIds(publishedRuns);
  assert(ids.length > 0);
  for (const id of ids) {
    const run = followed(await readRun(publishedRuns, id));
    const next = run.map((result) => ({ ...result, runId: "20991231T000000Z-0000000" }));
    for (const direction of directions) {
      const figures = (of: typeof run) =>
        of.flatMap(({ implId, scenario, figures }) =>
          // It divides by them.
          figures.filter(({ direction: its, value }) => its === direction && value > 0)
            .map(({ name }) => `${implId}, ${scenario}: ${name}`)
        );
      // Its step does not run.
      if (figures(next).length === 0) continue;
      const input = asWritten(benchmarksOf(next, direction));
      const baseline = asWritten(baselineOf(next, run, { direction, repositoryUrl }));
      const names = benchmarksSchema.parse(input).map(({ name }) => name);
      assertEquals(names, figures(next));
      assertEquals(new Set(names).size, names.length);
      const entries = externalDataSchema.parse(baseline).entries[suiteNames[direction]] ?? [];
      // Without a control, nothing may be compared from run to run.
      const known = figures(next.filter(({ comparableKey }) => comparableKey !== undefined));
      assertEquals(entries.flatMap(({ benches }) => benches.map(({ name }) => name)), known);
      for (const { tool, commit } of entries) {
        assertEquals(tool, tools[direction]);
        assertEquals(run.some((result) => result.commit === commit.id), false);
      }
      // The action reads null and "" as 0.
      assertEquals(/:(null|"")[,}\]]/.test(JSON.stringify([input, baseline])), false);
    }
  }
});

Deno.test("benchmarksOf() leaves out levels that the generator bounds, and invalid ones", () => {
  const atLevels = (...results: Result[]) =>
    namesOf(...results).filter((name) => name.includes("connections"));
  const ofTweaked = exampleRun(now).filter(({ impl }) => impl.id === "tweaked");
  assert(ofTweaked[0]!.levels[0]!.frame!.isGeneratorBound);
  assertEquals(atLevels(...ofTweaked), []);
  const [invalid] = exampleRun(now);
  const [repetition] = invalid!.levels[0]!.repetitions;
  delete repetition!.figures;
  repetition!.validity = {
    valid: false,
    reasons: [{ code: "failures", message: "2 % of the requests failed" }],
  };
  assertEquals(atLevels(invalid!), []);
});

Deno.test("benchmarksOf() leaves out what is absent, and all of what failed", () => {
  const [swift, even] = exampleRun(now);
  delete swift!.rateSweep;
  delete swift!.startup;
  delete swift!.levels[0]!.repetitions[0]!.observation!.resources;
  even!.status = "failed";
  even!.failure = { stage: "startup", message: "…", detail: "" };
  assertEquals(namesOf(swift!, even!), ["swift, jwt-mysql: warm goodput at 10 connections"]);
});

Deno.test("benchmarksOf() refuses one implementation twice: the action would see the first only", () => {
  const [swift] = exampleRun(now);
  const [one] = followed([swift!]);
  assertThrows(() => benchmarksOf([one!, one!], "bigger"), z.ZodError, "unique");
});

Deno.test("benchmarksSchema refuses null, an empty text and 0", () => {
  for (const value of [null, "", 0, "1"]) {
    assertEquals(benchmarksSchema.safeParse([{ name: "a", value, unit: "ms" }]).success, false);
  }
});

Deno.test("baselineOf() is the median of the last 20 earlier runs", () => {
  // Of weeks 6 to 25.
  assertEquals(sustainableIn(weeks(25)), 15_500);
  assertEquals(sustainableIn(weeks(3)), 2_000);
  assertEquals(sustainableIn([...weeks(3), ...exampleRun(runIdOf(31))]), 2_000);
});

Deno.test("baselineOf() is of one processor, one control and one profile", () => {
  for (
    const change of [
      (result: Result) => void (result.machine.cpuModel = "Another CPU"),
      (result: Result) => void (result.control = { version: "2.0.0" }),
      (result: Result) => void (result.plan.profile = "quick"),
    ]
  ) {
    const history = weeks(5, (result, week) => {
      if (week > 3) change(result);
    });
    assertEquals(sustainableIn(history), 2_000);
    const results = exampleRun(now).map((result) => {
      change(result);
      return result;
    });
    assertEquals(sustainableIn(history, results), 4_500);
  }
});

Deno.test("baselineOf() leaves out runs in which the figure is absent", () => {
  const history = weeks(5, (result, week) => {
    if (week === 5) result.rateSweep!.processes[0]!.problem = "the machine was disturbed";
    if (week === 4) result.status = "incomplete";
  });
  assertEquals(sustainableIn(history), 2_000);
});

Deno.test("baselineOf() of a first run has no entry, and neither has one of another processor", () => {
  const empty = { lastUpdate: 0, repoUrl: repositoryUrl, entries: {} };
  assertEquals(baselineIn([], "smaller"), empty);
  const others = weeks(3, ({ machine }) => machine.cpuModel = "Another CPU");
  assertEquals(baselineIn(others, "smaller"), empty);
});

Deno.test("externalDataSchema reads what the action wrote, and the baseline has its keys", async () => {
  // As a project's job left it in August 2026, with other names for the project and its people.
  const path = new URL("testdata/external-data.json", import.meta.url);
  const written: unknown = JSON.parse(await Deno.readTextFile(fromFileUrl(path)));
  const theirs = externalDataSchema.parse(written).entries["training"]![0]!;
  const ours = baselineIn(weeks(2), "smaller").entries[suiteNames.smaller]![0]!;
  const sorted = (value: object) => Object.keys(value).sort();
  assertEquals(sorted(ours), sorted(theirs));
  assertEquals(sorted(ours.commit), sorted(theirs.commit));
  assertEquals(ours.tool, theirs.tool);
  // With the id of a commit, it could be the one that is measured, with which the action never compares.
  assertEquals(ours.commit.id, `baseline of up to 20 runs until ${runIdOf(2)}`);
});

/** Compares as `addBenchmarkEntry()` and `findAlerts()` of the action's 1.22 do. */
function alertsOf(input: unknown, baseline: unknown, commit: string, direction: Direction) {
  const { entries } = externalDataSchema.parse(baseline);
  const previous = entries[suiteNames[direction]]?.findLast((entry) => entry.commit.id !== commit);
  return benchmarksSchema.parse(input).flatMap(({ name, value }) => {
    const before = previous?.benches.find((bench) => bench.name === name)?.value;
    if (before === undefined) return [];
    const ratio = direction === "bigger" ? before / value : value / before;
    return ratio > 1.05 ? [name] : [];
  });
}

Deno.test("writeBenchmarkData() writes files in which the action finds regressions", async () => {
  await using folder = await temporaryFolder();
  const publishedRuns = join(folder.path, "runs");
  for (const result of weeks(3)) {
    if (result.impl.id === "swift") result.rateSweep!.sustainablePerSecond = 2_000;
    await writeResult(publishedRuns, result);
  }
  for (const result of exampleRun(now)) {
    if (result.impl.id === "swift") {
      result.rateSweep!.sustainablePerSecond = 1_000;
      const { ratio } = result.startup!;
      result.startup!.ratio = { ...ratio!, estimate: 2 * ratio!.estimate };
    }
    await writeResult(publishedRuns, result);
  }
  const target = join(folder.path, "data");
  const options = { publishedRuns, repositoryUrl, target };
  const alerts: string[] = [];
  for (const files of await writeBenchmarkData({ "jwt-mysql": now }, options)) {
    const input = JSON.parse(await Deno.readTextFile(files.inputPath));
    const baseline = JSON.parse(await Deno.readTextFile(files.baselinePath));
    alerts.push(...alertsOf(input, baseline, "0".repeat(40), files.direction));
  }
  assertEquals(alerts, [
    "swift, jwt-mysql: highest sustainable rate",
    "swift, jwt-mysql: startup",
  ]);
});

Deno.test("writeBenchmarkData() compares each scenario with its own runs", async () => {
  await using folder = await temporaryFolder();
  const publishedRuns = join(folder.path, "runs");
  const inHello = (result: Result, runId: string) => ({ ...result, runId, scenario: "hello" });
  const publish = async (runId: string, helloId: string, sustainable: number) => {
    const [swift] = exampleRun(runId);
    await writeResult(publishedRuns, swift!);
    swift!.rateSweep!.sustainablePerSecond = sustainable;
    await writeResult(publishedRuns, inHello(swift!, helloId));
  };
  const helloNow = now.replace("00Z", "01Z");
  for (const week of [1, 2, 3]) {
    await publish(runIdOf(week), runIdOf(week).replace("00Z", "01Z"), 4_000);
  }
  await publish(now, helloNow, 1_000);
  const runIds = { "jwt-mysql": now, hello: helloNow };
  const target = join(folder.path, "data");
  const [bigger] = await writeBenchmarkData(runIds, { publishedRuns, repositoryUrl, target });
  const input = JSON.parse(await Deno.readTextFile(bigger!.inputPath));
  const baseline = JSON.parse(await Deno.readTextFile(bigger!.baselinePath));
  assertEquals(benchmarksSchema.parse(input).length, 4);
  const alerts = alertsOf(input, baseline, "0".repeat(40), "bigger");
  assertEquals(alerts, ["swift, hello: highest sustainable rate"]);
});

Deno.test("writeBenchmarkData() writes nothing for a direction without a figure", async () => {
  await using folder = await temporaryFolder();
  const [swift] = exampleRun(now);
  swift!.status = "failed";
  swift!.failure = { stage: "build", message: "…", detail: "" };
  await writeResult(folder.path, swift!);
  const options = { publishedRuns: folder.path, repositoryUrl, target: join(folder.path, "data") };
  assertEquals(await writeBenchmarkData({ "jwt-mysql": now }, options), []);
});
