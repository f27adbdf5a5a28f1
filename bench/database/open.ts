/**
 * Which MySQL does this run use? Opens the server that DATABASE_URL names, or the provider that BACKBENCH_DATABASE names,
 * or the first available one: mysqld on PATH, the distribution's packages, Docker, Podman. A server started here is
 * private: its own data, a free port of 127.0.0.1, removed when the database is disposed of.
 */
import { findContainers, openContainer } from "./container.ts";
import { findPackages, keepPackages, openPackages } from "./packages.ts";
import { findMysqld, openMysqld } from "./mysqld.ts";
import { connectToGiven, findDatabaseUrl, openDatabaseUrl, parseDatabaseUrl } from "./given.ts";
import { BenchError, messageOf } from "../lib/error.ts";
import type { Database, OpenDatabaseOptions, ProviderName, ProviderStatus } from "./database.ts";

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
  const providers = providersFor(env);
  for (const { find, open } of providers) {
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
      if (providers.length > 1) report.line(`${messageOf(error)}; trying the next provider`);
    }
  }
  throw new BenchError(
    `Cannot open a database: no provider works, expected one of ${
      ["DATABASE_URL", ...providers.map(({ name }) => name)].join(", ")
    }`,
    { help: tried.join("\n") },
  );
}

/**
 * Checks the server that DATABASE_URL names, if it is set, and leaves it as it is; otherwise the name in
 * BACKBENCH_DATABASE.
 *
 * @throws {BenchError} when the text, the server or its version cannot be used.
 */
export async function requireChosenDatabase(): Promise<void> {
  const url = Deno.env.get("DATABASE_URL");
  if (url) await (await connectToGiven(parseDatabaseUrl(url))).end();
  else providersFor(Deno.env.toObject());
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
  if (env.DATABASE_URL) return;
  for (const { name, find } of providersFor(env)) {
    if (!(await find(env, signal)).available) continue;
    if (name !== "packages") return;
    return void await keepPackages({ report, signal, env }).catch(() => signal.throwIfAborted());
  }
}

/** Looks at every provider that {@linkcode openDatabase} would try, and installs nothing. */
export async function inspectProviders(
  options: { signal: AbortSignal; env?: Record<string, string> },
): Promise<ProviderStatus[]> {
  const { signal, env = Deno.env.toObject() } = options;
  const statuses = [await findDatabaseUrl(env, signal)];
  // No other is tried then.
  if (env.DATABASE_URL) return statuses;
  for (const { find } of providersFor(env)) statuses.push(await find(env, signal));
  return statuses;
}

function describe({ provider, detail, help }: ProviderStatus): string {
  return `${provider}: ${detail}${help === undefined ? "" : `. ${help}`}`;
}

interface PrivateProvider {
  name: ProviderName;
  find(env: Record<string, string>, signal: AbortSignal): Promise<ProviderStatus>;
  open(options: Required<OpenDatabaseOptions>): Promise<Database>;
}

/** Providers that start a private server, in the order in which they are tried. */
const privateProviders: PrivateProvider[] = [
  { name: "mysqld", find: findMysqld, open: openMysqld },
  { name: "packages", find: findPackages, open: openPackages },
  ...(["docker", "podman"] as const).map((engine): PrivateProvider => ({
    name: engine,
    find: (env, signal) => findContainers(engine, env, signal),
    open: (options) => openContainer(engine, options),
  })),
];

/**
 * Returns the providers to try: the one that BACKBENCH_DATABASE names, or all.
 *
 * @throws {BenchError} when it names none.
 */
function providersFor({ BACKBENCH_DATABASE: wanted }: Record<string, string>): PrivateProvider[] {
  if (!wanted) return privateProviders;
  const found = privateProviders.filter(({ name }) => name === wanted);
  if (found.length > 0) return found;
  const names = privateProviders.map(({ name }) => name).join(", ");
  throw new BenchError(
    `Cannot use "BACKBENCH_DATABASE": it is "${wanted}", expected one of ${names}`,
  );
}
