import { join } from "@std/path";
import { holdLock, tryHoldLock } from "./lock.ts";
import type { Report } from "./report.ts";

/** What creating a cache entry needs: a report, a signal, and the environment with the cache and programs. */
export interface MakeOptions {
  report: Report;
  signal: AbortSignal;
  env: Record<string, string>;
}

/** Returns this user's cache folder, which has the tools and whatever is expensive to create. */
export function cacheFolder(env: Record<string, string>): string {
  return env.BACKBENCH_CACHE ||
    join(env.XDG_CACHE_HOME || join(env.HOME ?? "", ".cache"), "backbench");
}

/**
 * Returns the folder `name` in `cache`. If it is missing, `make` fills a staging folder and returns the part to keep,
 * which is then renamed, so that an interruption leaves nothing that looks complete.
 */
export async function keepFolder(
  cache: string,
  name: string,
  make: (staging: string) => Promise<string>,
  report?: Report,
): Promise<string> {
  const path = join(cache, name);
  if (await exists(path)) return path;
  return await inStaging(cache, name, async (staging) => {
    // Another process may have made it meanwhile.
    if (!await exists(path)) await Deno.rename(await make(staging), path);
    return path;
  }, report);
}

/**
 * Does `work` in an empty folder of `cache`, which is removed afterwards. If another process is at work on `name`, this
 * one waits, because two builds at once take twice as long. Folders of processes that were killed are removed.
 */
export async function inStaging<Made>(
  cache: string,
  name: string,
  work: (staging: string) => Promise<Made>,
  report?: Report,
): Promise<Made> {
  await using _lock = await holdLock(
    lockPath(cache, name),
    () => report?.line(`Waiting for another process, which is making ${name}`),
  );
  await removeLeftBehind(cache, name);
  const staging = await Deno.makeTempDir({ dir: cache, prefix: `staging-${name}-` });
  try {
    return await work(staging);
  } finally {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
  }
}

function lockPath(cache: string, name: string): string {
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

/** Tells whether `path` exists. */
export async function exists(path: string): Promise<boolean> {
  try {
    await Deno.lstat(path);
    return true;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** Removes what is in `folder` and was not changed for so long; another process may be doing the same. */
export async function removeUnused(folder: string, keptMs: number): Promise<void> {
  for await (const { name } of Deno.readDir(folder)) {
    try {
      const { mtime } = await Deno.stat(join(folder, name));
      if (Date.now() - (mtime?.getTime() ?? 0) < keptMs) continue;
      await Deno.remove(join(folder, name), { recursive: true });
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
    }
  }
}
