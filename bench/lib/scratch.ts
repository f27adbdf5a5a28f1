import { dirname, join } from "@std/path";
import { BenchError, messageOf } from "./error.ts";
import { tryHoldLock } from "./lock.ts";

const prefix = "backbench-";

/** In each of these folders: held as long as the command runs, which the system knows even if it is killed. */
const lockName = "running.lock";

/** Younger folders may not be locked yet. */
const leastAgeMs = 3_600_000;

/** A folder for what a command needs while it runs, gone when it is disposed of. */
export interface Scratch extends AsyncDisposable {
  path: string;
}

/**
 * Makes a folder for what a command needs while it runs, and removes those of commands that were killed.
 *
 * @throws {BenchError} when the system's folder of temporary files cannot be used.
 */
export async function makeScratch(): Promise<Scratch> {
  const path = await makeFolder(prefix);
  // Before it is locked: by its age, it is none of them.
  await removeAbandoned(dirname(path)).catch(() => {});
  // Where there are no locks, it stays if the command is killed.
  const lock = await tryHoldLock(join(path, lockName)).catch(() => undefined);
  return {
    path,
    [Symbol.asyncDispose]: async () => {
      await lock?.[Symbol.asyncDispose]();
      await Deno.remove(path, { recursive: true }).catch(() => {});
    },
  };
}

/** Removes the scratch of commands that no longer run, as far as this user may. */
export async function removeAbandoned(folder: string): Promise<void> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory || !name.startsWith(prefix)) continue;
    const path = join(folder, name);
    await removeIfAbandoned(path).catch(() => {});
  }
}

async function removeIfAbandoned(path: string): Promise<void> {
  const lockPath = join(path, lockName);
  const { mtime } = await Deno.stat(lockPath);
  if (mtime === null || Date.now() - mtime.getTime() < leastAgeMs) return;
  await using lock = await tryHoldLock(lockPath);
  if (lock !== undefined) await Deno.remove(path, { recursive: true });
}

/**
 * Makes a folder for the requests of loads, and returns its path. Nothing in its name tells it from those of other
 * programs: a server is not to find what it will be asked for.
 *
 * @throws {BenchError} when the system's folder of temporary files cannot be used.
 */
export function makeLoadFolder(): Promise<string> {
  return makeFolder("");
}

async function makeFolder(prefix: string): Promise<string> {
  try {
    return await Deno.makeTempDir({ prefix });
  } catch (cause) {
    const should = "expected TMPDIR to name a folder that it can be created in";
    throw new BenchError(`Cannot create a temporary folder: ${messageOf(cause)}, ${should}`, {
      cause,
    });
  }
}
