import { type Connection, createConnection } from "mysql2/promise";
import { z } from "zod";
import type { Database, DatabaseAddress } from "./database.ts";
import { BenchError, errorsIn, messageOf, RunBroken } from "../lib/error.ts";

/** Opens one connection. Errors are the driver's; callers who know more about the server add it. */
export async function connectTo(address: DatabaseAddress): Promise<Connection> {
  const { host, port, user, password, name } = address;
  return await createConnection({
    host,
    port,
    user,
    password,
    database: name,
    charset: "utf8mb4",
    connectTimeout: 10_000,
  });
}

/**
 * Does work on the harness's own connections, whose errors are not an implementation's fault.
 *
 * @throws {RunBroken} in place of an error of the driver; other errors are rethrown.
 */
export async function orRunBroken<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    for (const error of errorsIn(cause)) {
      if (!(error instanceof Error)) continue;
      // mysql2 marks a connection that is no longer usable, and an error that the server sent.
      const isLost = "fatal" in error && error.fatal === true;
      if (!isLost && !("sqlState" in error)) continue;
      const expected = isLost ? "the server to live" : "the statement to succeed";
      const help = isLost
        ? undefined
        : "The user of DATABASE_URL needs SELECT and UPDATE on its tables, and DROP and CREATE where " +
          "requests add rows.";
      const message = `Cannot use the database: ${messageOf(error)}, expected ${expected}`;
      throw new RunBroken(message, { help, cause });
    }
    throw cause;
  }
}

/**
 * Does work over a connection of the harness's own, which is closed afterwards.
 *
 * @throws {RunBroken} in place of an error of the driver; other errors are rethrown.
 */
export function overConnection<T>(
  { connect }: Pick<Database, "connect">,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  return orRunBroken(async () => {
    await using connection = await connect();
    return await work(connection);
  });
}

/**
 * Logs each account in once, so that the server caches its password (`caching_sha2_password`). Without that, a driver
 * that cannot encrypt the password cannot log in without TLS (r2dbc-mysql,
 * https://github.com/asyncer-io/r2dbc-mysql/issues/326).
 */
export async function warmPasswordCaches(accounts: Database["accounts"]): Promise<void> {
  for (const address of Object.values(accounts)) {
    // Without a database: an account of a scenario that needs none has no rights on it.
    await (await connectTo({ ...address, name: "" })).end();
  }
}

/** Returns the address as a URL, as `DATABASE_URL` has it. */
export function urlOf({ host, port, user, password, name }: DatabaseAddress): string {
  const [u, p, n] = [user, password, name].map(encodeURIComponent);
  return `mysql://${u}:${p}@${host.includes(":") ? `[${host}]` : host}:${port}/${n}`;
}

const recordedVariables = [
  "bind_address",
  "character_set_server",
  "collation_server",
  "default_authentication_plugin",
  "authentication_policy",
  "innodb_autoinc_lock_mode",
  "innodb_buffer_pool_size",
  "innodb_doublewrite",
  "innodb_flush_log_at_trx_commit",
  "innodb_flush_method",
  "innodb_redo_log_capacity",
  "log_bin",
  "max_connections",
  "max_prepared_stmt_count",
  "performance_schema",
  "query_cache_type",
  "require_secure_transport",
  "skip_name_resolve",
  "sql_mode",
  "sync_binlog",
  "table_open_cache",
  "thread_cache_size",
  "thread_handling",
  "tls_version",
  "transaction_isolation",
  "tx_isolation",
  "version_comment",
  "version_compile_machine",
  "version_compile_os",
];

const variablesSchema = z.array(z.object({ Variable_name: z.string(), Value: z.string() }));

/**
 * Reads which server this is.
 *
 * @throws {BenchError} when it is older than MySQL 8.0 or MariaDB 10.6.
 */
export async function readServer(
  connection: Connection,
): Promise<Pick<Database, "engine" | "version" | "variables">> {
  const [rows] = await connection.query("SHOW GLOBAL VARIABLES");
  const all = new Map(variablesSchema.parse(rows).map((row) => [row.Variable_name, row.Value]));
  const fullVersion = all.get("version") ?? "";
  const engine = /mariadb/i.test(fullVersion) ? "MariaDB" : "MySQL";
  checkVersion(engine, fullVersion);
  const variables: Record<string, string> = {};
  for (const name of recordedVariables) {
    const value = all.get(name);
    if (value !== undefined) variables[name] = value;
  }
  return { engine, version: fullVersion, variables };
}

/** @throws {BenchError} when the server is too old for the table, or for the protocol that drivers speak. */
export function checkVersion(engine: Database["engine"], version: string): void {
  const [major = 0, minor = 0] = version.split(".").map((part) => parseInt(part, 10));
  const [wantedMajor, wantedMinor] = engine === "MySQL" ? [8, 0] : [10, 6];
  if (major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)) return;
  throw new BenchError(
    `Cannot use database "${engine} ${version}": its version is too old, expected ${engine} ${wantedMajor}.${wantedMinor} or later`,
  );
}
