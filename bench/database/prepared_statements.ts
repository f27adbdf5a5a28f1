/**
 * Prepared statements: which has one side prepared, and what did each do? The counters of an account tell how many
 * statements there were, not which.
 */
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { orRunBroken } from "./connection.ts";
import type { Database, SideName } from "./database.ts";
import { queryRows } from "./query_rows.ts";

/** What one statement did since it was prepared, on all connections that are open. */
export interface PreparedStatement {
  /** As the server has it: 1,024 bytes by default. */
  text: string;
  executions: number;
  /** Rows that it returned, in all. */
  rowsSent: number;
}

const rowSchema = z.tuple([z.string(), z.coerce.number(), z.coerce.number()]);

const sql = `
  SELECT SQL_TEXT, SUM(COUNT_EXECUTE), SUM(SUM_ROWS_SENT)
  FROM performance_schema.prepared_statements_instances
  JOIN performance_schema.threads ON THREAD_ID = OWNER_THREAD_ID
  WHERE PROCESSLIST_USER = :user
  GROUP BY SQL_TEXT`;

/**
 * Reads the prepared statements of one side; none where the server does not count by account. What was prepared on a
 * connection that has ended is not among them.
 *
 * @throws {RunBroken} when the server does not answer.
 */
export async function readPreparedOf(
  connection: Connection,
  { accounts, counting }: Pick<Database, "accounts" | "counting">,
  side: SideName,
): Promise<PreparedStatement[]> {
  if (counting.per === "server") return [];
  const { user } = accounts[side];
  const rows = await orRunBroken(() => queryRows(connection, rowSchema, sql, { user }));
  return rows.map(([text, executions, rowsSent]) => ({ text, executions, rowsSent }));
}

/** Returns what each statement did between two readings. */
export function preparedBetween(
  before: readonly PreparedStatement[],
  after: readonly PreparedStatement[],
): PreparedStatement[] {
  const earlier = new Map(before.map((statement) => [statement.text, statement]));
  return after.map(({ text, executions, rowsSent }) => {
    const was = earlier.get(text);
    // Connections that have ended take what they did with them.
    if (was === undefined || was.executions > executions) return { text, executions, rowsSent };
    return {
      text,
      executions: executions - was.executions,
      rowsSent: Math.max(0, rowsSent - was.rowsSent),
    };
  });
}
