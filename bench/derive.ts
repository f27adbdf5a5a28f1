/**
 * Derive: what does the site show? Takes the runs, the measurements of noise and the claims; writes files for
 * Hugo, which only formats. In `data/`, which Hugo holds all at once: `index.json` (`RunSummary[]`, newest
 * first), `claims.json` (`JudgedClaims`) and `noise.json` (`DerivedNoise[]`, newest first). In `assets/`, which
 * it reads for the page that needs it: `runs/<run-id>.json` (`RunPage`). A run is derived once.
 */
import { join } from "@std/path";
import { judgeClaims } from "./claims.ts";
import { readClaims } from "./claims_file.ts";
import { exists } from "./cache.ts";
import { readNoise } from "./derive_noise.ts";
import { type SlimResult, slimResult } from "./derive_page.ts";
import { type DerivedRun, deriveRun, deriveVersion } from "./derive_run.ts";
import { type RunSummary, summariseRun } from "./derive_summary.ts";
import { listRunIds, readRun } from "./write.ts";
import { writeAtomically } from "./write_atomically.ts";

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
export interface RunPage extends RunSummary, DerivedRun {
  results: SlimResult[];
}

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
  const tested = index.find((run) => run.tests && !run.local) ??
    index.find(({ profile, local }) => profile === "full" && !local);
  const results = tested === undefined ? [] : await readRun(publishedRuns, tested.id);
  await writeJson(join(target, "data", "index.json"), index);
  await writeJson(join(target, "data", "claims.json"), judgeClaims(claims, results));
  await writeJson(join(target, "data", "noise.json"), await readNoise(noiseFolder));
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
 * Derives a run unless that was done since the newest of its files was written, and returns its summary;
 * undefined for a local run that has only just begun.
 */
async function deriveIfChanged(
  { id, folder, local }: FoundRun,
  target: string,
): Promise<RunSummary | undefined> {
  const changed = await newestChange(join(folder, id));
  if (changed === undefined) return undefined;
  const path = join(target, "summaries", `${id}.json`);
  const derived = await changeOf(path);
  if (derived?.getTime() === changed.getTime()) {
    return JSON.parse(await Deno.readTextFile(path));
  }
  const results = await readRun(folder, id);
  const summary = summariseRun(results, local);
  const page: RunPage = { ...summary, ...deriveRun(results), results: results.map(slimResult) };
  await writeJson(join(target, "assets", "runs", `${id}.json`), page);
  // The last of its files: where it is new, they all are.
  await writeJson(path, summary);
  // The time of what was read, not of now: a result that was written meanwhile counts as a change.
  await Deno.utime(path, changed, changed);
  return summary;
}

async function newestChange(folder: string): Promise<Date | undefined> {
  let newest: Date | undefined;
  for await (const { name } of Deno.readDir(folder)) {
    if (!name.endsWith(".json")) continue;
    const change = await changeOf(join(folder, name));
    if (newest === undefined || (change !== undefined && change > newest)) newest = change;
  }
  return newest;
}

async function changeOf(path: string): Promise<Date | undefined> {
  try {
    return (await Deno.stat(path)).mtime ?? undefined;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeAtomically(path, JSON.stringify(value) + "\n");
}
