/**
 * A server that DATABASE_URL names. Variables that are set for a measurement are restored at the end, and the accounts
 * that were created for it dropped; the scenario restores the rows that it changes. Its data are its own, unless it is
 * empty and ours.
 */
import { join } from "@std/path";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { createStatements, dropStatement, newAccounts } from "./accounts.ts";
import { connectTo, orRunBroken, readServer, warmPasswordCaches } from "./connection.ts";
import { findCounting } from "./counters.ts";
import type { Database, DatabaseAddress, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { seedIfEmpty } from "./given_data.ts";
import { turnOffTls } from "./given_tls.ts";
import { countOwn, noStatements } from "./own_statements.ts";
import { queryRows, readVariable } from "./query_rows.ts";
import { runtimeSettings } from "./settings.ts";
import { cacheFolder } from "../lib/cache.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { tryHoldLock } from "../lib/lock.ts";
import { randomHex } from "../lib/random.ts";
import type { Report } from "../lib/report.ts";

/** Tells whether DATABASE_URL names a server that can be used. */
export async function findDatabaseUrl(
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const provider = "DATABASE_URL";
  if (!env.DATABASE_URL) {
    return {
      provider,
      available: false,
      detail: "it is not set",
      help: "For a server of your own: DATABASE_URL=mysql://user:password@host:3306/name",
    };
  }
  try {
    const address = parseDatabaseUrl(env.DATABASE_URL);
    const connection = await connectToGiven(address);
    try {
      const { engine, version } = await readServer(connection);
      return { provider, available: true, detail: `${engine} ${version}, ${placeOf(address)}` };
    } finally {
      await connection.end();
    }
  } catch (error) {
    signal.throwIfAborted();
    const help = error instanceof BenchError ? error.help : undefined;
    const detail = messageOf(error);
    return { provider, available: false, detail, ...(help === undefined ? {} : { help }) };
  }
}

/**
 * Connects to the server that DATABASE_URL names, and prepares it for a measurement.
 *
 * @throws {BenchError} when the text, the server or its version cannot be used.
 */
export async function openDatabaseUrl(
  url: string,
  { report, signal, grants, sql }: Pick<
    OpenDatabaseOptions,
    "report" | "signal" | "grants" | "sql"
  >,
): Promise<Database> {
  const given = parseDatabaseUrl(url);
  await using connection = await connectToGiven(given);
  signal.throwIfAborted();
  await using stack = new AsyncDisposableStack();
  stack.use(await holdServer(given));
  await seedIfEmpty(connection, given.name, { sql, report, signal });
  const before = await applySettings(connection, report);
  stack.defer(() => restoreSettings(given, before, report));
  const restoreTls = await turnOffTls(connection, given, report);
  if (restoreTls !== undefined) stack.defer(restoreTls);
  const created = await createAccounts(connection, given, grants, report);
  if (created !== undefined) stack.defer(() => dropAccounts(given, created, report));
  const accounts = created ?? { subject: given, reference: given };
  const counting: Database["counting"] = created === undefined
    ? { per: "server", reason: "both sides use the user of DATABASE_URL, with all its rights" }
    : await findCounting(connection, created.subject);
  const own = noStatements();
  const facts = await readServer(connection);
  const opened = stack.move();
  return {
    provider: "DATABASE_URL",
    accounts,
    accountsAreOurs: created !== undefined,
    counting,
    address: accounts.subject,
    ...facts,
    connect: () => orRunBroken(async () => countOwn(await connectTo(given), own)),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/**
 * Keeps other commands of this user from a server until it is disposed of: both would change its variables, rows and
 * accounts, and restore what the other had set.
 *
 * @throws {BenchError} when another command uses it.
 */
export async function holdServer({ host, port }: DatabaseAddress): Promise<AsyncDisposable> {
  const folder = cacheFolder(Deno.env.toObject());
  const place = ["localhost", "::1"].includes(host) ? "127.0.0.1" : host;
  const name = `given-${place.replaceAll(/[^\w.]/g, "_")}-${port}.lock`;
  const lock = async () => {
    await Deno.mkdir(folder, { recursive: true });
    return await tryHoldLock(join(folder, name));
  };
  const held = await lock().catch((cause) => {
    throw new BenchError(`Cannot lock the server of "DATABASE_URL": ${messageOf(cause)}`, {
      help: "Let BACKBENCH_CACHE name a folder that you may write to.",
      cause,
    });
  });
  if (held !== undefined) return held;
  throw new BenchError(
    'Cannot use "DATABASE_URL": another command uses its server, expected one at a time',
    { help: "Wait until that command has ended." },
  );
}

/** Creates an account for each side; returns undefined, and says why, where the user may not. */
async function createAccounts(
  connection: Connection,
  given: DatabaseAddress,
  grants: OpenDatabaseOptions["grants"],
  report: Report,
): Promise<Database["accounts"] | undefined> {
  const random = randomHex(5);
  const accounts = newAccounts(given, (side) => `backbench-${side}-${random}`);
  try {
    const present = await findTables(connection, given.name);
    // Each scenario says itself that its table is missing.
    const possible = grants.filter(({ table }) => present.has(table));
    for (const statement of createStatements(accounts, possible)) {
      await connection.query(statement);
    }
    await warmPasswordCaches(accounts);
    return accounts;
  } catch (error) {
    report.line(
      `The user of DATABASE_URL cannot create accounts: ${messageOf(error)}; ` +
        "servers use that user, with all its rights",
    );
    // What was created before the failure; a user who may not create may not drop either.
    await connection.query(dropStatement(accounts)).catch(() => {});
    return undefined;
  }
}

/** Returns the names of the tables of a schema. */
async function findTables(connection: Connection, schema: string): Promise<Set<string>> {
  const sql = "SELECT table_name FROM information_schema.tables WHERE table_schema = ?";
  return new Set((await queryRows(connection, z.tuple([z.string()]), sql, [schema])).flat());
}

/** Reports what could not be dropped, without throwing, for the same reason as {@linkcode restoreSettings}. */
async function dropAccounts(
  given: DatabaseAddress,
  accounts: Database["accounts"],
  report: Report,
): Promise<void> {
  const statement = dropStatement(accounts);
  try {
    await using connection = await connectTo(given);
    await connection.query(statement);
  } catch (error) {
    report.line(
      `Cannot drop the accounts on DATABASE_URL: ${messageOf(error)}, expected ${statement}`,
    );
  }
}

/** Reads `mysql://user:password@host:port/name`; the port is 3306 where there is none. */
export function parseDatabaseUrl(text: string): DatabaseAddress {
  const help = "Expected form: mysql://user:password@host:3306/name";
  const fail = (is: string, should: string) =>
    // The URL itself is not shown, because it may contain a password.
    new BenchError(`Cannot use "DATABASE_URL": ${is}, expected ${should}`, { help });
  if (!URL.canParse(text)) throw fail("it is not a URL", "mysql://…");
  const url = new URL(text);
  if (url.protocol !== "mysql:" && url.protocol !== "mariadb:") {
    throw fail(`its scheme is "${url.protocol.slice(0, -1)}"`, "mysql (MySQL or MariaDB)");
  }
  if (url.hostname === "") throw fail("it names no host", "mysql://…");
  const decode = (text: string) => {
    try {
      return decodeURIComponent(text);
    } catch {
      throw fail("a part of it has a % that encodes no character", "%25 for a % itself");
    }
  };
  const name = decode(url.pathname.slice(1));
  if (name === "" || name.includes("/")) throw fail("it names no database", "one after the host");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 3306 : Number(url.port),
    user: decode(url.username),
    password: decode(url.password),
    name,
  };
}

/**
 * Opens a connection to the server that DATABASE_URL names, and leaves that server as it is.
 *
 * @throws {BenchError} when the server or its version cannot be used.
 */
export async function connectToGiven(address: DatabaseAddress): Promise<Connection> {
  const connection = await connectTo(address).catch((cause) => {
    throw new BenchError(
      `Cannot connect to "${placeOf(address)}" of DATABASE_URL: ${messageOf(cause)}`,
      {
        help: "Check that the server runs, and the user, password and database in DATABASE_URL. " +
          "Without DATABASE_URL, a private server is started",
        cause,
      },
    );
  });
  try {
    await readServer(connection);
    return connection;
  } catch (error) {
    await connection.end();
    throw error;
  }
}

/** Sets what the user may set, and returns what each variable was before. */
async function applySettings(
  connection: Connection,
  report: Report,
): Promise<Map<string, number>> {
  const before = new Map<string, number>();
  const refused: string[] = [];
  for (const [name, wanted] of Object.entries(runtimeSettings)) {
    const value = await readVariable(connection, name);
    // MariaDB and MySQL before 8.0.30 have no capacity of the redo log.
    if (value === undefined) continue;
    const present = Number(value);
    // A larger buffer pool and more connections do no harm; a flush at every commit does.
    const enough = name === "innodb_flush_log_at_trx_commit"
      ? present === wanted
      : present >= wanted;
    if (enough) continue;
    try {
      await connection.query(`SET GLOBAL ${name} = ${wanted}`);
      before.set(name, present);
    } catch {
      refused.push(`${name} stays ${present}`);
    }
  }
  if (refused.length > 0) {
    report.line(`The user of DATABASE_URL may not set server variables: ${refused.join(", ")}`);
  }
  return before;
}

/**
 * Reports what could not be restored, without throwing, so that a lost server does not hide the failure that it
 * caused.
 */
async function restoreSettings(
  address: DatabaseAddress,
  before: Map<string, number>,
  report: Report,
): Promise<void> {
  if (before.size === 0) return;
  try {
    await using connection = await connectTo(address);
    for (const [name, value] of before) {
      await connection.query(`SET GLOBAL ${name} = ${value}`);
    }
  } catch (error) {
    const is = messageOf(error);
    const values = [...before].map(([name, value]) => `${name} = ${value}`).join(", ");
    report.line(`Cannot restore the variables of DATABASE_URL: ${is}, expected ${values}`);
  }
}

function placeOf({ host, port, name }: DatabaseAddress): string {
  return `${host}:${port}/${name}`;
}
