/**
 * Measure: what happens under load? Takes a running, warmed-up subject and a level; runs the load generator
 * while a side client asks what it knows the answer to, and while the kernel's and the database's accounts
 * are read; gives the observation, not yet judged.
 */
import { delay } from "@std/async";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { Connection } from "mysql2/promise";
import { watchClients } from "../machine/client_connections.ts";
import { type Counters, readCounters, resetPeakConnections } from "../database/counters.ts";
import type { Database } from "../database/database.ts";
import { BenchError } from "../lib/error.ts";
import { countLines } from "../lib/count_lines.ts";
import {
  type Load,
  type LoadOptions,
  type LoadOutcome,
  type ResponseColumns,
  startLoad,
} from "../load/oha.ts";
import { describeExit, logTail } from "../lib/process.ts";
import { startSampler } from "../machine/sampler.ts";
import type { Observation, Resources, Role } from "../results/result_schema.ts";
import type { PreparedScenario } from "../scenario/scenario.ts";
import type { Subject } from "../impl/start.ts";
import {
  countPerInterval,
  createLatencyHistogram,
  seriesIntervalSeconds,
} from "../statistics/mod.ts";

/** Options for {@linkcode measure}. */
export interface MeasureOptions {
  load: LoadOptions;
  scenario: PreparedScenario;
  database: Database;
  /** Of the harness's own; nothing else may use it meanwhile. */
  connection: Connection;
  signal: AbortSignal;
  /** Called about once a second with the number of requests that have reached the database. */
  onProgress: (requests: number) => void;
  /** How long hardly any query may reach the database before the load is given up; 30,000 unless told. */
  stallMs?: number;
}

/** The load could not be finished, and why: by the subject's fault, so that it is a result. */
export class LoadBroken extends BenchError {
  constructor(readonly code: "subject-exited" | "stalled", message: string, help: string) {
    super(message, { help });
  }
}

const pollMs = 1_000;

/**
 * Runs one load and observes it.
 *
 * @throws {LoadBroken} when the subject ended, or hardly queried the database for 30 s.
 */
export async function measure(subject: Subject, options: MeasureOptions): Promise<Observation> {
  const { scenario, database, connection, signal } = options;
  const isPeakKnown = await resetPeakConnections(connection);
  const linesBefore = await countLines(subject.process.logPath);
  using sampler = startSampler({
    subject: subject.process.pid,
    harness: Deno.pid,
    ...(database.pid === undefined ? {} : { database: database.pid }),
  });
  using clients = watchClients(subject.url);
  const before = await readCounters(connection);
  await using sideClient = await scenario.startSideClient(subject, { signal });

  const startMs = performance.now();
  // One clock may be set while the load runs: both are read at the same moment.
  const wallClockMs = Date.now() - startMs;
  await using load = startLoad(options.load);
  sampler.add("generator", load.pid);
  const { outcome, readings } = await watch(load, subject, before, options);
  const { beginMs, endMs } = timeOfLoad(outcome, startMs, wallClockMs);
  const resources = sampler.finish(beginMs, endMs);
  const side = await sideClient.stop();

  const after = await readCounters(connection);
  const opened = clients.finish();
  const answers = countAnswers(outcome, scenario.rightLengths);
  const attempted = answers.attempted;
  // Ours: the polls, the reading at the end, and what the side client asked the database itself.
  const ours = readings.length + 1 + side.statements;
  // After the load, oha stores its rows while we go on reading.
  const running = readings.filter(({ atMs }) => beginMs <= atMs && atMs <= endMs)
    .map((reading) => reading.running);
  return {
    durationSeconds: outcome.durationSeconds,
    ...answers,
    // oha reconnects silently: what it opened is all that was opened, less the side client's.
    ...(opened === undefined ? {} : {
      reconnects: Math.max(0, opened - side.connections - options.load.connections),
    }),
    queries: {
      perRequest: (after.questions - before.questions - ours - side.queries) / attempted,
      executesPerRequest: (after.executes - before.executes - side.queries) / attempted,
      prepares: after.prepares - before.prepares,
      pingsPerRequest: (after.adminCommands - before.adminCommands) / attempted,
      // Two connections are ours: the one given here, and the side client's.
      ...(isPeakKnown ? { peakConnections: Math.max(0, after.peakConnections - 2) } : {}),
      ...(running.length === 0 ? {} : {
        meanRunning: running.reduce((total, value) => total + value, 0) / running.length,
      }),
    },
    log: { lines: await countLines(subject.process.logPath) - linesBefore },
    sideClient: { requests: side.requests, checks: side.checks, problems: side.problems },
    ...(resources === undefined ? {} : { resources: perAnswer(resources, answers.correct) }),
  };
}

/** Returns when a load was, in milliseconds of `performance.now()`; `wallClockMs` is the epoch's less its. */
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

/** What the subject had the database do at one moment. */
interface Reading {
  atMs: number;
  running: number;
}

/** Waits for the load's end; gives up when the subject ends or nothing moves any more. */
async function watch(
  load: Load,
  subject: Subject,
  before: Counters,
  { connection, signal, load: { requests }, onProgress, stallMs = 30_000 }: MeasureOptions,
): Promise<{ outcome: LoadOutcome; readings: Reading[] }> {
  let outcome: LoadOutcome | undefined;
  const ended = load.outcome.then((value) => {
    outcome = value;
  });
  // An outcome that fails while this function throws something else must not go unhandled.
  ended.catch(() => {});
  const readings: Reading[] = [];
  let last = before.questions;
  let movedAtMs = performance.now();
  while (true) {
    const pause = new AbortController();
    const pauseEnds = delay(pollMs, { signal: pause.signal }).catch(() => {});
    await Promise.race([ended, subject.process.status, pauseEnds]);
    pause.abort();
    signal.throwIfAborted();
    // Asked first: the rest of a load against a closed port is over at once.
    const exit = subject.process.exited();
    if (exit !== undefined) {
      throw new LoadBroken(
        "subject-exited",
        `the process ended with ${describeExit(exit)} while the load ran, expected it to live`,
        await logTail(subject.process.logPath),
      );
    }
    if (outcome !== undefined) return { outcome, readings };
    const { questions, runningThreads } = await readCounters(connection);
    // The reading itself is one of those that run, and so may be threads of the server's own.
    const running = Math.max(0, runningThreads - before.runningThreads);
    readings.push({ atMs: performance.now(), running });
    onProgress(Math.min(requests, Math.max(0, questions - before.questions - readings.length)));
    // Between two polls lie up to ten statements of ours; a load that lives sends far more.
    if (questions - last > 20) movedAtMs = performance.now();
    last = questions;
    if (performance.now() - movedAtMs > stallMs) {
      throw new LoadBroken(
        "stalled",
        `hardly a query reached the database for ${
          stallMs / 1000
        } s while the load ran, expected one for each request`,
        await logTail(subject.process.logPath),
      );
    }
  }
}

/** Tells whether an answer counts: status 200 and a length that a right body can have. */
export function isCorrect(
  { status, bodyBytes }: ResponseColumns,
  index: number,
  rightLengths: ReadonlySet<number>,
): boolean {
  return status[index] === 200 && rightLengths.has(bodyBytes[index]!);
}

/** Counts what was answered and how, sorts it into time and latency. */
export function countAnswers(
  { responses, errors, durationSeconds }: LoadOutcome,
  rightLengths: ReadonlySet<number>,
): Pick<Observation, "attempted" | "correct" | "failures" | "series" | "latency"> {
  const failures: Record<string, number> = { ...errors };
  const correctEnds: number[] = [];
  const failedEnds: number[] = [];
  const histogram = createLatencyHistogram();
  for (let index = 0; index < responses.status.length; index++) {
    const status = responses.status[index]!;
    const end = responses.endSeconds[index]!;
    if (isCorrect(responses, index, rightLengths)) {
      correctEnds.push(end);
      const latencySeconds = end - responses.startSeconds[index]!;
      histogram.recordValue(Math.max(1, Math.round(latencySeconds * 1e6)));
    } else {
      failedEnds.push(end);
      const failure = status === 200 ? "wrong-length" : `status-${status}`;
      failures[failure] = (failures[failure] ?? 0) + 1;
    }
  }
  const unanswered = Object.values(errors).reduce((total, count) => total + count, 0);
  return {
    attempted: responses.status.length + unanswered,
    correct: correctEnds.length,
    failures,
    series: {
      intervalSeconds: seriesIntervalSeconds,
      correct: countPerInterval(correctEnds, durationSeconds),
      failed: countPerInterval(failedEnds, durationSeconds),
    },
    latency: {
      encoding: "HdrHistogram-V2-compressed-base64",
      unit: "microseconds",
      significantDigits: histogram.numberOfSignificantValueDigits,
      histogram: encodeIntoCompressedBase64(histogram),
    },
  };
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
    ...(resources.database === undefined ? {} : { database: divide(resources.database) }),
    generator: divide(resources.generator),
    harness: divide(resources.harness),
  };
}
