import { join } from "@std/path";
import { BenchError, messageOf } from "./error.ts";
import { exists } from "./exists.ts";
import { holdLock, tryHoldLock } from "./lock.ts";
import type { Report } from "./report.ts";

/** What creating a cache entry needs: a report, a signal, and the environment with the cache and programs. */
export interface MakeOptions {
  report: Report;
  signal: AbortSignal;
  env: Record<string, string>;
}

/** Who is told that another process is at work, and may stop waiting for it. */
export type Waiter = Pick<MakeOptions, "report" | "signal">;

/** What nobody has used for so long is removed: a kept folder when another of its family is made. */
export const keptMs = 30 * 24 * 3_600_000;

/** Returns this user's cache folder, which has the tools and whatever is expensive to create. */
export function cacheFolder(env: Record<string, string>): string {
  return env.BACKBENCH_CACHE ||
    join(env.XDG_CACHE_HOME || join(env.HOME ?? "", ".cache"), "backbench");
}

/**
 * Returns the folder `name` in `cache`. If it is missing, `make` fills a staging folder and returns the part to keep,
 * which is then renamed, so that an interruption leaves nothing that looks complete. Earlier versions of it (see
 * {@linkcode familyOf}) are then removed, unless they were used within 30 days.
 *
 * @throws {BenchError} when the cache cannot be written.
 * @throws the reason of the waiter's signal when that aborts the waiting.
 */
export async function keepFolder(
  cache: string,
  name: string,
  make: (staging: string) => Promise<string>,
  waiter?: Waiter,
): Promise<string> {
  const path = join(cache, name);
  if (!await exists(path)) {
    await inStaging(cache, name, async (staging) => {
      // Another process may have made it meanwhile.
      if (await exists(path)) return;
      await Deno.rename(await make(staging), path);
      const family = familyOf(name);
      if (family === undefined) return;
      const isVersion = (other: string) => familyOf(other) === family;
      // What cannot be removed stays: whoever asked has what it needs.
      await removeUnused(cache, keptMs, isVersion).catch(() => {});
    }, waiter);
  }
  // Where this user may only read the cache, its owner decides what stays.
  await Deno.utime(path, new Date(), new Date()).catch(() => {});
  return path;
}

/**
 * Names of kept folders: what is in it, then a version, a digest or both (`uv-0.13.9`, `launcher-0a1b2c3d4e5f`,
 * `mysql-data-9.7.4-2-0a1b2c3d4e5f`).
 */
const keptName = /^([a-z]+(?:-[a-z]+)*)-(?:(?:\d.*-)?[0-9a-f]{12}|\d+(?:\.\d+)+)$/;

/** Returns what a kept folder shares with its other versions; undefined where a name is none of a kept folder. */
function familyOf(name: string): string | undefined {
  return keptName.exec(name)?.[1];
}

/**
 * Does `work` in an empty folder of `cache`, which is removed afterwards. If another process is at work on `name`, this
 * one waits, because two builds at once take twice as long. Folders of processes that were killed are removed.
 *
 * @throws as {@linkcode keepFolder}.
 */
export async function inStaging<Made>(
  cache: string,
  name: string,
  work: (staging: string) => Promise<Made>,
  { report, signal }: Partial<Waiter> = {},
): Promise<Made> {
  const asUnusable = (cause: unknown): never => {
    signal?.throwIfAborted();
    throw new BenchError(`Cannot make "${name}" in "${cache}": ${messageOf(cause)}`, {
      help: "Make room, or let BACKBENCH_CACHE name a folder that you may write to.",
      cause,
    });
  };
  await using _lock = await holdLock(lockPath(cache, name), {
    onWait: () => report?.line(`Waiting for another process, which is making ${name}`),
    signal,
  }).catch(asUnusable);
  await removeLeftBehind(cache, name);
  const staging = await Deno.makeTempDir({ dir: cache, prefix: `staging-${name}-` })
    .catch(asUnusable);
  try {
    return await work(staging);
  } finally {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
  }
}

/** Returns the path of the lock that a process holds while it makes or uses what has that name. */
export function lockPath(cache: string, name: string): string {
  return join(cache, `${name}.lock`);
}

/** Removes staging folders of processes that have ended: nobody but this process holds the lock of their name. */
async function removeLeftBehind(cache: string, heldName: string): Promise<void> {
  for await (const { name: folder } of Deno.readDir(cache)) {
    const [, name] = /^staging-(.+)-[^-]+$/.exec(folder) ?? [];
    if (name === undefined) continue;
    await using lock = name === heldName ? undefined : await tryHoldLock(lockPath(cache, name));
    if (name !== heldName && lock === undefined) continue;
    await Deno.remove(join(cache, folder), { recursive: true }).catch(() => {});
  }
}

/**
 * Removes what is in `folder` and was not used for so long, each with its lock file; nothing that another process has
 * locked, and no link. Other processes may be doing the same.
 *
 * @param isOurs Tells by its name what may be removed: everything by default, for folders that hold nothing else.
 */
export async function removeUnused(
  folder: string,
  keptMs: number,
  isOurs: (name: string) => boolean = () => true,
): Promise<void> {
  const names = new Set<string>();
  for await (const { name } of Deno.readDir(folder)) names.add(name.replace(/\.lock$/, ""));
  for (const name of names) {
    const isUnused = async () => Date.now() - await lastUse(folder, name) >= keptMs;
    if (!isOurs(name) || !await isUnused()) continue;
    await using lock = await tryHoldLock(lockPath(folder, name));
    // Another process may have used it meanwhile.
    if (lock !== undefined && await isUnused()) await removeWhole(folder, name);
  }
}

/** Returns when an entry was last used, or its lock file made where it has no more than that; never for a link. */
async function lastUse(folder: string, name: string): Promise<number> {
  for (const path of [join(folder, name), lockPath(folder, name)]) {
    try {
      const { mtime, isSymlink } = await Deno.lstat(path);
      return isSymlink || mtime === null ? Infinity : mtime.getTime();
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
  return Infinity;
}

/** Removes an entry whose lock is held. It is moved first, so that an interruption leaves nothing that looks complete. */
async function removeWhole(folder: string, name: string): Promise<void> {
  const staging = await Deno.makeTempDir({ dir: folder, prefix: `staging-${name}-` });
  try {
    await Deno.rename(join(folder, name), join(staging, name));
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  } finally {
    await Deno.remove(staging, { recursive: true });
  }
}
