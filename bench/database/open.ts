/**
 * Which MySQL does this run use? Tries the providers in order and opens the first that there is: the server
 * that DATABASE_URL names, mysqld on PATH, the distribution's packages, Docker, Podman. A server that is
 * started here is private: own data, a free port of 127.0.0.1, gone when the database is disposed of.
 */
import type { Connection } from "mysql2/promise";
import { findContainers, openContainer } from "./container.ts";
import { findPackages, openPackages } from "./packages.ts";
import { findMysqld, openMysqld } from "./mysqld.ts";
import { findDatabaseUrl, openDatabaseUrl } from "./given.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import type { Report } from "../lib/report.ts";

export const providerNames = ["DATABASE_URL", "mysqld", "packages", "docker", "podman"] as const;
export type ProviderName = typeof providerNames[number];

/** What an implementation is given: the parts of `DATABASE_URL`. */
export interface DatabaseAddress {
  host: string;
  port: number;
  user: string;
  password: string;
  name: string;
}

/** A server that answers, and what is known about it. */
export interface Database extends AsyncDisposable {
  readonly provider: ProviderName;
  /** The user has rights on one schema only, where the server is ours. */
  readonly address: DatabaseAddress;
  /** The address as `mysql://…`. */
  readonly url: string;
  readonly engine: "MySQL" | "MariaDB";
  readonly version: string;
  /** The server variables that bear on a result. */
  readonly variables: Record<string, string>;
  /** The server's process, where it is ours; another one after an outage. */
  readonly pid?: number;
  /**
   * Opens a connection of the harness's own: it reads counters and changes rows.
   *
   * @throws {RunBroken} when the server is lost.
   */
  connect(): Promise<Connection>;
  /** Takes the server away and brings it back on the same port; absent where the server is not ours. */
  readonly outage?: { stop(): Promise<void>; start(): Promise<void> };
}

/** Options for {@linkcode openDatabase}. */
export interface OpenDatabaseOptions {
  report: Report;
  signal: AbortSignal;
  /** Deno's own environment unless told. */
  env?: Record<string, string>;
  /** Scratch folder for data and logs; what is made there for the server goes with the server. */
  folder: string;
}

/** What `just doctor` shows of one provider. */
export interface ProviderStatus {
  provider: ProviderName;
  available: boolean;
  /** Where it is and which version, or why it cannot be used. */
  detail: string;
  /** How to get it, where it is not available. */
  help?: string;
}

/**
 * Opens the first database that there is.
 *
 * @throws {BenchError} when the server of `DATABASE_URL` cannot be used, or when no provider gives one.
 */
export async function openDatabase(options: OpenDatabaseOptions): Promise<Database> {
  const { report, signal, env = Deno.env.toObject(), folder } = options;
  signal.throwIfAborted();
  if (env.DATABASE_URL) return await openDatabaseUrl(env.DATABASE_URL, { report, signal });

  const tried = [describe(await findDatabaseUrl(env, signal))];
  for (const { find, open } of privateProviders) {
    const status = await find(env, signal);
    if (!status.available) {
      tried.push(describe(status));
      continue;
    }
    try {
      return await open({ report, signal, env, folder });
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

/** Those that start a server of ours, in the order in which they are tried. */
const privateProviders: PrivateProvider[] = [
  { find: findMysqld, open: openMysqld },
  { find: findPackages, open: openPackages },
  ...(["docker", "podman"] as const).map((engine): PrivateProvider => ({
    find: (env, signal) => findContainers(engine, env, signal),
    open: (options) => openContainer(engine, options),
  })),
];
