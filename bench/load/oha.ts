/**
 * Starts one load of oha, in a closed loop or at a fixed rate. The only module that knows oha's options;
 * `oha_output.ts` reads its output.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { BenchError, messageOf, RunBroken } from "../lib/error.ts";
import { formatInteger } from "../lib/format_integer.ts";
import { countFailed, parseSummary, readResponses, type ResponseColumns } from "./oha_output.ts";
import { logTail } from "../lib/log_lines.ts";
import { describeExit, type Process, startProcess } from "../lib/process.ts";
import { send } from "../lib/signals.ts";

export type { ResponseColumns };

/** Options for {@linkcode startLoad}. */
export interface LoadOptions {
  ohaPath: string;
  url: string;
  /** Open connections, each with one request at a time. */
  connections: number;
  /** At least one for each connection. */
  requests: number;
  /**
   * A file of JSON Lines, one request each: `{"method":"POST","path":"/visits","headers":{"name":"value"},"body":"…"}`.
   * Every key may be left out; the default is a GET of the URL without a body. Each request of the load, of whichever
   * connection, is the next line; after the last line comes the first.
   */
  requestsPath: string;
  /** The line to begin with, counted from 0. */
  firstLine: number;
  requestTimeoutSeconds: number;
  /** Whether requests share connections, as many as there are; false gives each request one of its own. True by default. */
  keepAlive?: boolean;
  /** Receives `oha.log` and `oha.json`; holds one load at a time. */
  folder: string;
  /** Stops the load at once when it aborts; the outcome then rejects with the reason. */
  signal: AbortSignal;
}

/**
 * A load of a fixed duration, where {@linkcode LoadOptions} is one of a fixed number of requests. Requests in flight at
 * its end are waited for.
 */
export interface TimedLoadOptions extends Omit<LoadOptions, "requests"> {
  seconds: number;
  /**
   * Open loop: requests that become due per second, evenly, whether or not others were answered. Without it, a closed
   * loop.
   */
  ratePerSecond?: number;
}

/** A running load; disposing of it stops it at once. */
export interface Load extends AsyncDisposable {
  readonly pid: number;
  /** Resolves when oha is about to send its first request, or ended without one. */
  readonly begun: Promise<unknown>;
  /**
   * Ends a closed loop of a fixed duration before its time: what is in flight is still waited for. Not with its first
   * requests: oha may not listen for the signal yet, which would kill it.
   */
  end(): void;
  /** Resolves when oha has ended: every request was answered or failed, and the rows are stored. */
  readonly ended: Promise<unknown>;
  /** Resolves when oha has ended and its rows are reduced to columns; rejects with {@linkcode RunBroken} where it failed. */
  readonly outcome: Promise<LoadOutcome>;
}

/** The outcome of a load. Times are seconds since its start. */
export interface LoadOutcome {
  /** Duration of the load alone, without oha reading its files and storing its rows. */
  durationSeconds: number;
  /**
   * When the load began, in milliseconds since the epoch, at most about 10 ms early; absent if files have no birth
   * time.
   */
  startedAtMs?: number;
  /** An entry for each answered request, in order of end. */
  responses: ResponseColumns;
  /** Unanswered requests by class, see {@linkcode failureClass}. */
  errors: Record<string, number>;
  /**
   * Lines of the file that this load read, at most: one for each answered or failed request, and one for each
   * connection, which may have read a line that it did not send.
   */
  linesUsed: number;
}

/**
 * Starts a load; the process runs until every request was answered or failed, or the time is up.
 *
 * @throws {BenchError} when there are fewer requests than connections.
 * @throws the reason of `signal` when that has aborted.
 */
export function startLoad(options: LoadOptions | TimedLoadOptions): Load {
  const { connections, folder, signal } = options;
  if ("requests" in options && options.requests < connections) {
    const [few, many] = [options.requests, connections].map(formatInteger);
    // oha would silently open fewer connections.
    throw new BenchError(
      `Cannot load "${options.url}": ${few} requests for ${many} connections, expected at least one for each`,
    );
  }
  const ratePerSecond = "seconds" in options ? options.ratePerSecond : undefined;
  const logPath = join(folder, "oha.log");
  const summaryPath = join(folder, "oha.json");
  const databasePath = join(folder, "oha.db");
  // oha appends to an existing database.
  for (const path of [logPath, summaryPath, databasePath]) removeIfThere(path);

  const process = startProcess([
    options.ohaPath,
    ...("seconds" in options
      ? ["-z", milliseconds(options.seconds)]
      : ["-n", `${options.requests}`]),
    ...["-c", `${connections}`],
    // With --wait…, every request that was sent has been answered or has failed at the end.
    ...("seconds" in options ? ["--wait-ongoing-requests-after-deadline"] : []),
    ...(ratePerSecond === undefined ? [] : ["-q", `${ratePerSecond}`, "--latency-correction"]),
    // Without a limit, oha waits forever for an answer that never comes.
    ...["-t", milliseconds(options.requestTimeoutSeconds)],
    // Its own limit for connecting is 5 s, and counts as the same failure.
    ...["--connect-timeout", milliseconds(options.requestTimeoutSeconds)],
    ...(options.keepAlive === false ? ["--disable-keepalive"] : []),
    ...["--requests-file", options.requestsPath, "--requests-file-start", `${options.firstLine}`],
    ...["--output-format", "json", "--output", summaryPath, "--db-url", databasePath],
    ...["--no-tui", "--no-color", options.url],
    // oha also reads its number of threads from the environment.
    // One that is frozen when the harness is killed would stay for ever.
  ], {
    logPath,
    env: {},
    clearEnv: true,
    endsWithHarness: true,
    signal,
    stopSignal: "SIGKILL",
  });

  const reduce = async (): Promise<LoadOutcome> => {
    const exit = await process.status;
    try {
      if (exit.code !== 0) {
        throw new RunBroken(
          `Cannot load "${options.url}": oha ended with ${describeExit(exit)}, expected 0`,
        );
      }
      const summary = parseSummary(await Deno.readTextFile(summaryPath));
      const birth = (await Deno.stat(summaryPath)).birthtime;
      return {
        durationSeconds: summary.durationSeconds,
        // oha creates this file just before its first request, and fills it at the end.
        startedAtMs: birth?.getTime(),
        responses: readResponses(databasePath, summary, ratePerSecond),
        errors: summary.errors,
        linesUsed: summary.answered + countFailed(summary) + connections,
      };
    } catch (error) {
      signal.throwIfAborted();
      throw new RunBroken(messageOf(error), { help: await logTail(logPath), cause: error });
    } finally {
      removeIfThere(databasePath);
    }
  };
  const outcome = reduce();
  // Callers that stop a load may ignore its outcome.
  outcome.catch(() => {});
  return {
    pid: process.pid,
    begun: begin(process, summaryPath),
    end: () => {
      // In a closed loop, oha takes SIGINT for the end of the time.
      if (process.exited() === undefined) send(process.pid, "SIGINT");
    },
    ended: process.status,
    outcome,
    [Symbol.asyncDispose]: async () => {
      await process.stop();
      await outcome.catch(() => {});
    },
  };
}

function milliseconds(seconds: number): string {
  return `${Math.round(seconds * 1000)}ms`;
}

/** Waits for the file that oha creates just before its first request. */
async function begin(process: Process, summaryPath: string): Promise<void> {
  while (process.exited() === undefined && !await exists(summaryPath)) await delay(2);
}

function removeIfThere(path: string): void {
  try {
    Deno.removeSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
