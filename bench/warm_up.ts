/**
 * Warm up: the requests before those that count. Takes a fresh subject and how many; gives nothing: what a
 * just-started process answers is neither measured nor judged here.
 */
import type { Connection } from "mysql2/promise";
import { type LoadOptions, startLoad } from "./oha.ts";

/** Warms a subject up with as many requests as the options say; 0 for none. */
export async function warmUp(options: LoadOptions, signal: AbortSignal): Promise<void> {
  if (options.requests === 0) return;
  const connections = Math.min(options.connections, options.requests);
  await using load = startLoad({ ...options, connections });
  const stop = () => void load.stop();
  signal.addEventListener("abort", stop);
  try {
    await load.outcome;
  } finally {
    signal.removeEventListener("abort", stop);
    signal.throwIfAborted();
  }
}

/**
 * Reads the whole table once, so that every level finds all of it in the server's memory: without this, the
 * first level after a restart of the server pays for reading it.
 */
export async function warmDatabase(connection: Connection): Promise<void> {
  await connection.query("SELECT SUM(LENGTH(CONCAT_WS('', first, last, city, county))) FROM users");
}
