/** Ends what an account still does in the database after its client has gone: a statement runs on without one. */
import { delay } from "@std/async";
import { z } from "zod";
import { overConnection } from "./connection.ts";
import type { Database } from "./database.ts";
import { queryRows } from "./query_rows.ts";

const rowSchema = z.tuple([z.coerce.number(), z.string()]).rest(z.unknown());

/** How long what was ended is waited for, in milliseconds. */
const mostMs = 5_000;
const pollMs = 20;

/**
 * Ends all sessions of an account, and waits for up to 5 s until there are none. Where the harness may not end them, they
 * stay.
 *
 * @throws {RunBroken} when the server does not answer.
 */
export async function endSessions(
  database: Pick<Database, "connect">,
  user: string,
): Promise<void> {
  await overConnection(database, async (connection) => {
    const deadlineMs = performance.now() + mostMs;
    while (true) {
      const sessions = await queryRows(connection, rowSchema, "SHOW PROCESSLIST");
      const ids = sessions.flatMap(([id, name]) => name === user ? [id] : []);
      if (ids.length === 0 || performance.now() > deadlineMs) return;
      // One that has ended meanwhile is an error, and so is one that may not be ended.
      for (const id of ids) await connection.query(`KILL ${id}`).catch(() => {});
      await delay(pollMs);
    }
  });
}
