/**
 * Derive: what does the site show? Takes the runs, the measurements of noise and the claims; writes files for
 * Hugo, which only formats. In `data/`, which Hugo holds all at once: `index.json` (`RunSummary[]`, newest
 * first), `impls.json` (`ImplSummary[]`), `scenarios.json` (`DerivedScenario[]`), `claims.json` (`JudgedClaims`)
 * and `noise.json` (`DerivedNoise[]`, newest first). In `assets/`, which it reads for the page that needs it:
 * `runs/<run-id>.json` (`RunPage`), `compare/<run-id>.json` (`ComparePage`), `warm-ups/<run-id>.json` and
 * `impls/<id>.json` (`DerivedHistory`). A run is derived once. Beside them, what `derive_changes_files.ts` and
 * `derive_exports_files.ts` write.
 */
import { join } from "@std/path";
import { judgeClaims } from "./claims/claims.ts";
import { readClaims } from "./claims/file.ts";
import { exists } from "../lib/cache.ts";
import { changeFactsOf } from "./changes/facts.ts";
import { changeFactsPath, writeChanges } from "./changes/files.ts";
import { writeExports, writeRunExports } from "./api/files.ts";
import { deriveCompare, type DerivedCompare } from "./pairs.ts";
import { historyEntries, type HistoryEntry } from "./history/entries.ts";
import { joinHistories, summariseHistory } from "./history/join.ts";
import { latestRun } from "./latest_run.ts";
import { readNoise } from "./noise.ts";
import { type ShownRun, showRun } from "./run/page.ts";
import { type DerivedRun, deriveRun, deriveVersion } from "./ranking.ts";
import { deriveScenarios } from "./scenarios.ts";
import { type RunSummary, summariseRun } from "./run_summary.ts";
import { deriveWarmUps } from "./warm_up_curves.ts";
import { listRunIds, readRun } from "../results/store.ts";
import { writeAtomically } from "../lib/write_atomically.ts";
import { writeIfChanged } from "../lib/write_if_changed.ts";

/** Options for {@linkcode deriveSite}. */
export interface DeriveOptions {
  publishedRuns: string;
  /** Runs of this machine; a published one of the same id comes before. */
  localRuns?: string;
  noiseFolder: string;
  claimsPath: string;
  /** The folder to write into. */
  target: string;
}

/** What the page of a run is made from. */
export interface RunPage extends RunSummary, DerivedRun, ShownRun {}

/** What the page of a run's comparisons is made from. */
export interface ComparePage extends RunSummary, DerivedCompare {}

/**
 * Writes what the site shows.
 *
 * @throws {BenchError} when a file is damaged.
 */
export async function deriveSite(options: DeriveOptions): Promise<void> {
  const { publishedRuns, localRuns, noiseFolder, claimsPath, target } = options;
  const claims = await readClaims(claimsPath);
  await discardOtherVersions(target);
  const runs = await findRuns(publishedRuns, localRuns);
  const index: RunSummary[] = [];
  for (const run of runs) {
    const summary = await deriveIfChanged(run, target);
    if (summary !== undefined) index.push(summary);
  }
  index.reverse();
  const tested = latestRun(index.filter((run) => run.tests && !run.local)) ??
    index.find(({ profile, local }) => profile === "full" && !local);
  const results = tested === undefined ? [] : await readRun(publishedRuns, tested.id);
  await writeJson(join(target, "data", "index.json"), index);
  await writeJson(join(target, "data", "claims.json"), judgeClaims(claims, results));
  await writeJson(join(target, "data", "noise.json"), await readNoise(noiseFolder));
  await writeChanges(index, target);
  await writeExports(index, target);
  await writeJson(join(target, "data", "scenarios.json"), await deriveScenarios());
  await writeHistories(index, target);
}

/** Writes the history of each implementation; takes the runs, the newest first. */
async function writeHistories(runs: RunSummary[], target: string): Promise<void> {
  const entries: Parameters<typeof joinHistories>[0] = [];
  for (const { id, local } of runs.toReversed()) {
    const text = await Deno.readTextFile(join(target, "entries", `${id}.json`));
    const ofRun: HistoryEntry[] = JSON.parse(text);
    entries.push({ local, entries: ofRun });
  }
  const histories = joinHistories(entries);
  for (const history of histories) {
    await writeJson(join(target, "assets", "impls", `${history.id}.json`), history);
  }
  await writeJson(join(target, "data", "impls.json"), histories.map(summariseHistory));
}

/** Where a run is read from. */
interface FoundRun {
  id: string;
  folder: string;
  local: boolean;
}

/** Returns every run, the oldest first. */
async function findRuns(publishedRuns: string, localRuns?: string): Promise<FoundRun[]> {
  const published = await listRunIds(publishedRuns);
  const local = localRuns === undefined ? [] : await listRunIds(localRuns);
  return [
    ...published.map((id) => ({ id, folder: publishedRuns, local: false })),
    ...local.filter((id) => !published.includes(id))
      .map((id) => ({ id, folder: localRuns!, local: true })),
  ].sort((a, b) => a.id < b.id ? -1 : 1);
}

async function discardOtherVersions(target: string): Promise<void> {
  const path = join(target, "version");
  const version = await Deno.readTextFile(path).catch(() => undefined);
  if (version === String(deriveVersion)) return;
  if (await exists(target)) await Deno.remove(target, { recursive: true });
  await writeAtomically(path, String(deriveVersion));
}

/**
 * Derives a run unless that was done from the same files, and returns its summary; undefined for a local run
 * that has only just begun.
 */
async function deriveIfChanged(
  { id, folder, local }: FoundRun,
  target: string,
): Promise<RunSummary | undefined> {
  const files = await listResults(join(folder, id));
  if (files.length === 0) return undefined;
  const source = JSON.stringify([local, ...files]);
  const path = join(target, "summaries", `${id}.json`);
  const before = await readIfThere<KeptSummary>(path);
  if (before?.source === source) return before.summary;
  const results = await readRun(folder, id);
  const summary = summariseRun(results, local);
  const derived = deriveRun(results);
  const page: RunPage = { ...summary, ...derived, ...showRun(results) };
  const compare: ComparePage = { ...summary, ...deriveCompare(results, derived) };
  await writeJson(join(target, "assets", "runs", `${id}.json`), page);
  await writeJson(join(target, "assets", "compare", `${id}.json`), compare);
  await writeJson(changeFactsPath(target, id), changeFactsOf(results));
  await writeRunExports(results, page, target);
  await writeJson(join(target, "assets", "warm-ups", `${id}.json`), deriveWarmUps(results));
  await writeJson(join(target, "entries", `${id}.json`), historyEntries(results, page));
  // The last of its files: where it is new, they all are.
  const kept: KeptSummary = { source, summary };
  await writeJson(path, kept);
  return summary;
}

/** What is kept of a run, and from which files it was made. */
interface KeptSummary {
  source: string;
  summary: RunSummary;
}

/** Returns name, time and size of each result of a run, as they are before it is read: in the order of names. */
async function listResults(folder: string): Promise<[name: string, ms: number, bytes: number][]> {
  const files: [string, number, number][] = [];
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".json") || name.startsWith(".")) continue;
    const { mtime, size } = await Deno.stat(join(folder, name));
    files.push([name, mtime?.getTime() ?? 0, size]);
  }
  return files.sort(([a], [b]) => a < b ? -1 : 1);
}

async function readIfThere<T>(path: string): Promise<T | undefined> {
  try {
    return JSON.parse(await Deno.readTextFile(path));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeIfChanged(path, JSON.stringify(value) + "\n");
}
