/** Until idle: does the server still work for one account, which sends nothing any more? */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { orRunBroken } from "./connection.ts";
import { queryRows } from "./query_rows.ts";

/**
 * Those of a client that has gone are among the running: the server notices that when it sends the answer. Between two
 * commands that wait in a socket, none is in execution; so all are counted, of whatever kind, also those without an answer.
 */
const workSql = `
  SELECT COUNT(*), COALESCE((
    SELECT SUM(COUNT_STAR) FROM performance_schema.events_statements_summary_by_user_by_event_name
    WHERE USER = ?
  ), 0)
  FROM performance_schema.threads
  WHERE PROCESSLIST_USER = ? AND PROCESSLIST_COMMAND IN ('Query', 'Execute', 'Fetch')`;

const rowSchema = z.tuple([z.coerce.number(), z.coerce.number()]);
const portSchema = z.tuple([z.coerce.number()]);
const pollMs = 2;

/** What the server does for an account: its statements in execution, and its commands so far. */
export interface Work {
  running: number;
  commands: number;
}

/** Reads what the server does for an account. One query takes about a millisecond. */
export async function readWork(connection: Connection, user: string): Promise<Work> {
  const rows = await orRunBroken(() => queryRows(connection, rowSchema, workSql, [user, user]));
  const [running = 0, commands = 0] = rows[0] ?? [];
  return { running, commands };
}

/** Returns the ports of the clients of an account; one over a Unix socket has none. */
async function readClientPorts(connection: Connection, user: string): Promise<number[]> {
  const sql = "SELECT SUBSTRING_INDEX(HOST, ':', -1) FROM performance_schema.processlist " +
    "WHERE USER = ? AND HOST LIKE '%:%'";
  const rows = await orRunBroken(() => queryRows(connection, portSchema, sql, [user]));
  return rows.map(([port]) => port);
}

/**
 * Waits until none of an account's statements is in execution, nothing that was sent to the server waits to be read, and no
 * command was counted between two readings. Returns undefined then, or how many seconds it has waited where it is still busy
 * after `mostSeconds`.
 *
 * @param connection A connection of the harness's own, to a server that counts the statements of each account.
 * @param hasUnread Tells whether the server was sent bytes that it has not read, from clients at these ports.
 * @throws {RunBroken} when the server does not answer.
 */
export async function untilIdle(
  connection: Connection,
  user: string,
  mostSeconds: number,
  hasUnread: (clientPorts: readonly number[]) => boolean = () => false,
): Promise<number | undefined> {
  const startMs = performance.now();
  const clients = await readClientPorts(connection, user);
  let before = await readWork(connection, user);
  while (true) {
    await delay(pollMs);
    const now = await readWork(connection, user);
    if (now.running === 0 && now.commands === before.commands && !hasUnread(clients)) {
      return undefined;
    }
    const seconds = (performance.now() - startMs) / 1000;
    if (seconds >= mostSeconds) return seconds;
    before = now;
  }
}
