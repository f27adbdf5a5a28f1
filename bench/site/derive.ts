/**
 * Derive: what does the site show? Takes the runs, the measurements of noise and the claims; writes files for Hugo,
 * which only formats: into `data/` what it holds for all pages at once, into `assets/` what it reads for the page that
 * needs it, into `static/` the pictures and what is for other programs. The comment of each type names its file.
 * Nothing is kept from one time to the next.
 */
import { join } from "@std/path";
import { answerViews } from "./answer/answers.ts";
import type { AnswerView, ScenarioAnswer } from "./answer/view.ts";
import { writeExports } from "./api/files.ts";
import { writeCards, writeClaimCards, writePairCards } from "./cards.ts";
import { changesFeed } from "./changes/feed.ts";
import { foundChanges } from "./changes/found.ts";
import { nextRuns } from "./changes/schedule.ts";
import { judgeClaims } from "./claims/claims.ts";
import { readClaims } from "./claims/file.ts";
import { testedRuns } from "./claims/tested_runs.ts";
import { deriveControl } from "./control.ts";
import { emptyDerived, type WriteDerived } from "./derived_files.ts";
import { type KeptRun, writeRun } from "./derived_run.ts";
import { historyFeed } from "./history/feed.ts";
import { deriveHelloShares } from "./hello_shares.ts";
import { joinHistories, summariseHistory } from "./history/join.ts";
import { groupImpls, listImpls } from "./impl_groups.ts";
import { type CurrentRun, runIdsOf } from "./current_run.ts";
import { readCurrent } from "./read_current.ts";
import { pairChoice, pairViews } from "./answer/pair_views.ts";
import { sideBySide } from "./answer/side_by_side.ts";
import type { ListedPair, PairChoice } from "./answer/pair_view.ts";
import { latestRun } from "./latest_run.ts";
import { headlineOf, standingOverRuns } from "./headline.ts";
import { type Marks, marksWith } from "./marks.ts";
import { withSteps } from "./pair_steps.ts";
import { type PictureFiles, pictureFiles } from "./pictures/files.ts";
import { writeIcons } from "./pictures/icons.ts";
import { keptPngRenderer } from "./pictures/kept_png.ts";
import { falseAlarmsOf, readNoise } from "./noise.ts";
import { deriveOverRuns } from "./over_runs.ts";
import { runFinding } from "./run/finding.ts";
import type { RunSummary } from "./run_summary.ts";
import { deriveScenarios } from "./scenarios.ts";
import { firstsOf } from "../results/replicas.ts";
import { listJsonFiles, listRunIds, readRun } from "../results/store.ts";
import { scenarioIds } from "../scenario/ids.ts";

/** Options for {@linkcode deriveSite}. */
export interface DeriveOptions {
  publishedRuns: string;
  /** Runs of this machine; a published one of the same id comes before. */
  localRuns?: string;
  noiseFolder: string;
  claimsPath: string;
  /** The workflow that measures, whose schedule the site shows. */
  workflowPath: string;
  /** The folder to write into. */
  target: string;
}

/** How many of the next scheduled runs the site names. */
const shownNextRuns = 3;

/**
 * Writes what the site shows.
 *
 * @throws {BenchError} when a file is damaged.
 */
export async function deriveSite(options: DeriveOptions): Promise<void> {
  const { publishedRuns, localRuns, noiseFolder, claimsPath, workflowPath, target } = options;
  const claims = await readClaims(claimsPath);
  const write = await emptyDerived(target);
  await using renderer = keptPngRenderer();
  const files = pictureFiles(write, renderer);
  await writeIcons(renderer, write);
  const found = await findRuns(publishedRuns, localRuns);
  const runs: KeptRun[] = [];
  let marks: Marks = new Map();
  const names = new Map<string, string>();
  // The oldest first: what a run says of several processors rests on those before it, as do the marks.
  for (const { id, folder, local } of found.toReversed()) {
    const results = await readRun(folder, id);
    const ofScenario = runs.filter(({ summary }) => summary.scenario === results[0]?.scenario);
    const earlier = ofScenario
      .filter(({ summary }) => summary.reproduces === undefined && (local || !summary.local))
      .map(({ facts }) => facts);
    marks = marksWith(marks, results);
    for (const { impl } of results) names.set(impl.id, impl.name);
    const [before] = ofScenario;
    runs.unshift(await writeRun(results, { local, earlier, before, marks, write, files }));
  }
  const noise = await readNoise(noiseFolder, names);
  const index = runs.map(({ summary }) => summary);
  // With an article's settings, a run is shown by itself: nothing follows from it for others.
  const ours = runs.filter(({ summary }) => summary.reproduces === undefined);
  const ranked = ours.map(({ summary }) => summary);
  // What is shown of several runs has one name for each implementation, its newest.
  const readSummarised = async ({ id }: RunSummary) => {
    const results = await readRun(found.find((run) => run.id === id)!.folder, id);
    return results.map((result) => ({
      ...result,
      impl: { ...result.impl, name: names.get(result.impl.id)! },
    }));
  };

  const published = ours.filter(({ summary }) => !summary.local).map(({ facts }) => facts);
  const tested = await Promise.all(
    scenarioIds.flatMap((scenario) => testedRuns(ranked, scenario, claims)).map(async (
      summary,
    ) => ({
      results: firstsOf(await readSummarised(summary)),
      runs: published.slice(published.findIndex(({ runId }) => runId === summary.id)),
    })),
  );
  const current = await Promise.all(
    scenarioIds.flatMap((scenario) => latestRun(ranked, scenario) ?? []).map((latest) =>
      readCurrent(latest, {
        facts: latest.run.local ? ours.map(({ facts }) => facts) : published,
        read: readSummarised,
      })
    ),
  );
  const falseAlarms = falseAlarmsOf(noise);
  const answers = answerViews(current, marks, falseAlarms, index);

  await write("data/index.json", index);
  await write("data/current.json", currentRuns(ranked));
  const reproductions = index.filter((run) => run.reproduces !== undefined && !run.local);
  const reproduced = await Promise.all(reproductions.map(readSummarised));
  const judged = judgeClaims(claims, tested, reproduced.flat());
  await write("data/claims.json", judged);
  await writeClaimCards(judged, files);
  await write("data/noise.json", noise);
  await write("data/false_alarms.json", falseAlarms);
  await write("data/over_runs.json", deriveOverRuns(published, scenarioIds));
  await write("data/hello_shares.json", deriveHelloShares(current.flatMap(({ all }) => all)));
  await write("data/scenarios.json", await deriveScenarios());
  await write("data/control.json", deriveControl(current));
  await writeAnswers(answers, write);
  await writeCards(current, { views: answers, marks, files, write });
  const others = ranked.filter(({ local }) => !local);
  await writePairs(current, answers, { runs: others, marks, write, files });
  const findings = new Map(
    current.filter(({ results }) => runIdsOf(results).length > 1)
      .map((run) => [run.api.scenario, findingOf(run, answers)]),
  );
  await writeExports(runs, { current, findings }, write);
  await writeChanges(runs, write);
  const workflow = { path: workflowPath, text: await Deno.readTextFile(workflowPath) };
  await write("data/next_runs.json", await nextRuns(workflow, new Date(), shownNextRuns));
  await writeHistories(ours, answers, write);
  await files.finish();
}

/** Returns what a run with comparisons found over all that completes it, in a sentence without its period. */
function findingOf({ api, known }: CurrentRun, views: readonly AnswerView[]): string {
  const headline = headlineOf(api, (connections) => standingOverRuns(known, connections));
  const { answer } = views.find(({ scenario }) => scenario === api.scenario)!;
  return runFinding(headline, { answer, loadsFinding: answer });
}

/** Writes each view, and what Hugo must know of all of them to make their pages. */
async function writeAnswers(views: AnswerView[], write: WriteDerived): Promise<void> {
  const ofScenario: Record<string, ScenarioAnswer> = {};
  for (const view of views) {
    const { scenario, figure, address, answer, connections } = view;
    await write(`assets/${address || "answers/"}view.json`, view);
    // The level that is shown first comes first.
    if (figure === "throughput") ofScenario[scenario] ??= { address, answer, connections };
  }
  await write("data/scenario_answers.json", ofScenario);
  await write(
    "data/answers.json",
    views.filter(({ address }) => address !== "").map((view) => {
      const { scenario, connections, address, question, answer } = view;
      return { scenario, connections, address, question, answer };
    }),
  );
}

/** Writes the page of each pair of the current runs, and what Hugo must know of all of them. */
async function writePairs(
  current: CurrentRun[],
  answers: AnswerView[],
  { runs, marks, write, files }: {
    runs: readonly RunSummary[];
    marks: Marks;
    write: WriteDerived;
    files: PictureFiles;
  },
): Promise<void> {
  const listed: ListedPair[] = [];
  const choices: PairChoice[] = [];
  for (const run of current) {
    const { scenario } = run.api;
    const views = answers.filter((view) => view.scenario === scenario);
    const pairs = pairViews(run, { views, marks, runs }).map((pair) => withSteps(pair, run));
    await writePairCards(pairs, { run, views, files });
    const choice = pairChoice(run, pairs, views);
    if (choice !== undefined) choices.push(choice);
    for (const pair of pairs) {
      const { address, question, answer, impls } = pair;
      await write(`assets/${address}view.json`, pair);
      listed.push({ scenario, address, question, answer, impls: impls.map(({ id }) => id) });
    }
  }
  await write("data/pairs.json", listed);
  await write("data/pair_choices.json", choices);
}

/** Returns the ids of the current run and of those that complete it, of each scenario that has a published full one. */
function currentRuns(index: RunSummary[]): Record<string, string[]> {
  const full = index.filter(({ profile, local }) => profile === "full" && !local);
  return Object.fromEntries(scenarioIds.flatMap((scenario) => {
    const current = latestRun(full, scenario);
    if (current === undefined) return [];
    const runs = [current.run, ...current.completedBy.map(({ run }) => run)];
    return [[scenario, runs.map(({ id }) => id)]];
  }));
}

/** Writes what published runs found to have changed, and the feed of it. */
async function writeChanges(runs: KeptRun[], write: WriteDerived): Promise<void> {
  const published = runs.filter(({ summary }) => !summary.local);
  const commits = new Map(published.map(({ summary }) => [summary.id, summary.commit]));
  const changes = foundChanges(published.map(({ summary, changes }) => ({
    summary,
    changes,
    commitBefore: changes.before && commits.get(changes.before.runId),
  })));
  await write("data/changes.json", changes);
  await write("data/changes_feed.json", changesFeed(changes));
}

async function writeHistories(
  runs: KeptRun[],
  views: AnswerView[],
  write: WriteDerived,
): Promise<void> {
  const histories = joinHistories(
    runs.toReversed().map(({ summary, entries }) => ({ local: summary.local, entries })),
  );
  for (const history of histories) {
    await write(`assets/${history.address.replace(/\/$/, "")}.json`, history);
    await write(`assets/feeds/${history.address}feed.json`, historyFeed(history));
  }
  const summaries = histories.map(summariseHistory);
  await write("data/impls.json", summaries);
  const listed = listImpls(summaries);
  await write("data/impl_list.json", listed);
  await write("data/side_by_side.json", sideBySide(views, listed));
  await write("data/impl_groups.json", groupImpls(summaries));
}

/** The folder of a run. */
interface FoundRun {
  id: string;
  folder: string;
  local: boolean;
}

/** Returns every run that has a result, the newest first. */
async function findRuns(publishedRuns: string, localRuns?: string): Promise<FoundRun[]> {
  const published = await listRunIds(publishedRuns);
  const local = localRuns === undefined ? [] : await listRunIds(localRuns);
  const runs = [
    ...published.map((id) => ({ id, folder: publishedRuns, local: false })),
    ...local.filter((id) => !published.includes(id))
      .map((id) => ({ id, folder: localRuns!, local: true })),
  ].sort((a, b) => a.id < b.id ? 1 : -1);
  // A local run that has only just begun has none.
  const names = await Promise.all(runs.map(({ folder, id }) => listJsonFiles(join(folder, id))));
  return runs.filter((_, index) => names[index]!.length > 0);
}
