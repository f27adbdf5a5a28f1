import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { queryRows } from "../../database/query_rows.ts";
import { BenchError } from "../../lib/error.ts";

/** The columns of the table `users`, in the order of the contract's keys. */
export const userColumns = ["email", "first", "last", "city", "county", "age"] as const;

/** How many users the table has. */
export const seedRows = 100_000;

const batchRows = 5000;
const rowSchema = z.tuple([z.string()], z.union([z.string(), z.number(), z.null()]));

/** A row of the table: its email, and the values of the other columns, in the order of {@linkcode userColumns}. */
export type UserRow = z.infer<typeof rowSchema>;

/** Reads the row of an email. */
export async function readUserRow(
  connection: Connection,
  email: string,
): Promise<UserRow | undefined> {
  const sql = `SELECT ${userColumns.join(", ")} FROM users WHERE email = ?`;
  return (await queryRows(connection, rowSchema, sql, [email]))[0];
}

/**
 * Returns all rows of the table `users` in the order of its primary key, in batches, because all at once took 100 MB.
 * The email is the first value of a row.
 *
 * @throws {BenchError} when a value is neither text nor a number nor NULL.
 */
export async function* userBatches(connection: Connection): AsyncGenerator<UserRow[]> {
  let last: string | undefined;
  for (;;) {
    const [rows] = await connection.query({
      sql: `SELECT ${userColumns.join(", ")} FROM users ${
        last === undefined ? "" : "WHERE email > ?"
      } ORDER BY email LIMIT ${batchRows}`,
      values: last === undefined ? [] : [last],
      rowsAsArray: true,
    });
    const { success, data: batch, error } = z.array(rowSchema).safeParse(rows);
    if (!success) {
      const [, column] = error.issues[0]!.path;
      throw new BenchError(
        `Cannot read column "${
          userColumns[Number(column)]
        }" of "users": its values are of another type, ` +
          "expected text, numbers or NULL",
      );
    }
    const end = batch.at(-1);
    if (end === undefined) return;
    yield batch;
    last = end[0];
  }
}
