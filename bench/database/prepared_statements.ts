/**
 * Prepared statements: which has one side prepared, and what did each do? The counters of an account tell how many
 * statements there were, not which.
 */
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { orRunBroken } from "./connection.ts";
import type { Database, SideName } from "./database.ts";
import { queryRows } from "./query_rows.ts";

/** What a statement did since it was prepared. */
export interface PreparedStatement {
  /** As the server has it: 1,024 bytes by default. */
  text: string;
  executions: number;
  /** Rows that it returned, in all. */
  rowsSent: number;
}

/** What each statement of each connection did, by what tells it from all others while the server lives. */
export type PreparedReading = ReadonlyMap<string, PreparedStatement>;

const rowSchema = z.tuple([z.string(), z.string(), z.coerce.number(), z.coerce.number()]);

const sql = `
  SELECT CONCAT(OWNER_THREAD_ID, '/', STATEMENT_ID), SQL_TEXT, COUNT_EXECUTE, SUM_ROWS_SENT
  FROM performance_schema.prepared_statements_instances
  JOIN performance_schema.threads ON THREAD_ID = OWNER_THREAD_ID
  WHERE PROCESSLIST_USER = :user`;

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
): Promise<PreparedReading> {
  if (counting.per === "server") return new Map();
  const { user } = accounts[side];
  const rows = await orRunBroken(() => queryRows(connection, rowSchema, sql, { user }));
  return new Map(
    rows.map(([id, text, executions, rowsSent]) => [id, { text, executions, rowsSent }]),
  );
}

/**
 * Returns what statements did between two readings, by text. Those that are in the first reading only are left out.
 */
export function preparedBetween(
  before: PreparedReading,
  after: PreparedReading,
): PreparedStatement[] {
  const byText = new Map<string, PreparedStatement>();
  for (const [id, { text, executions, rowsSent }] of after) {
    const was = before.get(id);
    const sum = byText.get(text) ?? { text, executions: 0, rowsSent: 0 };
    sum.executions += executions - (was?.executions ?? 0);
    sum.rowsSent += rowsSent - (was?.rowsSent ?? 0);
    byText.set(text, sum);
  }
  return [...byText.values()];
}
