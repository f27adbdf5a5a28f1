import { assert, assertEquals, assertMatch } from "@std/assert";
import { answerViews } from "./answer/answers.ts";
import { pairViews } from "./answer/pair_views.ts";
import { headlineOf, standingOverRuns } from "./headline.ts";
import { latestRun } from "./latest_run.ts";
import { marksWith } from "./marks.ts";
import { readCurrent } from "./read_current.ts";
import { summariseRun } from "./run_summary.ts";
import { comparedRunOf } from "../results/compared_run.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleRun } from "../testing/example_run.ts";

const [older, newer] = ["20260105T000000Z-0000005", "20260106T000000Z-0000006"];

/** Makes a full run of some implementations, or of all. */
function runOf(runId: string, { draw = 0, ids }: { draw?: number; ids?: string[] } = {}): Result[] {
  return exampleRun(runId, draw).filter(({ impl }) => ids?.includes(impl.id) ?? true).map((
    result,
  ) => ({
    ...result,
    startedAt: `2026-01-0${runId.slice(7, 8)}T00:00:00.000Z`,
    plan: { ...result.plan, profile: "full" },
    provenance: { ...result.provenance, commit: runId.slice(-7) },
  }));
}

/** Reads the current run of these, the newest first. */
async function currentOf(...all: Result[][]) {
  const index = all.map((results) => summariseRun(results, false));
  const latest = latestRun(index, "jwt-mysql")!;
  const run = await readCurrent(latest, {
    facts: all.map(comparedRunOf),
    read: ({ id }) => Promise.resolve(all.find(([first]) => first!.runId === id)!),
  });
  const marks = marksWith(new Map(), run.results);
  return { run, marks, views: answerViews([run], marks, [], index) };
}

const whole = runOf(older!);
const one = runOf(newer!, { draw: 1, ids: ["swift"] });

Deno.test("readCurrent() takes the newest result of each implementation, and no result twice", async () => {
  const { run } = await currentOf(one, whole);
  assertEquals(
    run.api.impls.map(({ id, runId }) => [id, runId]),
    [["even", older], ["freezing", older], ["swift", newer], ["tweaked", older]],
  );
  assertEquals([run.api.id, run.api.startedAt], [newer, "2026-01-06T00:00:00.000Z"]);
  const { ratios, pairs } = standingOverRuns(run.known, 10);
  // Only of Swift is there an earlier result that is not in it.
  assertEquals([...ratios].map(([id, { runs }]) => [id, runs]).sort(), [
    ["even", 1],
    ["freezing", 1],
    ["swift", 2],
    ["tweaked", 1],
  ]);
  assertEquals(pairs.length, 3);
});

Deno.test("readCurrent() has ratios that no interval over runs is claimed for, where each is of one run", async () => {
  const others = whole.filter(({ impl }) => impl.id !== "swift");
  const { run, views } = await currentOf(one, others);
  const { classes, interval } = headlineOf(run.api, (at) => standingOverRuns(run.known, at));
  assertEquals(interval, "interval over rounds, not runs");
  assert(classes[0]!.lead!.endsWith("; interval over rounds, not runs)."), classes[0]!.lead);
  // The leader is of one run, and the next of another: their rates do not compare.
  assertMatch(classes[0]!.lead!, /warm ratio to the control is/);
  assertMatch(views[0]!.answer, /ratio to the control is/);
  assert(views[0]!.facts.includes("95 % interval over rounds, not runs"), views[0]!.facts.join());
  assertEquals(views[0]!.facts[0], "5 January 2026 and 6 January 2026");
});

Deno.test("readCurrent() has a pair that no run has both of over the runs of each, where runs tell how far they differ", async () => {
  const [first, second, third] = [newer!, "20260107T000000Z-0000007", "20260108T000000Z-0000008"];
  const both = ["freezing", "swift"];
  const { run } = await currentOf(
    runOf(third!, { draw: 3, ids: ["even"] }),
    runOf(second!, { draw: 2, ids: both }),
    runOf(first, { draw: 1, ids: both }),
    runOf(older!, { ids: ["even", "tweaked"] }),
  );
  const { pairs } = standingOverRuns(run.known, 10);
  const known = pairs.map(({ a, b, ratio }) => [[a, b].sort().join(), ratio.runs]);
  assertEquals(known.sort(), [["even,freezing", 2], ["even,swift", 2], ["freezing,swift", 2]]);
  // The run alone knows nothing of others.
  const alone = run.api.pairs!.find(({ a, b }) => [a, b].sort().join() === "even,swift")!;
  const over = pairs.find(({ a, b }) => [a, b].sort().join() === "even,swift")!;
  const width = ({ low, high }: { low: number; high: number }) => Math.log(high / low);
  assert(width(over.ratio) > width(alone.ratio));
});

Deno.test("readCurrent() leads from each row to the run that it is from, and repeats its commit", async () => {
  const { views } = await currentOf(one, whole);
  for (const { runIds, data, groups, commit } of views) {
    assertEquals([runIds, data], [[newer, older], "api/latest.json"]);
    const rows = groups.flatMap(({ rows }) => rows);
    for (const { id, runId } of rows) assertEquals(runId, id === "swift" ? newer : older, id);
    assertEquals(commit, rows[0]!.id === "swift" ? "0000006" : "0000005");
  }
});

Deno.test("readCurrent() has pairs that name the run of each, of which none is its own other run", async () => {
  const { run, marks, views } = await currentOf(one, whole);
  const runs = [one, whole].map((results) => summariseRun(results, false));
  const pairs = pairViews(run, { views, marks, runs });
  const runsOf = (a: string, b: string) =>
    pairs.find(({ impls }) => [a, b].every((id) => impls.some((impl) => impl.id === id)))!;
  assertEquals(runsOf("even", "freezing").runIds, [older]);
  const { runIds, impls, throughput } = runsOf("even", "swift");
  assertEquals(runIds, [newer, older]);
  assert(throughput!.levels.length > 0);
  assertEquals(impls.map(({ id, runId, otherRun }) => [id, runId, otherRun]), [
    ["even", older, undefined],
    ["swift", newer, older],
  ]);
});

Deno.test("readCurrent() takes no result that was measured otherwise, and none that is newer for an earlier one", async () => {
  const newest = runOf("20260107T000000Z-0000007", { draw: 2, ids: ["swift"] });
  const otherKernel = runOf(newer!, { draw: 1, ids: ["even"] }).map((result) => ({
    ...result,
    machine: { ...result.machine, kernel: "another" },
  }));
  const { run, views } = await currentOf(newest, otherKernel, whole);
  assertEquals(run.api.impls.find(({ id }) => id === "even")!.runId, older);
  assertEquals(standingOverRuns(run.known, 10).ratios.get("even")!.runs, 1);
  assertEquals(views[0]!.measuredAgain, "1 of these 4 implementations measured again later");
});
