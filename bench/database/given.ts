/**
 * A server that DATABASE_URL names. Variables that are set for a measurement are restored at the end; the scenario
 * changes one row and restores it.
 */
import type { Connection } from "mysql2/promise";
import { connectTo, orRunBroken, readServer, urlOf } from "./connection.ts";
import type { Database, DatabaseAddress, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { runtimeSettings } from "./settings.ts";
import { BenchError, messageOf } from "../lib/error.ts";
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
  { report, signal }: Pick<OpenDatabaseOptions, "report" | "signal">,
): Promise<Database> {
  const address = parseDatabaseUrl(url);
  const connection = await connectToGiven(address);
  try {
    signal.throwIfAborted();
    const before = await applySettings(connection, report);
    return {
      provider: "DATABASE_URL",
      address,
      url: urlOf(address),
      ...await readServer(connection),
      connect: () => orRunBroken(() => connectTo(address)),
      [Symbol.asyncDispose]: () => restoreSettings(address, before, report),
    };
  } finally {
    await connection.end();
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
  const name = decodeURIComponent(url.pathname.slice(1));
  if (name === "" || name.includes("/")) throw fail("it names no database", "one after the host");
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? 3306 : Number(url.port),
    user: decodeURIComponent(url.username),
    password: decodeURIComponent(url.password),
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
      `Cannot connect to "${placeOf(address)}" of DATABASE_URL: ${
        messageOf(cause) || String(cause)
      }`,
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
    const [rows] = await connection.query({ sql: `SELECT @@GLOBAL.${name}`, rowsAsArray: true });
    const present = Number(Array.isArray(rows) && Array.isArray(rows[0]) ? rows[0][0] : NaN);
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
    const is = messageOf(error) || String(error);
    const values = [...before].map(([name, value]) => `${name} = ${value}`).join(", ");
    report.line(`Cannot restore the variables of DATABASE_URL: ${is}, expected ${values}`);
  }
}

function placeOf({ host, port, name }: DatabaseAddress): string {
  return `${host}:${port}/${name}`;
}
