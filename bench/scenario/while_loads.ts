/** What the harness does while loads run, in the database or elsewhere: until it is disposed of. */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { orRunBroken } from "../database/connection.ts";
import type { Database } from "../database/database.ts";

/**
 * Starts work. Disposing of it stops the work by its signal, and waits for its end.
 *
 * @throws what the work has thrown, when it is disposed of; nothing after a Ctrl-C.
 */
export function whileLoads(
  run: (stop: AbortSignal) => Promise<void>,
  { signal }: { signal: AbortSignal },
): AsyncDisposable {
  const stopping = new AbortController();
  const work = run(AbortSignal.any([stopping.signal, signal]));
  // Its failure is thrown as this is disposed of.
  work.catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      try {
        await work;
      } catch (error) {
        // After a Ctrl-C, what it works with is gone.
        if (!signal.aborted) throw error;
      }
    },
  };
}

/** Options for {@linkcode atRandomMoments}. */
export interface AtRandomMomentsOptions {
  /** The mean time from one moment to the next. */
  meanIntervalMs: number;
  random: () => number;
  stop: AbortSignal;
}

/** Does something at moments that are independent of each other, one after the other, until a signal stops it. */
export async function atRandomMoments(
  act: () => Promise<void>,
  { meanIntervalMs, random, stop }: AtRandomMomentsOptions,
): Promise<void> {
  let dueMs = performance.now();
  while (true) {
    // Times between events that are independent of each other are distributed exponentially.
    dueMs += -Math.log(1 - random()) * meanIntervalMs;
    // What a busy machine has delayed is not made up for.
    dueMs = Math.max(dueMs, performance.now());
    await delay(dueMs - performance.now(), { signal: stop }).catch(() => {});
    if (stop.aborted) return;
    await act();
  }
}

/** Work over a connection, until a signal stops it. */
export interface Work {
  /** Is awaited before the work starts. */
  begin?(connection: Connection): Promise<void>;
  run(connection: Connection, stop: AbortSignal): Promise<void>;
}

/**
 * Starts work over a connection of the harness's own. Disposing of it stops the work, waits for its end and closes the
 * connection.
 *
 * @throws {RunBroken} when it is disposed of, and the database was lost meanwhile.
 */
export async function startWork(
  { connect }: Pick<Database, "connect">,
  { begin, run }: Work,
  { signal }: { signal: AbortSignal },
): Promise<AsyncDisposable> {
  const connection = await connect();
  try {
    if (begin !== undefined) await orRunBroken(() => begin(connection));
  } catch (error) {
    connection.destroy();
    throw error;
  }
  const work = whileLoads((stop) => orRunBroken(() => run(connection, stop)), { signal });
  return {
    [Symbol.asyncDispose]: async () => {
      try {
        await work[Symbol.asyncDispose]();
      } finally {
        connection.destroy();
      }
    },
  };
}
