/**
 * MySQL's official image, where Docker or Podman runs. No template: the image initialises itself, and its
 * data are loaded each time.
 */
import { delay } from "@std/async";
import { createStatements, newAccounts, secret } from "./accounts.ts";
import { connectTo, orRunBroken, readServer, warmPasswordCaches } from "./connection.ts";
import { requireCounting } from "./counters.ts";
import type { Database, DatabaseAddress, OpenDatabaseOptions, ProviderStatus } from "./database.ts";
import { cacheFolder, lockPath } from "../lib/cache.ts";
import { findProgram } from "../lib/find_program.ts";
import { freePort } from "../lib/free_port.ts";
import { holdLock, tryHoldLock } from "../lib/lock.ts";
import { outputOf } from "../lib/output_of.ts";
import { randomHex } from "../lib/random.ts";
import { ownName } from "./given_data.ts";
import { startOptions } from "./settings.ts";
import { setUp } from "./start_server.ts";
import { runSql } from "./sql.ts";
import { type Container, untilAnswers } from "./until_answers.ts";
import { BenchError, messageOf } from "../lib/error.ts";

export type Engine = "docker" | "podman";

/** The long-term release. */
const version = "9.7.2";
/** Its list of architectures. Some releases of Podman refuse a tag beside a digest. */
export const image =
  "docker.io/library/mysql@sha256:29abb0a179982e4a8928138bfc7f918af9eda64e7eeb1b1d084c1720a20159e6";

/** Every container has it; its value is the cache folder, which holds the container's lock. */
const label = "backbench.cache";

/** The image first runs a server without a network to initialise itself; only the final one answers. */
const startSeconds = 120;

/** Tells whether the container engine is installed and running. */
export async function findContainers(
  engine: Engine,
  env: Record<string, string>,
  signal: AbortSignal,
): Promise<ProviderStatus> {
  const path = await findProgram(engine, env);
  if (path === undefined) {
    return {
      provider: engine,
      available: false,
      detail: `${engine} is not on PATH`,
      help: `Install ${engine === "docker" ? "Docker" : "Podman"}`,
    };
  }
  const { success, stderr } = await outputOf([path, "info"], { signal });
  if (success) {
    return {
      provider: engine,
      available: true,
      detail: `MySQL ${version} in a container, ${path}`,
    };
  }
  const said = stderr.trim().split("\n").at(-1) ?? "";
  return {
    provider: engine,
    available: false,
    detail: `${path} cannot be used: ${said}`,
    help: `Start the service of ${engine}, or allow this user to use it`,
  };
}

/** Where a container's server is. */
export interface ContainerPlace {
  container: string;
  /** Of 127.0.0.1. */
  port: number;
  /** The cache folder. */
  cache: string;
  /** It uses this machine's own network; otherwise the engine passes connections on. */
  isOnHost: boolean;
}

/** Returns the arguments of the engine that start the server; its passwords come by the environment. */
export function runArguments({ container, port, cache, isOnHost }: ContainerPlace): string[] {
  return [
    "run",
    "--detach",
    "--name",
    container,
    "--label",
    `${label}=${cache}`,
    ...(isOnHost ? ["--network", "host"] : ["--publish", `127.0.0.1:${port}:3306`]),
    "--env",
    "MYSQL_ROOT_PASSWORD",
    "--env",
    "MYSQL_DATABASE",
    image,
    ...startOptions,
    ...(isOnHost ? [`--port=${port}`, "--bind-address=127.0.0.1"] : []),
  ];
}

/**
 * Tells whether containers can use this machine's own network. A published port of 127.0.0.1 is served by a process of
 * Docker (https://github.com/moby/moby/issues/13379), whose work would count for both sides of a comparison.
 */
export async function canUseHost(engine: Engine, run: Run, signal: AbortSignal): Promise<boolean> {
  if (Deno.build.os !== "linux") return false;
  if (engine === "podman") return true;
  try {
    const format = "{{.Name}}|{{.OperatingSystem}}|{{.SecurityOptions}}";
    const info = await run(["info", "--format", format], signal);
    // In a virtual machine, on another machine, or with names and users of their own, the host's network is another one.
    return info.startsWith(`${Deno.hostname()}|`) &&
      !/Docker Desktop|name=rootless|name=userns/.test(info);
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

/** Returns the process of the container's server, where this machine shows it. */
async function findServer(container: string, run: Run): Promise<number | undefined> {
  const pid = Number(await run(["inspect", "--format", "{{.State.Pid}}", container]));
  const name = await Deno.readTextFile(`/proc/${pid}/comm`).catch(() => "");
  return name.trim() === "mysqld" ? pid : undefined;
}

/** Runs the engine, and returns what it prints. */
export type Run = (args: string[], signal?: AbortSignal) => Promise<string>;

function runEngine(engine: Engine, path: string, env: Record<string, string>): Run {
  return async (args, signal) => {
    const { success, stdout, stderr } = await outputOf([path, ...args], { env, signal });
    if (success) return stdout;
    throw new BenchError(`Cannot run "${engine} ${args[0]}": ${stderr.trim()}`);
  };
}

const remove = (container: string, run: Run) => run(["rm", "--force", "--volumes", container]);

/** Seconds before the second and the third attempt to fetch the image: a registry refuses those who ask too often. */
const pullPauses = [15, 60];

/** Fetches the image where the engine has it not. */
export async function fetchImage(
  run: Run,
  { report, signal, pauses = pullPauses }:
    & Pick<OpenDatabaseOptions, "report" | "signal">
    & { pauses?: readonly number[] },
): Promise<void> {
  if (await run(["image", "inspect", image], signal).then(() => true, () => false)) return;
  signal.throwIfAborted();
  for (const pause of [...pauses, undefined]) {
    try {
      return void await run(["pull", "--quiet", image], signal);
    } catch (error) {
      signal.throwIfAborted();
      if (pause === undefined) throw error;
      report.line(`${messageOf(error)}; trying again in ${pause} s`);
      await delay(pause * 1_000, { signal });
    }
  }
}

/** Returns what is asked of a container while its server starts. */
function watched(container: string, engine: string): Container {
  const output = async (...args: string[]) => {
    const { stdout, stderr } = await outputOf([engine, ...args]);
    return (stdout + stderr).trim();
  };
  return {
    isRunning: async () =>
      await output("inspect", "--format", "{{.State.Running}}", container) === "true",
    log: () => output("logs", "--tail", "20", container),
  };
}

/**
 * Removes containers that a harness left when it was killed. They cannot be told to remove themselves (`--rm`): an outage
 * stops one and starts it again.
 */
async function removeLeftBehind(
  cache: string,
  run: Run,
  { report, signal }: Pick<OpenDatabaseOptions, "report" | "signal">,
): Promise<void> {
  const filter = ["--filter", `label=${label}=${cache}`, "--format", "{{.Names}}"];
  const names = await run(["ps", "--all", ...filter], signal);
  for (const container of names.split("\n").filter((name) => name !== "")) {
    await using lock = await tryHoldLock(lockPath(cache, container));
    if (lock === undefined) continue;
    await remove(container, run).catch((error) => report.line(messageOf(error)));
  }
}

/** Starts a private server in a container. */
export async function openContainer(
  engine: Engine,
  { report, signal, env, grants, sql }: Required<OpenDatabaseOptions>,
): Promise<Database> {
  const container = `backbench-${randomHex(6)}`;
  const cache = cacheFolder(env);
  const [name, password] = [ownName, secret()];
  const path = await findProgram(engine, env) ?? engine;
  const run = runEngine(engine, path, { MYSQL_ROOT_PASSWORD: password, MYSQL_DATABASE: name });
  const wait = { seconds: startSeconds, signal, container: watched(container, path) };

  await using stack = new AsyncDisposableStack();
  stack.use(await holdLock(lockPath(cache, container)));
  await removeLeftBehind(cache, run, { report, signal });
  report.line(`Starting MySQL ${version} with ${engine}; the first time, it is fetched`);
  await fetchImage(run, { report, signal });
  const isOnHost = await canUseHost(engine, run, signal);
  const start = async (attemptsLeft: number): Promise<DatabaseAddress> => {
    const root = { host: "127.0.0.1", port: freePort(), name, user: "root", password };
    try {
      await run(runArguments({ container, port: root.port, cache, isOnHost }), signal);
      await untilAnswers(root, wait);
      return root;
    } catch (error) {
      await remove(container, run).catch(() => {});
      // Another program may take the port before the server binds it.
      const help = error instanceof BenchError ? error.help : undefined;
      if (attemptsLeft === 0 || !help?.includes("Address already in use")) throw error;
      return await start(attemptsLeft - 1);
    }
  };
  const root = await start(4);
  try {
    const accounts = newAccounts({ host: root.host, port: root.port, name }, (side) => side);
    await using connection = await connectTo(root);
    await runSql(connection, sql, { signal });
    for (const statement of createStatements(accounts, grants)) await connection.query(statement);
    await setUp(root);
    await warmPasswordCaches(accounts);
    const facts = await readServer(connection);
    const counting = await requireCounting(connection, accounts.subject);
    let pid = await findServer(container, run);
    stack.defer(async () => void await remove(container, run));
    const opened = stack.move();
    return {
      provider: engine,
      accounts,
      accountsAreOurs: true,
      counting,
      address: accounts.subject,
      ...facts,
      get pid() {
        return pid;
      },
      connect: () => orRunBroken(() => connectTo(root)),
      outage: {
        stop: async () => {
          await run(["kill", container]);
          pid = undefined;
        },
        start: async () => {
          await run(["start", container]);
          await untilAnswers(root, wait);
          pid = await findServer(container, run);
          await setUp(root);
          await warmPasswordCaches(accounts);
        },
      },
      [Symbol.asyncDispose]: () => opened.disposeAsync(),
    };
  } catch (error) {
    await remove(container, run).catch(() => {});
    throw error;
  }
}
