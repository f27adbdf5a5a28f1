/**
 * Does the table exist, with which data? Returns the facts that identify the data; a private server starts with them.
 */
import { createHash } from "node:crypto";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import type { Database } from "../../database/database.ts";
import { overConnection } from "../../database/connection.ts";
import { ownName } from "../../database/given_data.ts";
import { BenchError } from "../../lib/error.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import type { DataFacts } from "../scenario.ts";
import { seedRows, userBatches, userColumns } from "./user_rows.ts";

/**
 * Ensures that the database has the 100,000 users.
 *
 * @throws {BenchError} when a server lacks the table, a column, its primary key, or rows.
 */
export async function seed(
  database: Database,
  options: { signal: AbortSignal },
): Promise<DataFacts> {
  return await overConnection(database, async (connection) => {
    const problem = await findProblem(connection, database.address.name);
    if (problem !== undefined) {
      const help = 'Run `just seed`: it recreates the table "users" there. ' +
        `By itself, only an empty database named "${ownName}" is seeded`;
      throw new BenchError(`Cannot use database "${database.address.name}": ${problem}`, {
        ...(database.provider === "DATABASE_URL" ? { help } : {}),
      });
    }
    options.signal.throwIfAborted();
    return await readFacts(connection);
  });
}

/** Returns the text of seed.sql. */
export async function readSeed(): Promise<string> {
  return await Deno.readTextFile(new URL("../../../seed.sql", import.meta.url));
}

const namesSchema = z.array(z.object({ name: z.string() }));
const countSchema = z.tuple([z.object({ count: z.coerce.number() })]);

async function findProblem(connection: Connection, schema: string): Promise<string | undefined> {
  const [columnRows] = await connection.query(
    "SELECT column_name AS name FROM information_schema.columns " +
      "WHERE table_schema = ? AND table_name = 'users'",
    [schema],
  );
  const columns = namesSchema.parse(columnRows).map((row) => row.name);
  if (columns.length === 0) return 'it has no table "users", expected one';
  const missing = userColumns.filter((column) => !columns.includes(column));
  if (missing.length > 0) {
    return `its table "users" has no column ${missing.join(", ")}, expected ${
      userColumns.join(", ")
    }`;
  }
  const [keyRows] = await connection.query(
    "SELECT column_name AS name FROM information_schema.statistics " +
      "WHERE table_schema = ? AND table_name = 'users' AND index_name = 'PRIMARY'",
    [schema],
  );
  const key = namesSchema.parse(keyRows).map((row) => row.name);
  if (key.join() !== "email") {
    return `the primary key of its table "users" is ${key.join(", ") || "absent"}, expected email`;
  }
  const [countRows] = await connection.query("SELECT COUNT(*) AS count FROM users");
  const [{ count }] = countSchema.parse(countRows);
  if (count !== seedRows) {
    const rows = count === 1 ? "1 row" : `${formatInteger(count)} rows`;
    return `its table "users" has ${rows}, expected ${formatInteger(seedRows)}`;
  }
  return undefined;
}

/**
 * Reads the whole table. Its hash is the SHA-256, in hexadecimal, over one line per row: its values as a JSON array
 * in the order {@linkcode userColumns}, UTF-8, with a line feed, in the order of the primary key.
 */
async function readFacts(connection: Connection): Promise<DataFacts> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of userBatches(connection)) {
    hash.update(rows.map((row) => JSON.stringify(row) + "\n").join(""));
    count += rows.length;
  }
  return { rows: count, rowsSha256: hash.digest("hex") };
}
