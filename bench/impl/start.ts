/**
 * Start: is the implementation up? Takes a built implementation, the run's secret and database; returns a running
 * server on a free port of 127.0.0.1, in its own process group, with its log in a file. All its processes stay below the
 * launcher. It is up when it answers HTTP with any status; verification judges the answer.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import type { DatabaseAddress } from "../database/database.ts";
import type { Impl } from "./impl.ts";
import { urlOf } from "../database/connection.ts";
import { BenchError } from "../lib/error.ts";
import { type Failure, request } from "../lib/http_client.ts";
import { freePort, isTaken } from "../lib/free_port.ts";
import { listeningPorts } from "../machine/listening_ports.ts";
import { endOfLog } from "../lib/log_lines.ts";
import { type Report, silent } from "../lib/report.ts";
import { describeExit, type Process, startProcess } from "../lib/process.ts";
import { startEnvironment, type Toolchain } from "./toolchains.ts";

/** What servers can be given; each gets what its scenarios need. */
export interface Surroundings {
  database?: { address: DatabaseAddress };
  poolMax: number;
  secret: string;
  upstream?: { url: string };
}

/** An implementation, and the toolchain that starts it. */
export interface Startable {
  impl: Impl;
  toolchain: Toolchain;
}

/** A running implementation. Disposing of it stops all its processes. */
export interface Subject extends AsyncDisposable {
  readonly impl: Impl;
  /** Base URL, without a path: `http://127.0.0.1:<port>`. */
  readonly url: string;
  readonly process: Process;
}

/** An implementation did not start: its own fault, whatever it was started for. */
export class StartError extends BenchError {}

/** Options for {@linkcode startSubject}. */
export interface StartOptions {
  toolchain: Toolchain;
  surroundings: Surroundings;
  /** Path of the launcher, which finds all processes of the server; absent where the system has no use for it. */
  launcher?: string;
  /** Where the log goes. */
  folder: string;
  signal: AbortSignal;
  /** How long the server may take to answer, in milliseconds; 60,000 by default. */
  timeoutMs?: number;
  /** Where a line says what a slow start waits for; nowhere by default. */
  report?: Report;
}

/** After how long a person is told what a start waits for, in milliseconds. */
const patienceMs = 5_000;

/** On how many ports a start is tried, where another program took the one that was free. */
const mostPorts = 3;

/**
 * Starts an implementation and waits until it answers.
 *
 * @throws {StartError} with the log's tail, when it dies, does not listen in time or listens elsewhere.
 */
export async function startSubject(impl: Impl, options: StartOptions): Promise<Subject> {
  for (let tried = 1;; tried++) {
    const port = freePort();
    try {
      return await startOn(port, impl, options);
    } catch (error) {
      // It has been stopped: what listens there now is hardly its own. What its log says decides nothing.
      if (!(error instanceof StartError && tried < mostPorts && isTaken(port))) throw error;
    }
  }
}

async function startOn(port: number, impl: Impl, options: StartOptions): Promise<Subject> {
  const logPath = join(options.folder, `${impl.id}-${port}.log`);
  const process = startProcess(impl.manifest.start, {
    cwd: impl.folder,
    env: {
      ...startEnvironment(options.toolchain),
      ...contractEnvironment(impl, port, options.surroundings),
    },
    clearEnv: true,
    logPath,
    launcher: options.launcher,
  });
  const url = `http://127.0.0.1:${port}`;
  try {
    await waitUntilUp(impl, process, url, options);
  } catch (error) {
    await process.stop({ signal: "SIGKILL" });
    throw error;
  }
  return {
    impl,
    url,
    process,
    [Symbol.asyncDispose]: async () => {
      await process[Symbol.asyncDispose]();
      // A server may log more than the disk has room for all of a run.
      await Deno.remove(logPath).catch(() => {});
    },
  };
}

/** Returns the variables that the contract gives to a server. */
export function contractEnvironment(
  { needs }: Pick<Impl, "needs">,
  port: number,
  { database, poolMax, secret, upstream }: Surroundings,
): Record<string, string> {
  const environment: Record<string, string> = { HOST: "127.0.0.1", PORT: String(port) };
  if (needs.includes("database") && database !== undefined) {
    const { host, port, user, password, name } = database.address;
    Object.assign(environment, {
      DATABASE_URL: urlOf(database.address),
      DB_HOST: host,
      DB_PORT: String(port),
      DB_USER: user,
      DB_PASSWORD: password,
      DB_NAME: name,
      DB_POOL_MAX: String(poolMax),
    });
  }
  if (needs.includes("tokens")) environment.JWT_SECRET = secret;
  if (needs.includes("upstream") && upstream !== undefined) environment.UPSTREAM_URL = upstream.url;
  return environment;
}

async function waitUntilUp(
  impl: Impl,
  process: Process,
  url: string,
  { signal, timeoutMs = 60_000, report = silent }: StartOptions,
): Promise<void> {
  const { port } = new URL(url);
  const begin = performance.now();
  const deadline = begin + timeoutMs;
  let isTold = false;
  let last: Failure["reason"] = "timed out";
  const whereItListens = async () =>
    describeListening(await listeningPorts(process.pid), { port: Number(port), last });
  while (performance.now() < deadline) {
    signal.throwIfAborted();
    const exit = process.exited();
    if (exit !== undefined) {
      throw new StartError(
        `Cannot start "${impl.id}": its process ended with ${
          describeExit(exit)
        } before it answered, expected it to listen on ${url}`,
        { help: await endOfLog(process.logPath) },
      );
    }
    const answer = await request(url, { signal, timeoutMs: 2_000 });
    // Another server may have taken the port, and would be measured instead.
    if (answer.kind === "answer" && await listensOn(process.pid, port)) return;
    last = answer.kind === "answer" ? "connection refused" : answer.reason;
    await delay(50, { signal });
    if (!isTold && performance.now() > begin + patienceMs) {
      isTold = true;
      report.line(
        [
          `Waiting for "${impl.id}" to answer on ${url}/, for ${timeoutMs / 1000} s at most.`,
          await whereItListens(),
        ].join(" ").trim(),
      );
    }
  }
  const where = await whereItListens();
  throw new StartError(
    `Cannot reach ${url}/ within ${
      timeoutMs / 1000
    } s: ${last}, expected "${impl.id}" to answer there`,
    { help: `${where && `${where}\n`}${await endOfLog(process.logPath)}` },
  );
}

/** Says where a server listens that cannot be reached; empty where it listens nowhere, or only answers too late. */
export function describeListening(
  ports: readonly number[],
  { port, last }: { port: number; last: Failure["reason"] },
): string {
  if (ports.length === 0) return "";
  if (!ports.includes(port)) {
    const named = `port${ports.length === 1 ? "" : "s"} ${ports.join(", ")}`;
    return `It listens on ${named} instead: read PORT.`;
  }
  if (last !== "connection refused") return "";
  return `It listens on port ${port}, but not on 127.0.0.1: read HOST.`;
}

/** Tells whether a process listens on a port; true if the system does not report it. */
async function listensOn(pid: number, port: string): Promise<boolean> {
  return Deno.build.os !== "linux" || (await listeningPorts(pid)).includes(Number(port));
}
