/** The table `visits`: making it, and reading its rows. */
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { overConnection } from "../../database/connection.ts";
import type { Database, DatabaseAddress } from "../../database/database.ts";
import { queryRows } from "../../database/query_rows.ts";
import { runSql } from "../../database/sql.ts";
import { BenchError } from "../../lib/error.ts";
import type { DataFacts } from "../scenario.ts";
import { contract } from "./contract.ts";
import { firstId, type VisitRow } from "./visits.ts";

/** Returns the SQL that makes the table anew, empty. */
export function tableSql(): string {
  const { name, columns } = contract.table;
  return [
    `DROP TABLE IF EXISTS ${name};`,
    `CREATE TABLE ${name} (`,
    columns.map(({ name, type }) => `  ${name} ${type}`).join(",\n"),
    `) AUTO_INCREMENT = ${firstId} DEFAULT CHARSET = utf8mb4;`,
    "",
  ].join("\n");
}

/** Makes the table anew, empty. */
export async function renewTable(
  connection: Connection,
  options: { signal?: AbortSignal } = {},
): Promise<void> {
  // A server may hold a transaction open; without this, that would be waited for for a year.
  await connection.query("SET SESSION lock_wait_timeout = 20");
  await runSql(connection, tableSql(), options);
}

/**
 * Ensures that the table is there, as it is on a server that the harness started.
 *
 * @throws {BenchError} when a server lacks it, or has another of that name: a load empties it.
 */
export async function ensureTable(database: Database): Promise<DataFacts> {
  return await overConnection(database, async (connection) => {
    const { name, columns } = contract.table;
    const sql = "SELECT column_name FROM information_schema.columns " +
      "WHERE table_schema = ? AND table_name = ? ORDER BY ordinal_position";
    const values = [database.address.name, name];
    const rows = await queryRows(connection, z.tuple([z.string()]), sql, values);
    const [is, expected] = [
      rows.flat().join(", "),
      columns.map(({ name }) => name).join(", "),
    ];
    if (is === expected) return {};
    throw new BenchError(
      `Cannot use database "${database.address.name}": the columns of its table "${name}" are ${
        is || "absent"
      }, expected ${expected}`,
      database.provider === "DATABASE_URL"
        ? { help: `Run \`just seed\`: it recreates the table "${name}" there` }
        : {},
    );
  });
}

const rowSchema = z.tuple([z.number(), z.string(), z.string(), z.string()]);
const rowsPerQuery = 20_000;

/**
 * Returns the rows that an account has added, in the order of their ids.
 *
 * @param after The highest id that is left out.
 */
export async function readRows(
  connection: Connection,
  { user }: Pick<DatabaseAddress, "user">,
  after = firstId - 1,
): Promise<VisitRow[]> {
  const all: VisitRow[] = [];
  let last = after;
  while (true) {
    const sql = "SELECT id, user, page, text FROM visits " +
      `WHERE id > ? AND account LIKE CONCAT(?, '@%') ORDER BY id LIMIT ${rowsPerQuery}`;
    const values = [last, user.replace(/[_%\\]/g, "\\$&")];
    const batch = await queryRows(connection, rowSchema, sql, values);
    for (const [id, user, page, text] of batch) all.push({ id, user, page, text });
    if (batch.length < rowsPerQuery) return all;
    last = all.at(-1)!.id;
  }
}

/** Returns the highest id, or what is below that of the first row. */
export async function highestId(connection: Connection): Promise<number> {
  const sql = "SELECT COALESCE(MAX(id), ?) FROM visits";
  return (await queryRows(connection, z.tuple([z.number()]), sql, [firstId - 1]))[0]![0];
}
