/**
 * Derive: what does the site need to know beyond the files of results? Takes the runs, the measurements of
 * noise and the claims; writes small files for Hugo, which only formats: `claims.json` (`JudgedClaims`),
 * `noise.json` (`DerivedNoise[]`, newest first) and `runs/<run-id>.json` (`DerivedRun`). A run is derived once.
 */
import { join } from "@std/path";
import { z } from "zod";
import { judgeClaims } from "./claims.ts";
import { readClaims } from "./claims_file.ts";
import { exists } from "./cache.ts";
import { deriveRun, deriveVersion } from "./derive_run.ts";
import { readNoise } from "./derive_noise.ts";
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

/**
 * Writes what the site shows beside the results.
 *
 * @throws {BenchError} when a file is damaged.
 */
export async function deriveSite(options: DeriveOptions): Promise<void> {
  const { publishedRuns, localRuns, noiseFolder, claimsPath, target } = options;
  const claims = await readClaims(claimsPath);
  const published = await listRunIds(publishedRuns);
  const local = localRuns === undefined ? [] : await listRunIds(localRuns);
  const derivedRuns = join(target, "runs");
  await discardOtherVersions(target, derivedRuns);
  for (const runId of published) await deriveIfChanged(runId, publishedRuns, derivedRuns);
  for (const runId of local) {
    if (!published.includes(runId)) await deriveIfChanged(runId, localRuns!, derivedRuns);
  }
  const tested = await findTestingRun(published, derivedRuns);
  const results = tested === undefined ? [] : await readRun(publishedRuns, tested);
  await writeJson(join(target, "claims.json"), judgeClaims(claims, results));
  await writeJson(join(target, "noise.json"), await readNoise(noiseFolder));
}

async function discardOtherVersions(target: string, derivedRuns: string): Promise<void> {
  const path = join(target, "version");
  const version = await Deno.readTextFile(path).catch(() => undefined);
  if (version === String(deriveVersion)) return;
  if (await exists(derivedRuns)) await Deno.remove(derivedRuns, { recursive: true });
  await writeAtomically(path, String(deriveVersion));
}

/** Derives a run unless that was done since the newest of its files was written. */
async function deriveIfChanged(runId: string, runs: string, derivedRuns: string): Promise<void> {
  const changed = await newestChange(join(runs, runId));
  // A local run that has only just begun.
  if (changed === undefined) return;
  const path = join(derivedRuns, `${runId}.json`);
  const derived = await changeOf(path);
  if (derived?.getTime() === changed.getTime()) return;
  await writeJson(path, deriveRun(await readRun(runs, runId)));
  // The time of what was read, not of now: a result that was written meanwhile counts as a change.
  await Deno.utime(path, changed, changed);
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

const testingSchema = z.object({
  profile: z.string(),
  levels: z.array(z.object({ pairs: z.array(z.unknown()) })),
});

/** Returns the newest full run in which two were compared; where there is none, the newest full run. */
async function findTestingRun(
  published: string[],
  derivedRuns: string,
): Promise<string | undefined> {
  let newestFull: string | undefined;
  for (const runId of published.toReversed()) {
    const { profile, levels } = testingSchema.parse(
      JSON.parse(await Deno.readTextFile(join(derivedRuns, `${runId}.json`))),
    );
    if (profile !== "full") continue;
    if (levels.some(({ pairs }) => pairs.length > 0)) return runId;
    newestFull ??= runId;
  }
  return newestFull;
}

async function writeJson(path: string, value: unknown): Promise<void> {
  await writeAtomically(path, JSON.stringify(value) + "\n");
}
