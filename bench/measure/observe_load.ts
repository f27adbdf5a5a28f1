/**
 * Measure: what happens under load? Takes a running, warmed-up subject and a level; runs the load generator while the
 * side client checks answers and the counters of kernel and database are read; returns the observation, not yet
 * judged.
 */
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { watchClients } from "../machine/client_connections.ts";
import { BenchError } from "../lib/error.ts";
import { countLines } from "../lib/count_lines.ts";
import { type Load, type LoadOptions, type LoadOutcome, startLoad } from "../load/oha.ts";
import { describeExit, logTail } from "../lib/process.ts";
import { cpuSeconds } from "../machine/proc.ts";
import { startSampler } from "../machine/sampler.ts";
import type { Observation, Resources, Role } from "../results/result_schema.ts";
import type { PreparedScenario } from "../scenario/scenario.ts";
import type { Subject } from "../impl/start.ts";
import { countAnswers } from "./count_answers.ts";
import { countQueries, type QueryCount } from "./count_queries.ts";

/** Options for {@linkcode measure}. */
export interface MeasureOptions {
  load: LoadOptions;
  scenario: PreparedScenario;
  /** The harness's own connection to the scenario's database, if there is one; nothing else may use it meanwhile. */
  connection?: Connection;
  signal: AbortSignal;
  /** Called about once a second with the number of requests that have reached the database; 0 where there is none. */
  onProgress: (requests: number) => void;
  /** After this time without progress, the load is aborted as stalled; 30,000 by default. */
  stallMs?: number;
}

/** The load could not be finished because of the subject, so the failure is a result. */
export class LoadBroken extends BenchError {
  constructor(readonly code: "subject-exited" | "stalled", message: string, help: string) {
    super(message, { help });
  }
}

const pollMs = 1_000;

/**
 * Runs one load and observes it.
 *
 * @throws {LoadBroken} when the subject ended, or the load stalled for 30 s.
 */
export async function measure(subject: Subject, options: MeasureOptions): Promise<Observation> {
  const { scenario, connection, signal } = options;
  const database = scenario.database?.server.pid;
  const linesBefore = await countLines(subject.process.logPath);
  using sampler = startSampler(
    { subject: subject.process.pid, harness: Deno.pid, database },
    { isDatabaseHidden: scenario.database !== undefined && database === undefined },
  );
  using clients = watchClients(subject.url);
  const queries = connection && await countQueries(connection);
  await using sideClient = await scenario.startSideClient?.(subject, { signal });

  const startMs = performance.now();
  // Both clocks are read at the same moment, because one may be set while the load runs.
  const wallClockMs = Date.now() - startMs;
  await using load = startLoad(options.load);
  sampler.add("generator", load.pid);
  const outcome = await watch(load, subject, queries, options);
  const { beginMs, endMs } = timeOfLoad(outcome, startMs, wallClockMs);
  const resources = sampler.finish(beginMs, endMs);
  const side = await sideClient?.stop();

  const answers = countAnswers(outcome, scenario.rightLengths);
  const requests = answers.attempted;
  const opened = clients.finish();
  return {
    durationSeconds: outcome.durationSeconds,
    ...answers,
    // oha reconnects silently: its connections are all those opened, minus the side client's.
    reconnects: opened &&
      Math.max(0, opened - (side?.connections ?? 0) - options.load.connections),
    queries: await queries?.finish({ beginMs, endMs, requests, side }),
    log: { lines: await countLines(subject.process.logPath) - linesBefore },
    sideClient: side && { requests: side.requests, checks: side.checks, problems: side.problems },
    resources: resources && perAnswer(resources, answers.correct),
  };
}

/** Returns the time of a load, in milliseconds of `performance.now()`; `wallClockMs` is the wall clock minus that. */
export function timeOfLoad(
  { startedAtMs, durationSeconds }: LoadOutcome,
  startMs: number,
  wallClockMs: number,
): { beginMs: number; endMs: number } {
  const beginMs = startedAtMs === undefined
    ? startMs
    : Math.min(Math.max(startMs, startedAtMs - wallClockMs), performance.now());
  return { beginMs, endMs: beginMs + durationSeconds * 1000 };
}

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

/** Waits for the load's end; throws when the subject ends or the load stalls. */
async function watch(
  load: Load,
  subject: Subject,
  queries: QueryCount | undefined,
  { signal, load: { requests }, onProgress, stallMs = 30_000 }: MeasureOptions,
): Promise<LoadOutcome> {
  let outcome: LoadOutcome | undefined;
  const ended = load.outcome.then((value) => {
    outcome = value;
  });
  // The outcome may also reject while this function throws something else; that rejection must be handled.
  ended.catch(() => {});
  const { leastPerSecond, standstill: [is, expected] } =
    movement[queries === undefined ? "generator" : "queries"];
  const seen = [{ atMs: performance.now(), account: 0 }];
  while (true) {
    const pause = new AbortController();
    const pauseEnds = delay(pollMs, { signal: pause.signal }).catch(() => {});
    await Promise.race([ended, subject.process.status, pauseEnds]);
    pause.abort();
    signal.throwIfAborted();
    // Checked first, because the rest of a load against a closed port ends at once.
    const exit = subject.process.exited();
    if (exit !== undefined) {
      throw new LoadBroken(
        "subject-exited",
        `the process ended with ${describeExit(exit)} while the load ran, expected it to live`,
        await logTail(subject.process.logPath),
      );
    }
    if (outcome !== undefined) return outcome;
    const count = await queries?.read();
    onProgress(Math.min(requests, count ?? 0));
    const account = count ?? cpuSeconds(load.pid);
    // Without these counters, a load is never aborted.
    if (account === undefined) continue;
    const atMs = performance.now();
    seen.push({ atMs, account });
    const before = seen.findLast((reading) => atMs - reading.atMs >= stallMs);
    if (before === undefined) continue;
    const least = leastPerSecond * (atMs - before.atMs) / 1000;
    if (account - before.account >= least) continue;
    throw new LoadBroken(
      "stalled",
      `${is} for ${stallMs / 1000} s while the load ran, expected ${expected}`,
      await logTail(subject.process.logPath),
    );
  }
}

function perAnswer(resources: Resources, correct: number): Resources {
  if (correct === 0) return resources;
  const divide = (role: Role): Role => ({
    ...role,
    cpuSecondsPerAnswer: role.cpuSeconds / correct,
  });
  return {
    ...resources,
    subject: divide(resources.subject),
    database: resources.database && divide(resources.database),
    generator: divide(resources.generator),
    harness: divide(resources.harness),
  };
}
