/**
 * Which MySQL does this run use? Opens the first available provider: the server that DATABASE_URL names, mysqld on
 * PATH, the distribution's packages, Docker, Podman. A server started here is private: its own data, a free port of
 * 127.0.0.1, removed when the database is disposed of.
 */
import { findContainers, openContainer } from "./container.ts";
import { findPackages, keepPackages, openPackages, unpackedProgram } from "./packages.ts";
import { type EmptyServer, openEmpty } from "./private_server.ts";
import { findMysqld, mysqldOnPath, openMysqld } from "./mysqld.ts";
import { connectToGiven, findDatabaseUrl, openDatabaseUrl, parseDatabaseUrl } from "./given.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import {
  type Database,
  type OpenDatabaseOptions,
  providerNames,
  type ProviderStatus,
} from "./database.ts";

/**
 * Opens the first available database.
 *
 * @throws {BenchError} when the server of `DATABASE_URL` cannot be used, or no provider is available.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { report, signal, env = Deno.env.toObject() } = options;
  signal.throwIfAborted();
  if (env.DATABASE_URL) return await openDatabaseUrl(env.DATABASE_URL, options);

  const tried = [describe(await findDatabaseUrl(env, signal))];
  for (const { find, open } of privateProviders) {
    const status = await find(env, signal);
    if (!status.available) {
      tried.push(describe(status));
      continue;
    }
    try {
      return await open({ ...options, env });
    } catch (error) {
      signal.throwIfAborted();
      const help = error instanceof BenchError ? error.help : undefined;
      tried.push(`${status.provider}: ${messageOf(error)}${help === undefined ? "" : `\n${help}`}`);
      report.line(`${messageOf(error)}; trying the next provider`);
    }
  }
  throw new BenchError(
    `Cannot open a database: no provider works, expected one of ${providerNames.join(", ")}`,
    { help: tried.join("\n") },
  );
}

/**
 * Checks the server that DATABASE_URL names, if it is set, and leaves it as it is.
 *
 * @throws {BenchError} when the text, the server or its version cannot be used.
 */
export async function requireDatabaseUrl(): Promise<void> {
  const url = Deno.env.get("DATABASE_URL");
  if (url) await (await connectToGiven(parseDatabaseUrl(url))).end();
}

/**
 * Fetches what {@linkcode openDatabase} would have to fetch, so that it can run beside other work. Failures are left
 * to `openDatabase`, which reports them and tries the next provider.
 */
export async function fetchDatabase(
  { report, signal, env = Deno.env.toObject() }: Pick<
    OpenDatabaseOptions,
    "report" | "signal" | "env"
  >,
): Promise<void> {
  if (env.DATABASE_URL || (await findMysqld(env, signal)).available) return;
  if (!(await findPackages(env, signal)).available) return;
  await keepPackages({ report, signal, env }).catch(() => signal.throwIfAborted());
}

/**
 * Starts a server as a workflow's job has it beside itself: its database is empty, and it goes with the object. From
 * the distribution's packages; where there are none, from the mysqld on PATH.
 */
export async function openEmptyServer(
  { report, signal, folder, env = Deno.env.toObject() }: Pick<
    OpenDatabaseOptions,
    "report" | "signal" | "folder" | "env"
  >,
): Promise<EmptyServer> {
  const program = (await findPackages(env, signal)).available
    ? await unpackedProgram(await keepPackages({ report, signal, env }), signal)
    : await mysqldOnPath(env, signal);
  return await openEmpty(program, { folder, signal });
}

/** Looks at every provider and installs nothing. */
export async function inspectProviders(
  options: { signal: AbortSignal; env?: Record<string, string> },
): Promise<ProviderStatus[]> {
  const { signal, env = Deno.env.toObject() } = options;
  const statuses = [await findDatabaseUrl(env, signal)];
  for (const { find } of privateProviders) statuses.push(await find(env, signal));
  return statuses;
}

function describe({ provider, detail, help }: ProviderStatus): string {
  return `${provider}: ${detail}${help === undefined ? "" : `. ${help}`}`;
}

interface PrivateProvider {
  find(env: Record<string, string>, signal: AbortSignal): Promise<ProviderStatus>;
  open(options: Required<OpenDatabaseOptions>): Promise<Database>;
}

/** Providers that start a private server, in the order in which they are tried. */
const privateProviders: PrivateProvider[] = [
  { find: findMysqld, open: openMysqld },
  { find: findPackages, open: openPackages },
  ...(["docker", "podman"] as const).map((engine): PrivateProvider => ({
    find: (env, signal) => findContainers(engine, env, signal),
    open: (options) => openContainer(engine, options),
  })),
];
