import type { Database, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { checkVersion } from "./connection.ts";
import { type MysqldProgram, openPrivate } from "./private_server.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { findProgram } from "../lib/find_program.ts";

/** Tells whether PATH has a mysqld that can serve. */
export async function findMysqld(
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const provider = "mysqld";
  const path = await findProgram("mysqld", env);
  if (path === undefined) {
    return {
      provider,
      available: false,
      detail: "mysqld is not on PATH",
      help: "Install MySQL 8.0 or later, and put the folder of mysqld on PATH",
    };
  }
  try {
    const program = await readProgram([path, "--no-defaults"], signal);
    return { provider, available: true, detail: `MySQL ${program.version}, ${path}` };
  } catch (error) {
    signal.throwIfAborted();
    return { provider, available: false, detail: messageOf(error) };
  }
}

/** Starts a private server from the mysqld on PATH. */
export async function openMysqld(options: Required<OpenDatabaseOptions>): Promise<Database> {
  const path = await findProgram("mysqld", options.env);
  if (path === undefined) {
    throw new BenchError('Cannot start "mysqld": it is not on PATH, expected MySQL 8.0 or later');
  }
  const program = await readProgram([path, "--no-defaults"], options.signal);
  return await openPrivate("mysqld", program, options);
}

/**
 * Asks a mysqld for its version.
 *
 * @throws {BenchError} when it does not run, is too old, or is MariaDB's, which is initialised differently.
 */
export async function readProgram(command: string[], signal: AbortSignal): Promise<MysqldProgram> {
  const [program = "", ...args] = command;
  const output = await new Deno.Command(program, { args: [...args, "--version"], signal }).output();
  const text = new TextDecoder().decode(output.stdout).trim();
  const version = /Ver (\S+)/.exec(text)?.[1];
  if (version === undefined) {
    const said = text || new TextDecoder().decode(output.stderr).trim();
    throw new BenchError(`Cannot use "${program}": it says "${said}", expected its version`);
  }
  if (/mariadb/i.test(text)) {
    throw new BenchError(`Cannot use "${program}": it is MariaDB ${version}, expected MySQL`, {
      help: "Start MariaDB yourself and name it in DATABASE_URL",
    });
  }
  checkVersion("MySQL", version);
  return { command, version };
}
