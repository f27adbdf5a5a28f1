/**
 * A private server from any mysqld: a copy of a seeded data folder, which is created once per version, seed data and
 * settings and kept in the cache, on a free port of 127.0.0.1. The copy is discarded at the end, so the server is
 * killed, not shut down.
 */
import { encodeHex } from "@std/encoding";
import { delay } from "@std/async";
import { join } from "@std/path";
import type { Connection } from "mysql2/promise";
import { cacheFolder, keepFolder } from "../lib/cache.ts";
import { createStatements, newAccounts, secret } from "./accounts.ts";
import { connectTo, orRunBroken, readServer, urlOf, warmPasswordCaches } from "./connection.ts";
import { requireCounting } from "./counters.ts";
import {
  type Database,
  type DatabaseAddress,
  type Grant,
  type OpenDatabaseOptions,
  type SideName,
  sideNames,
} from "./database.ts";
import { ownName } from "./given_data.ts";
import { afterStart, startOptions } from "./settings.ts";
import { runSql } from "./sql.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { freePort } from "../lib/free_port.ts";
import {
  describeExit,
  endOfLog,
  logTail,
  type Process,
  runOrThrow,
  startProcess,
} from "../lib/process.ts";

/** A server program: its command without options, and its version. */
export interface MysqldProgram {
  command: string[];
  version: string;
}

/** Starts a private server with its data. */
export async function openPrivate(
  provider: "mysqld" | "packages",
  program: MysqldProgram,
  options: Required<OpenDatabaseOptions>,
): Promise<Database> {
  const { signal } = options;
  const template = await seededTemplate(program, options);
  const folder = await Deno.makeTempDir({ dir: options.folder, prefix: "mysql-" });
  try {
    const data = join(folder, "data");
    await copyFolder(template, data, { logPath: join(folder, "copy.log"), signal });
    const server = await startServer(program, folder, options);
    // A Ctrl-C kills the server at once; whoever uses the database then finds it gone.
    const abort = () => void server.kill();
    signal.addEventListener("abort", abort);
    try {
      await setUp(server.admin);
      await using connection = await connectTo(server.admin);
      const facts = await readServer(connection);
      const { accounts } = server;
      return {
        provider,
        accounts,
        accountsAreOurs: true,
        counting: await requireCounting(connection, accounts.subject),
        address: accounts.subject,
        url: urlOf(accounts.subject),
        ...facts,
        get pid() {
          return server.pid();
        },
        connect: () => orRunBroken(() => connectTo(server.admin)),
        outage: { stop: server.kill, start: server.restart },
        [Symbol.asyncDispose]: async () => {
          signal.removeEventListener("abort", abort);
          await server.kill();
          await Deno.remove(folder, { recursive: true });
        },
      };
    } catch (error) {
      signal.removeEventListener("abort", abort);
      await server.kill();
      throw error;
    }
  } catch (error) {
    await Deno.remove(folder, { recursive: true });
    throw error;
  }
}

/** Returns the folder of the template; makes it the first time. */
async function seededTemplate(
  program: MysqldProgram,
  { report, signal, env, sql }: Required<OpenDatabaseOptions>,
): Promise<string> {
  // The accounts of a template stay in its copies, which create theirs anew: hence the names.
  const content = JSON.stringify([program.version, startOptions, sql, sideNames]);
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(content));
  const name = `mysql-data-${program.version}-${encodeHex(hash).slice(0, 12)}`;
  return await keepFolder(cacheFolder(env), name, async (staging) => {
    report.line(`Preparing MySQL ${program.version} with its data, once`);
    await initialise(program, staging, signal);
    const server = await startServer(program, staging, { signal, grants: [] });
    try {
      await using connection = await connectTo(server.admin);
      await runSql(connection, sql, { signal });
    } catch (error) {
      await server.kill();
      throw error;
    }
    await server.shutDown();
    return join(staging, "data");
  });
}

/**
 * Starts a server that is like a service container: it has an empty database, TLS and the variables' defaults, and its
 * address is that of a user who may do everything. Its data go with it.
 */
export async function openEmpty(
  program: MysqldProgram,
  { folder, signal }: Pick<OpenDatabaseOptions, "folder" | "signal">,
): Promise<EmptyServer> {
  await initialise(program, folder, signal);
  const server = await startServer(program, folder, {
    signal,
    grants: [],
    options: ["--loose-mysqlx=OFF"],
  });
  return {
    address: server.admin,
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await Deno.remove(join(folder, "data"), { recursive: true });
    },
  };
}

/** A server whose database is empty. */
export interface EmptyServer extends AsyncDisposable {
  address: DatabaseAddress;
}

/** Makes `<folder>/data`, without any data of ours. */
async function initialise(
  program: MysqldProgram,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const command = [...serverCommand(program, join(folder, "data")), "--initialize-insecure"];
  const logPath = join(folder, "mysqld.log");
  await runOrThrow("Cannot initialise MySQL", command, { logPath, signal });
}

interface Server {
  accounts: Record<SideName, DatabaseAddress>;
  admin: DatabaseAddress;
  pid(): number | undefined;
  kill(): Promise<void>;
  restart(): Promise<void>;
  shutDown(): Promise<void>;
}

/** Starts the server on `<folder>/data` with new passwords, and waits until it answers. */
async function startServer(
  program: MysqldProgram,
  folder: string,
  { signal, grants, options = startOptions }: Pick<OpenDatabaseOptions, "signal" | "grants"> & {
    options?: readonly string[];
  },
): Promise<Server> {
  const data = join(folder, "data");
  const initPath = join(folder, "init.sql");
  const place = { host: "127.0.0.1", name: ownName };
  const harness = { ...place, user: "harness", password: secret() };
  const unplaced = newAccounts({ ...place, port: 0 }, (side) => side);
  const statements = initStatements(unplaced, harness.password, grants);
  await Deno.writeTextFile(initPath, statements, { mode: 0o600 });

  const launch = (port: number, extra: string[]) =>
    startProcess([...serverCommand(program, data, options), `--port=${port}`, ...extra], {
      logPath: join(folder, `mysqld-${port}.log`),
    });

  // Another program may take the port before the server binds it; then the next one is tried.
  for (let attempt = 1;; attempt++) {
    const port = freePort();
    let process = launch(port, [`--init-file=${initPath}`]);
    const admin = { ...harness, port };
    const accounts = {
      subject: { ...unplaced.subject, port },
      reference: { ...unplaced.reference, port },
    };
    try {
      await untilAnswers(process, admin, signal);
      await warmPasswordCaches(accounts);
    } catch (error) {
      await process.stop({ signal: "SIGKILL" });
      if (attempt < 5 && (await logTail(process.logPath)).includes("Address already in use")) {
        continue;
      }
      throw error;
    }
    await Deno.remove(initPath);
    return {
      accounts,
      admin,
      pid: () => process.exited() === undefined ? process.pid : undefined,
      kill: async () => void await process.stop({ signal: "SIGKILL" }),
      shutDown: async () => void await process.stop({ timeoutMs: 60_000 }),
      restart: async () => {
        if (process.exited() === undefined) return;
        process = launch(port, []);
        await untilAnswers(process, admin, signal);
        await setUp(admin);
        await warmPasswordCaches(accounts);
      },
    };
  }
}

/** Sets on a copy what its template was not to have. */
async function setUp(admin: DatabaseAddress): Promise<void> {
  await using connection = await connectTo(admin);
  for (const statement of afterStart) await connection.query(statement);
}

function serverCommand(
  program: MysqldProgram,
  data: string,
  options: readonly string[] = startOptions,
): string[] {
  return [
    ...program.command,
    ...options,
    `--datadir=${data}`,
    "--bind-address=127.0.0.1",
    // None: the path of a socket is limited to 107 bytes, and nobody needs one.
    "--socket=",
    // MySQL refuses to run as root unless told to.
    ...(Deno.uid() === 0 ? ["--user=root"] : []),
  ];
}

/** The statements that the server runs before it answers. It wants one on each line. */
function initStatements(
  accounts: Record<SideName, DatabaseAddress>,
  harnessPassword: string,
  grants: readonly Grant[],
): string {
  return [
    `CREATE DATABASE IF NOT EXISTS ${ownName}`,
    ...createStatements(accounts, grants),
    "CREATE USER IF NOT EXISTS harness@'%'",
    `ALTER USER harness@'%' IDENTIFIED BY '${harnessPassword}'`,
    "GRANT ALL ON *.* TO harness@'%' WITH GRANT OPTION",
    "ALTER USER root@localhost ACCOUNT LOCK",
  ].map((statement) => `${statement};\n`).join("");
}

async function untilAnswers(
  process: Process,
  address: DatabaseAddress,
  signal: AbortSignal,
): Promise<void> {
  const deadline = Date.now() + 60_000;
  let last: unknown;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    const exit = process.exited();
    if (exit !== undefined) {
      throw new BenchError(
        `Cannot start MySQL: it ended with ${describeExit(exit)}, expected it to answer`,
        { help: await endOfLog(process.logPath) },
      );
    }
    let connection: Connection | undefined;
    try {
      connection = await connectTo(address);
      return;
    } catch (error) {
      last = error;
      await delay(20, { signal });
    } finally {
      await connection?.end();
    }
  }
  throw new BenchError(
    `Cannot connect to MySQL on port ${address.port} within 60 s: ${messageOf(last)}`,
    { help: await endOfLog(process.logPath), cause: last },
  );
}

async function copyFolder(
  from: string,
  to: string,
  options: { logPath: string; signal: AbortSignal },
): Promise<void> {
  // Shares the blocks where the file system can; the cp of macOS has no such option. With the dot, a template that is a
  // link to a folder is copied, too, and not the link: a server would write into the template.
  const reflink = Deno.build.os === "linux" ? ["--reflink=auto"] : [];
  const command = ["cp", "-a", ...reflink, `${from}/.`, to];
  await runOrThrow(`Cannot copy "${from}"`, command, options);
}
