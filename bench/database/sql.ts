import type { Connection } from "mysql2/promise";

/** Runs the statements of a text, one after the other. */
export async function runSql(
  connection: Connection,
  sql: string,
  { signal }: { signal?: AbortSignal } = {},
): Promise<void> {
  for (const statement of splitStatements(sql)) {
    signal?.throwIfAborted();
    await connection.query(statement);
  }
}

/** Splits SQL where a line ends with a semicolon. */
export function splitStatements(sql: string): string[] {
  return sql.split(/;\s*$/m).map((statement) => statement.trim()).filter((s) => s !== "");
}
