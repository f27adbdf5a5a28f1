/**
 * Watch a load: does its server live, and does it come on? Takes a load that has begun; returns its outcome, or throws
 * when the server ended or the load stalled.
 */
import { delay } from "@std/async";
import { BenchError } from "../lib/error.ts";
import { logTail } from "../lib/log_lines.ts";
import { describeExit, type Process } from "../lib/process.ts";
import type { Load, LoadOutcome } from "../load/oha.ts";
import { cpuSeconds } from "../machine/proc.ts";
import type { StatementCount } from "./count_statements.ts";

/** The load could not be finished because of the server, so the failure is a result. */
export class LoadBroken extends BenchError {
  constructor(readonly code: "subject-exited" | "stalled", message: string, help: string) {
    super(message, { help });
  }
}

const pollMs = 1_000;

/** Minimum growth of a counter per second while a load makes progress, and the message where it stalls. */
const movement = {
  queries: {
    leastPerSecond: 20,
    standstill: ["hardly a query reached the database", "one for each request"],
  },
  /** CPU seconds of the load generator: one that waits for answers uses none. */
  generator: {
    leastPerSecond: 0.003,
    standstill: ["the load generator had hardly anything to do", "answers to its requests"],
  },
} as const;

/**
 * A load generator that has its answers stores them: no query comes meanwhile, for some 40 s after 5,000,000 requests. It
 * uses at least so many CPU seconds per second then, and takes at most so many times the time of a stall.
 */
const storing = { leastPerSecond: 0.1, mostStalls: 5 };

/** Options for {@linkcode watchLoad}. */
export interface WatchOptions {
  /** Counts the statements of the load; where it is absent, CPU time of the load generator tells that it comes on. */
  count?: StatementCount;
  signal: AbortSignal;
  /** After this time without progress the load has stalled; 30,000 by default. */
  stallMs?: number;
  /** Called about once a second with the number of statements so far; 0 without a count. */
  onProgress?: (statements: number) => void;
}

/**
 * Waits for the load's end.
 *
 * @throws {LoadBroken} when the server ends, or the load stalls.
 */
export async function watchLoad(
  load: Load,
  { process }: { process: Process },
  { count, signal, stallMs = 30_000, onProgress = () => {} }: WatchOptions,
): Promise<LoadOutcome> {
  let outcome: LoadOutcome | undefined;
  const ended = load.outcome.then((value) => {
    outcome = value;
  });
  // The outcome may also reject while this function throws something else; that rejection must be handled.
  ended.catch(() => {});
  const { leastPerSecond, standstill: [is, expected] } =
    movement[count === undefined ? "generator" : "queries"];
  let movedMs = performance.now();
  const seen = [{ atMs: performance.now(), account: 0, generatorSeconds: 0 }];
  while (true) {
    const pause = new AbortController();
    const pauseEnds = delay(pollMs, { signal: pause.signal }).catch(() => {});
    await Promise.race([ended, process.status, pauseEnds]);
    pause.abort();
    signal.throwIfAborted();
    // Checked first, because the rest of a load against a closed port ends at once.
    const exit = process.exited();
    if (exit !== undefined) {
      throw new LoadBroken(
        "subject-exited",
        `the process ended with ${describeExit(exit)} while the load ran, expected it to live`,
        await logTail(process.logPath),
      );
    }
    if (outcome !== undefined) return outcome;
    const statements = await count?.read();
    onProgress(statements ?? 0);
    const generatorSeconds = cpuSeconds(load.pid);
    const account = statements ?? generatorSeconds;
    // Without these counters, a load is never aborted.
    if (account === undefined) continue;
    const atMs = performance.now();
    seen.push({ atMs, account, generatorSeconds: generatorSeconds ?? 0 });
    const before = seen.findLast((reading) => atMs - reading.atMs >= stallMs);
    if (before === undefined) continue;
    const seconds = (atMs - before.atMs) / 1000;
    if (account - before.account >= leastPerSecond * seconds) {
      movedMs = atMs;
      continue;
    }
    const worked = (generatorSeconds ?? 0) - before.generatorSeconds;
    const mayStore = atMs - movedMs < storing.mostStalls * stallMs;
    if (mayStore && worked >= storing.leastPerSecond * seconds) continue;
    throw new LoadBroken(
      "stalled",
      `${is} for ${stallMs / 1000} s while the load ran, expected ${expected}`,
      await logTail(process.logPath),
    );
  }
}
