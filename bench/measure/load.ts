/**
 * Load: the one way to put a server under load. Takes a running server and the conditions around it; sends requests,
 * and returns what was seen: every answer judged, statements counted, the log, connections, the machine. Whether that
 * is valid is not judged here.
 */
import { delay } from "@std/async";
import type { Database, SideName } from "../database/database.ts";
import { BenchError } from "../lib/error.ts";
import { countLines } from "../lib/count_lines.ts";
import { describeExit, freeze, leftTheGroup, logTail, thaw } from "../lib/process.ts";
import { type Load, type LoadOutcome, startLoad } from "../load/oha.ts";
import { type ClientConnections, watchClients } from "../machine/client_connections.ts";
import { commandLine, cpuSeconds } from "../machine/proc.ts";
import { type Sampler, startSampler } from "../machine/sampler.ts";
import type { Calls, LoadFacts, Queries } from "../results/load_schema.ts";
import type { Observation, Resources, Role } from "../results/result_schema.ts";
import type { Answers, RequestFile, Target } from "../scenario/scenario.ts";
import type { Conditions } from "./conditions.ts";
import { countAnswers, latencyOf } from "./count_answers.ts";
import { countStatements, type StatementCount, type Statements } from "./count_statements.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { LoadSession } from "./session.ts";
import { requestTimeoutSeconds } from "./unanswered.ts";

/** Options for {@linkcode beginLoad}. */
export interface BeginOptions {
  session: LoadSession;
  conditions: Conditions;
  connections: number;
  /** A number of requests, or a time: at a rate the loop is open, else closed. */
  amount: { requests: number } | { seconds: number; ratePerSecond?: number };
  /** Whose account of the database and upstream the server has; "subject" by default. */
  side?: SideName;
  /** Another load runs at the same time, and somebody else watches the machine. */
  isOneOfTwo?: boolean;
  /** Receives the load generator's files; the session's by default. Two loads at a time need two. */
  folder?: string;
  /** Called about once a second with the number of requests that have reached the database; 0 where there is none. */
  onProgress?: (requests: number) => void;
}

/** A running load; disposing of it stops it at once. */
export interface RunningLoad extends AsyncDisposable {
  /** Of the load generator. */
  readonly pid: number;
  /**
   * Freezes the load generator, then the server with all its processes; returns when the load generator was frozen, in
   * milliseconds of `performance.now()`.
   */
  pause(): number;
  /** Thaws both. */
  resume(): void;
  /**
   * Ends a closed loop of a fixed duration before its time, paused or not: sends nothing more, waits for the answers
   * in flight, and leaves the server frozen.
   */
  end(): Promise<void>;
  /**
   * Waits until every request was answered or has failed, and returns what was seen.
   *
   * @throws {LoadBroken} when the server ended, or the load stalled for 30 s.
   */
  finish(): Promise<ObservedLoad>;
}

/** What was seen of a load. */
export interface ObservedLoad {
  observation: Observation;
  answers: Answers;
  /** 1 for each right answer, in the order of the answers. */
  isRight: Uint8Array;
  /** In a load at a fixed rate: the latency of right answers from when each request was due. */
  dueLatency?: Observation["latency"];
}

/** The load could not be finished because of the server, so the failure is a result. */
export class LoadBroken extends BenchError {
  constructor(readonly code: "subject-exited" | "stalled", message: string, help: string) {
    super(message, { help });
  }
}

/** Starts a load, and resolves when it begins. The server is thawed for it. */
export async function beginLoad(subject: Target, options: BeginOptions): Promise<RunningLoad> {
  const { session, conditions: { requests, counted }, connections, amount } = options;
  await using stack = new AsyncDisposableStack();
  const { logPath } = subject.process;
  const linesBefore = await countLines(logPath);
  const strays = new Set(findStrays(subject));
  const sampler = options.isOneOfTwo ? undefined : stack.use(sampleRoles(subject, options));
  const clients = stack.use(watchClients(subject.url));
  const count = await beginCount(options);
  const upstream = upstreamOf(options);
  await upstream?.clearCounts();
  thaw(subject.process);

  const startMs = performance.now();
  // Both clocks are read at the same moment, because one may be set while the load runs.
  const wallClockMs = Date.now() - startMs;
  const { nextLine } = requests;
  const load = stack.use(startLoad({
    ...amount,
    ohaPath: session.oha.path,
    url: subject.url + session.scenario.path,
    connections,
    requestsPath: requests.path,
    firstLine: nextLine,
    requestTimeoutSeconds,
    folder: options.folder ?? session.folder,
    signal: session.signal,
  }));
  sampler?.add("generator", load);
  await load.begun;
  await untilConnected(load, clients);
  const connectedMs = performance.now();

  const opened = stack.move();
  return {
    pid: load.pid,
    pause: () => {
      const frozenMs = freeze(load);
      freeze(subject.process);
      return frozenMs;
    },
    resume: () => {
      thaw(subject.process);
      thaw(load);
    },
    end: async () => {
      load.end();
      thaw(subject.process);
      thaw(load);
      await load.ended;
      freeze(subject.process);
    },
    finish: async () => {
      const outcome = await watch(load, subject, count, options);
      for (const stray of findStrays(subject)) strays.add(stray);
      advance(requests, nextLine, outcome.linesUsed);
      const seen = { startMs, connectedMs, wallClockMs };
      const { beginMs, endMs, toleranceMs } = timeOfLoad(outcome, seen);
      const resources = sampler?.finish(beginMs, endMs);
      const statements = await count?.finish(beginMs, endMs);
      const connectionsOpened = clients.finish();
      const answers = answersOf(outcome, beginMs);
      const { conditions, side = "subject" } = options;
      const witnessed = await conditions.judge(answers, toleranceMs, side);
      const counts = countAnswers(outcome, witnessed);
      const { dueSeconds, endSeconds } = outcome.responses;
      const observation: Observation = {
        ...counts,
        durationSeconds: outcome.durationSeconds,
        // oha reconnects silently.
        reconnects: connectionsOpened && Math.max(0, connectionsOpened - connections),
        queries: statements && describeStatements(statements, counts, {
          expected: witnessed.statements,
          writes: session.scenario.database?.writes ?? false,
        }),
        calls: upstream && await readCalls(upstream),
        notCounted: counted && notCounted(counted.database.counting, count),
        log: { lines: await countLines(logPath) - linesBefore },
        leftGroup: strays.size === 0 ? undefined : [...strays],
        resources: resources && perAnswer(resources, counts.correct),
      };
      return {
        observation,
        answers,
        isRight: witnessed.isRight,
        dueLatency: dueSeconds && latencyOf(dueSeconds, endSeconds, witnessed.isRight),
      };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** Returns what is known of a load besides when its answers came and what was used. */
export function factsOf(
  { durationSeconds: _, series: __, latency: ___, resources: ____, ...facts }: Observation,
): LoadFacts {
  return facts;
}

/** Starts to sample what each role uses; the load generator is added as it starts. */
function sampleRoles(subject: Target, options: BeginOptions): Sampler {
  const { database } = options.session.scenario;
  const pid = database?.server.pid;
  return startSampler(
    {
      subject: subject.process,
      harness: { pid: Deno.pid },
      database: pid === undefined ? undefined : { pid },
      upstream: upstreamOf(options),
    },
    { isDatabaseHidden: database !== undefined && pid === undefined },
  );
}

/** Returns the command lines of processes that left the group of the server. */
function findStrays({ process }: Target): string[] {
  return leftTheGroup(process).map((pid) => commandLine(pid) ?? `process ${pid}`);
}

/** Returns the upstream whose calls are counted; undefined where the scenario has none, and of the null server. */
function upstreamOf(
  { conditions: { upstreams }, side = "subject" }: BeginOptions,
): Upstream | undefined {
  return upstreams?.[side];
}

async function readCalls(upstream: Upstream): Promise<Calls> {
  const { received, answered, connections, peakConnections, peakOpen } = await upstream.counts();
  return { received, answered, connectionsOpened: connections, peakConnections, peakOpen };
}

/** Begins to count statements; undefined where that cannot be done. */
async function beginCount(
  { conditions: { counted }, side = "subject", isOneOfTwo = false }: BeginOptions,
): Promise<StatementCount | undefined> {
  if (counted === undefined) return undefined;
  const { connection, database } = counted;
  if (isOneOfTwo && database.counting.per === "server") return undefined;
  return await countStatements(connection, database, side);
}

/** Says what of a side's use of the database could not be counted; undefined where everything was. */
function notCounted(
  counting: Database["counting"],
  count: StatementCount | undefined,
): LoadFacts["notCounted"] {
  if (counting.per === "account") return undefined;
  const what = count === undefined ? "statements of each side" : "rows read";
  return [`${what}: ${counting.reason}`];
}

function describeStatements(
  { statements, executes, pings, rowsRead, around, transactions, ...rest }: Statements,
  { attempted }: Pick<Observation, "attempted">,
  { expected, writes }: { expected: number; writes: boolean },
): Queries {
  const perRequest = (count: number) => count / Math.max(1, attempted);
  return {
    perRequest: perRequest(statements),
    expectedPerRequest: perRequest(expected),
    executesPerRequest: perRequest(executes),
    pingsPerRequest: perRequest(pings),
    rowsReadPerRequest: rowsRead === undefined ? undefined : perRequest(rowsRead),
    aroundPerRequest: writes ? perRequest(around) : undefined,
    transactionsPerRequest: writes && transactions !== undefined
      ? perRequest(transactions)
      : undefined,
    ...rest,
  };
}

/** Returns the answers with the times of `performance.now()`. */
function answersOf({ responses }: LoadOutcome, beginMs: number): Answers {
  const { line, status, bodyBytes, bodyCrc32, startSeconds, endSeconds } = responses;
  const toMs = (seconds: Float64Array) => seconds.map((time) => beginMs + time * 1000);
  const times = { startMs: toMs(startSeconds), endMs: toMs(endSeconds) };
  return { line, status, bodyBytes, bodyCrc32, ...times };
}

/**
 * Moves the cursor of the requests behind what a load has read. Two loads that began at the same line, for two servers,
 * move it behind the one that read more.
 */
export function advance(
  requests: Pick<RequestFile, "lines" | "nextLine">,
  firstLine: number,
  linesUsed: number,
): void {
  const { lines, nextLine } = requests;
  const moved = (nextLine - firstLine + lines) % lines;
  if (linesUsed > moved) requests.nextLine = (firstLine + linesUsed) % lines;
}

/**
 * Waits for the first connection of a load: before, a busy machine may have stopped the load generator between the
 * file that it creates and the reading of its clock.
 */
async function untilConnected(load: Load, clients: ClientConnections): Promise<void> {
  let hasEnded = false;
  load.ended.then(() => hasEnded = true);
  while (!hasEnded && clients.opened() === 0) await delay(2);
}

/** A file's time of birth is that of the kernel's last tick, and the wall clock is read in milliseconds. */
const clockToleranceMs = 12;

/** When a load was seen to begin, in milliseconds of `performance.now()`. */
export interface SeenBegin {
  /** Before the load generator was started. */
  startMs: number;
  /** When its first connection had been seen. */
  connectedMs: number;
  /** The wall clock minus this clock. */
  wallClockMs: number;
}

/**
 * Returns the time of a load, in milliseconds of `performance.now()`, and how far that may be off: it began after the
 * birth of its file, and before its first connection.
 */
export function timeOfLoad(
  { startedAtMs, durationSeconds }: Pick<LoadOutcome, "startedAtMs" | "durationSeconds">,
  { startMs, connectedMs, wallClockMs }: SeenBegin,
): { beginMs: number; endMs: number; toleranceMs: number } {
  const bornMs = startedAtMs === undefined ? startMs : startedAtMs - wallClockMs;
  const beginMs = Math.min(Math.max(startMs, bornMs), connectedMs);
  return {
    beginMs,
    endMs: beginMs + durationSeconds * 1000,
    toleranceMs: clockToleranceMs + connectedMs - beginMs,
  };
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

/** Waits for the load's end; throws when the subject ends or the load stalls. */
async function watch(
  load: Load,
  subject: Target,
  count: StatementCount | undefined,
  { session: { signal, stallMs = 30_000 }, onProgress = () => {} }: BeginOptions,
): Promise<LoadOutcome> {
  let outcome: LoadOutcome | undefined;
  const ended = load.outcome.then((value) => {
    outcome = value;
  });
  // The outcome may also reject while this function throws something else; that rejection must be handled.
  ended.catch(() => {});
  const { leastPerSecond, standstill: [is, expected] } =
    movement[count === undefined ? "generator" : "queries"];
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
    const statements = await count?.read();
    onProgress(statements ?? 0);
    const account = statements ?? cpuSeconds(load.pid);
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
    upstream: resources.upstream && divide(resources.upstream),
    generator: divide(resources.generator),
    harness: divide(resources.harness),
  };
}
