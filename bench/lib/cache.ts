import { join } from "@std/path";
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
 * which is then renamed, so that an interruption leaves nothing that looks complete. If another process is making it,
 * this one waits, because two builds at once take twice as long.
 */
export async function keepFolder(
  cache: string,
  name: string,
  make: (staging: string) => Promise<string>,
  report?: Report,
): Promise<string> {
  const path = join(cache, name);
  if (await exists(path)) return path;
  await Deno.mkdir(cache, { recursive: true });
  const lockPath = `${path}.lock`;
  // The system releases the lock when the process ends, however it does.
  using lock = await Deno.open(lockPath, { create: true, write: true });
  if (!await lock.tryLock(true)) {
    report?.line(`Waiting for another process, which is making ${name}`);
    await lock.lock(true);
  }
  if (await exists(path)) return path;
  const staging = await Deno.makeTempDir({ dir: cache, prefix: "staging-" });
  try {
    await Deno.rename(await make(staging), path);
    return path;
  } finally {
    await Deno.remove(staging, { recursive: true }).catch(() => {});
    // Whoever waits for this very file finds the folder, or makes it.
    await Deno.remove(lockPath).catch(() => {});
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
