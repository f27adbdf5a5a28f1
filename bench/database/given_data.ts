/**
 * The data of a given server. Only an empty database whose name says that it is for this, as a service container has
 * it, is written to without being asked; `just seed` asks.
 */
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import type { OpenDatabaseOptions } from "./database.ts";
import { queryRows } from "./query_rows.ts";
import { runSql } from "./sql.ts";
import { BenchError, messageOf } from "../lib/error.ts";

/** The name of a database that is ours. */
export const ownName = "backbench";

/**
 * Seeds the database if it is ours and empty, and says so; leaves any other as it is.
 *
 * @throws {BenchError} when the user may not create its tables.
 */
export async function seedIfEmpty(
  connection: Connection,
  name: string,
  { sql, report, signal }: Pick<OpenDatabaseOptions, "sql" | "report" | "signal">,
): Promise<void> {
  if (name !== ownName || !await isEmpty(connection, name)) return;
  report.line(`Seeding database "${name}" of DATABASE_URL, which is empty`);
  await recreateTables(connection, name, { sql, signal });
}

/**
 * Recreates the tables of the scenarios.
 *
 * @throws {BenchError} when the user may not.
 */
export async function recreateTables(
  connection: Connection,
  name: string,
  { sql, signal }: Pick<OpenDatabaseOptions, "sql" | "signal">,
): Promise<void> {
  await runSql(connection, sql, { signal }).catch((cause) => {
    signal.throwIfAborted();
    throw new BenchError(
      `Cannot seed "${name}": ${messageOf(cause)}, expected its tables to be recreated`,
      { cause },
    );
  });
}

/** Tells whether there is no table and no view. */
async function isEmpty(connection: Connection, name: string): Promise<boolean> {
  const sql = "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = ?";
  const [row] = await queryRows(connection, z.tuple([z.coerce.number()]), sql, [name]);
  return row![0] === 0;
}
