/** Rows that a statement returns, checked. */
import type { Connection, QueryOptions } from "mysql2/promise";
import { z } from "zod";

/**
 * Runs a statement, and returns its rows, each checked: the columns in the order of the statement.
 *
 * @param values By position (`?`), or by name (`:name`).
 */
export async function queryRows<Row>(
  connection: Connection,
  row: z.ZodType<Row>,
  sql: string,
  values: QueryOptions["values"] = [],
): Promise<Row[]> {
  const [rows] = await connection.query({
    sql,
    values,
    namedPlaceholders: true,
    rowsAsArray: true,
  });
  return z.array(row).parse(rows);
}

/** Reads a variable of the server; undefined where it has none of that name. */
export async function readVariable(
  connection: Connection,
  name: string,
): Promise<string | undefined> {
  const row = z.tuple([z.string(), z.string()]);
  return (await queryRows(connection, row, "SHOW GLOBAL VARIABLES LIKE ?", [name]))[0]?.[1];
}
