import type { Database, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { checkVersion } from "./connection.ts";
import { openPrivate } from "./private_server.ts";
import type { MysqldProgram } from "./start_server.ts";
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import { findProgram } from "../lib/find_program.ts";
import { outputOf } from "../lib/output_of.ts";

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
  const program = await mysqldOnPath(options.env, options.signal);
  try {
    return await openPrivate("mysqld", program, options);
  } catch (error) {
    const confined = await describeConfinement(program.command[0]!);
    if (confined === undefined || !(error instanceof BenchError)) throw error;
    const help = error.help === undefined ? confined : `${confined}\n${error.help}`;
    throw new BenchError(error.message, { help, cause: error });
  }
}

/**
 * Returns the mysqld on PATH.
 *
 * @throws {BenchError} when there is none, or none that can serve.
 */
export async function mysqldOnPath(
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<MysqldProgram> {
  const path = await findProgram("mysqld", env);
  if (path === undefined) {
    throw new BenchError('Cannot start "mysqld": it is not on PATH, expected MySQL 8.0 or later');
  }
  return await readProgram([path, "--no-defaults"], signal);
}

/**
 * Says so where AppArmor confines a program: Ubuntu's package lets mysqld use the folders of its service only, and what
 * mysqld says then is that it may not write. A profile goes by the path of the program, and so does the name of its file.
 */
export async function describeConfinement(
  path: string,
  profiles = "/etc/apparmor.d",
): Promise<string | undefined> {
  const profile = join(profiles, path.slice(1).replaceAll("/", "."));
  if (!await exists(profile)) return undefined;
  return `AppArmor confines ${path} to the folders of its service (${profile}): ` +
    "it cannot use a folder of ours, and the distribution's packages, unpacked, can";
}

/**
 * Asks a mysqld for its version.
 *
 * @throws {BenchError} when it does not run, is too old, or is MariaDB's, which is initialised differently.
 */
export async function readProgram(command: string[], signal: AbortSignal): Promise<MysqldProgram> {
  const [program] = command;
  const { stdout, stderr } = await outputOf([...command, "--version"], { signal });
  const text = stdout.trim();
  const version = /Ver (\S+)/.exec(text)?.[1];
  if (version === undefined) {
    const said = text || stderr.trim();
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
