/**
 * Start a server: initialises a data folder of mysqld, and starts a server on it with new passwords, on a free port of
 * 127.0.0.1.
 */
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { freePort } from "../lib/free_port.ts";
import { endOfLog, logTail } from "../lib/log_lines.ts";
import { describeExit, runOrThrow, startProcess } from "../lib/process.ts";
import { createStatements, newAccounts, secret } from "./accounts.ts";
import { connectTo, warmPasswordCaches } from "./connection.ts";
import type { DatabaseAddress, Grant, OpenDatabaseOptions, SideName } from "./database.ts";
import { ownName } from "./given_data.ts";
import { afterStart, startOptions } from "./settings.ts";
import { untilAnswers } from "./until_answers.ts";

const startSeconds = 60;

/** A server program: its command without options, and its version. */
export interface MysqldProgram {
  command: string[];
  version: string;
}

/** Makes `<folder>/data`, without any data of ours. */
export async function initialise(
  program: MysqldProgram,
  folder: string,
  signal: AbortSignal,
): Promise<void> {
  const command = [...serverCommand(program, join(folder, "data")), "--initialize-insecure"];
  const logPath = join(folder, "mysqld.log");
  await runOrThrow("Cannot initialise MySQL", command, { logPath, signal });
}

/** A running server. */
export interface Server {
  accounts: Record<SideName, DatabaseAddress>;
  admin: DatabaseAddress;
  pid(): number | undefined;
  kill(): Promise<void>;
  restart(): Promise<void>;
  /** @throws {BenchError} when it did not end by itself, with nothing wrong. */
  shutDown(): Promise<void>;
}

/** Starts the server on `<folder>/data` with new passwords, and waits until it answers. */
export async function startServer(
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
      endsWithHarness: true,
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
      await untilAnswers(admin, { process, seconds: startSeconds, signal });
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
      shutDown: async () => {
        const exit = await process.stop({ timeoutMs: 60_000 });
        if (exit.code === 0) return;
        throw new BenchError(
          `Cannot shut MySQL down: it ended with ${describeExit(exit)}, expected 0`,
          {
            help: await endOfLog(process.logPath),
          },
        );
      },
      restart: async () => {
        if (process.exited() === undefined) return;
        process = launch(port, []);
        await untilAnswers(admin, { process, seconds: startSeconds, signal });
        await setUp(admin);
        await warmPasswordCaches(accounts);
      },
    };
  }
}

/** Sets on a copy what its template was not to have. */
export async function setUp(admin: DatabaseAddress): Promise<void> {
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
