/** Until idle: does the server still work for one account, which sends nothing any more? */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { orRunBroken } from "./connection.ts";
import { queryRows } from "./query_rows.ts";

/** Those of a client that has gone are among them: the server notices that when it sends the answer. */
const runningSql = `
  SELECT COUNT(*) FROM performance_schema.threads
  WHERE PROCESSLIST_USER = ? AND PROCESSLIST_COMMAND IN ('Query', 'Execute', 'Fetch')`;

const rowSchema = z.tuple([z.coerce.number()]);
const pollMs = 2;

/**
 * Waits until none of an account's statements is in execution. Returns undefined then, or how many seconds it has waited
 * where one still is after `mostSeconds`. One query takes about a millisecond.
 *
 * @param connection A connection of the harness's own, to a server that counts the statements of each account.
 * @throws {RunBroken} when the server does not answer.
 */
export async function untilIdle(
  connection: Connection,
  user: string,
  mostSeconds: number,
): Promise<number | undefined> {
  const startMs = performance.now();
  while (true) {
    const rows = await orRunBroken(() => queryRows(connection, rowSchema, runningSql, [user]));
    if (rows[0]?.[0] === 0) return undefined;
    const seconds = (performance.now() - startMs) / 1000;
    if (seconds >= mostSeconds) return seconds;
    await delay(pollMs);
  }
}
