/**
 * Starts one burst of `native/burst`: many users at once, each with one request over a connection of its own. The only
 * module that knows its arguments and its report.
 *
 * oha cannot do this: it stores nothing of requests that fail, counts from before the connection, so that an early
 * answer after a slow connection is not seen, and where a connection ends before its request it opens another one and
 * starts the clock again.
 */
import { join } from "@std/path";
import { z } from "zod";
import { messageOf, RunBroken } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import type { Addresses } from "../lib/loopback.ts";
import { logTail } from "../lib/log_lines.ts";
import { describeExit, startProcess } from "../lib/process.ts";

/** Options for {@linkcode startBurst}. */
export interface BurstOptions {
  /** Of the compiled `native/burst`. */
  path: string;
  /** Base URL with an address, without a path. */
  url: string;
  /** The path that each user asks for. */
  paths: readonly string[];
  /** How long a user waits from connecting to the answer. */
  patienceSeconds: number;
  /** Where users come from; an address of the system's choice if absent. */
  sources?: Addresses;
  /** Receives `burst.log`, `burst-paths` and `burst.json`; holds one burst at a time. */
  folder: string;
  /** Stops the burst at once when it aborts; the outcome then rejects with the reason. */
  signal: AbortSignal;
}

/** A running burst; disposing of it stops it at once. */
export interface Burst extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when all users have left, before what became of them is read. */
  readonly ended: Promise<unknown>;
  /** What became of them; rejects with {@linkcode RunBroken} where the load generator failed. */
  readonly outcome: Promise<BurstOutcome>;
}

/** What a burst came to. */
export interface BurstOutcome {
  /** Connections open at one time, at most. */
  peakConnected: number;
  /** In the order of the paths. */
  visits: Visit[];
}

/** What happened to one user; times are seconds since the burst began. */
export interface Visit {
  /** When it began to connect. */
  startSeconds: number;
  /** When it left. */
  endSeconds: number;
  /** Just before its request was written; absent if it never connected. */
  sentSeconds?: number;
  /** Why there is no answer: refused, reset, closed, never-connected, timed-out, not-http, out-of-ports, …. */
  failure?: string;
  /** The body is its first 64 bytes, as UTF-8: no right one is longer. */
  answer?: { status: number; body: string };
}

const time = z.int().nonnegative();
const rowSchema = z.tuple([
  time,
  time.nullable(),
  time,
  z.string().nullable(),
  z.int().nullable(),
  z.string().nullable(),
]);
const reportSchema = z.strictObject({ peakConnected: z.int(), users: z.array(rowSchema) });

/** Starts a burst; the process runs until the last user has left. */
export function startBurst(options: BurstOptions): Burst {
  const { path, url, paths, patienceSeconds, sources, folder, signal } = options;
  const logPath = join(folder, "burst.log");
  const pathsPath = join(folder, "burst-paths");
  const reportPath = join(folder, "burst.json");
  Deno.writeTextFileSync(logPath, "");
  Deno.writeTextFileSync(pathsPath, paths.map((path) => `${path}\n`).join(""));
  const process = startProcess([
    path,
    new URL(url).host,
    pathsPath,
    `${Math.round(1_000 * patienceSeconds)}`,
    sources === undefined ? "-" : `${sources.first}+${sources.count}`,
    reportPath,
  ], { logPath, env: {}, clearEnv: true, signal, stopSignal: "SIGKILL" });
  const reduce = async (): Promise<BurstOutcome> => {
    const exit = await process.status;
    signal.throwIfAborted();
    try {
      if (exit.code !== 0) throw new Error(`it ended with ${describeExit(exit)}, expected 0`);
      return parseReport(await Deno.readTextFile(reportPath));
    } catch (error) {
      throw new RunBroken(
        `Cannot send ${formatInteger(paths.length)} users to "${url}": ${messageOf(error)}`,
        { help: await logTail(logPath), cause: error },
      );
    }
  };
  const outcome = reduce();
  // Callers that stop a burst may ignore its outcome.
  outcome.catch(() => {});
  return {
    pid: process.pid,
    ended: process.status,
    outcome,
    [Symbol.asyncDispose]: async () => {
      await process.stop();
      await outcome.catch(() => {});
    },
  };
}

/** Reads the report of `native/burst`, see its `user.rs` for a row. */
function parseReport(text: string): BurstOutcome {
  const { peakConnected, users } = reportSchema.parse(JSON.parse(text));
  const visits = users.map(([start, sent, end, failure, status, body]) => ({
    startSeconds: start / 1e6,
    endSeconds: end / 1e6,
    sentSeconds: sent === null ? undefined : sent / 1e6,
    failure: failure ?? undefined,
    answer: status === null
      ? undefined
      : { status, body: new TextDecoder().decode(Uint8Array.fromHex(body ?? "")) },
  }));
  return { peakConnected, visits };
}
