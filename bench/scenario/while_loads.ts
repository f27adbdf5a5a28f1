/** What the harness does in the database while loads run: until it is disposed of. */
import type { Connection } from "mysql2/promise";
import { orRunBroken } from "../database/connection.ts";
import type { Database } from "../database/database.ts";

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
  const stopping = new AbortController();
  const work = orRunBroken(() => run(connection, AbortSignal.any([stopping.signal, signal])));
  // Its failure is thrown as this is disposed of.
  work.catch(() => {});
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      try {
        await work;
      } catch (error) {
        // After a Ctrl-C, the private server is gone.
        if (!signal.aborted) throw error;
      } finally {
        connection.destroy();
      }
    },
  };
}
