/** Locks: files that one process holds at a time. The system releases them when the process ends, however it does. */
import { delay } from "@std/async";
import { dirname } from "@std/path";

/** How often a lock that another process holds is asked for. */
const askAgainMs = 50;

/**
 * Waits until no other process holds the lock at that path, and holds it until it is disposed of. Its file goes with it.
 *
 * @param options.onWait Called once, where another process holds it.
 * @param options.signal Ends the waiting.
 * @throws the reason of `options.signal` when that aborts.
 */
export async function holdLock(
  path: string,
  { onWait = () => {}, signal }: { onWait?: () => void; signal?: AbortSignal } = {},
): Promise<AsyncDisposable> {
  await Deno.mkdir(dirname(path), { recursive: true });
  for (let told = false;;) {
    const file = await Deno.open(path, { create: true, write: true });
    try {
      while (!await file.tryLock(true)) {
        if (!told) onWait();
        told = true;
        // Waiting in the kernel could not be interrupted.
        await delay(askAgainMs, { signal });
      }
    } catch (error) {
      file.close();
      throw error;
    }
    const held = await heldBy(file, path);
    if (held !== undefined) return held;
  }
}

/** Holds the lock at that path, whose folder exists; returns undefined where another process holds it. */
export async function tryHoldLock(path: string): Promise<AsyncDisposable | undefined> {
  const file = await Deno.open(path, { create: true, write: true });
  try {
    if (await file.tryLock(true)) return await heldBy(file, path);
  } catch (error) {
    file.close();
    throw error;
  }
  file.close();
  return undefined;
}

/** Returns a locked file as a lock; undefined where whoever held it before has removed it: another may hold a new one. */
async function heldBy(file: Deno.FsFile, path: string): Promise<AsyncDisposable | undefined> {
  const there = await Deno.stat(path).catch(() => undefined);
  if (there?.ino !== (await file.stat()).ino) {
    file.close();
    return undefined;
  }
  return {
    [Symbol.asyncDispose]: async () => {
      // Before it is released, so that whoever waits for this very file finds that it is gone.
      await Deno.remove(path).catch(() => {});
      file.close();
    },
  };
}
