/**
 * Load: the one way to put a server under load. Takes a running server and a workload; sends its requests,
 * and returns what was seen: every answer judged, statements counted, the log, connections, the machine. Whether that
 * is valid is not judged here.
 */
import { delay } from "@std/async";
import type { SideName } from "../database/database.ts";
import { countLines } from "../lib/log_lines.ts";
import { leftTheGroup } from "../lib/process_tree.ts";
import { freeze, thaw } from "../lib/signals.ts";
import { type Load, startLoad } from "../load/oha.ts";
import { type ClientConnections, watchClients } from "../machine/client_connections.ts";
import { commandLine } from "../machine/proc.ts";
import { type Sampler, startSampler } from "../machine/sampler.ts";
import type { Calls, LoadFacts } from "../results/load_schema.ts";
import type { Resources, Role } from "../results/resources_schema.ts";
import type { Observation } from "../results/result_schema.ts";
import type { Answers, Target } from "../scenario/scenario.ts";
import type { Workload } from "./workload.ts";
import { countAnswers, type SettledLatency, settledLatency } from "./count_answers.ts";
import {
  countStatements,
  describeStatements,
  notCounted,
  type StatementCount,
} from "./count_statements.ts";
import { advance, takeExcerpt } from "./excerpt.ts";
import { type RolesWatch, watchRoles } from "./judge_scheduling.ts";
import { answersOf, timeOfLoad } from "./load_time.ts";
import type { Upstream, UpstreamCounts } from "../upstream/upstream.ts";
import type { LoadSession } from "./session.ts";
import { requestTimeoutSeconds } from "../results/unanswered.ts";
import { watchLoad } from "./watch_load.ts";

/** Options for {@linkcode beginLoad}. */
export interface BeginOptions {
  session: LoadSession;
  workload: Workload;
  connections: number;
  /**
   * A number of requests, or a time: at a rate the loop is open, else closed. `mostRequests` bounds what it sends
   * before it is ended: beyond, requests are sent again.
   */
  amount: { requests: number } | { seconds: number; ratePerSecond?: number; mostRequests?: number };
  /** Whose account of the database and upstream the server has; "subject" by default. */
  side?: SideName;
  /** Another load runs at the same time, and somebody else watches the machine. */
  isOneOfTwo?: boolean;
  /** Whether requests share connections; true by default. */
  keepAlive?: boolean;
  /** Receives the load generator's files; the session's by default. Two loads at a time need two. */
  folder?: string;
  /** At a fixed rate: how long it settles, see {@linkcode SettledLatency}; 0 by default. */
  settleSeconds?: number;
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
  /** Counts, while both are frozen, what may be gone at the end. */
  look(): Promise<void>;
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
  /** Of a load at a fixed rate. */
  settled?: SettledLatency;
}

/** Starts a load, and resolves when it begins. The server is thawed for it. */
export async function beginLoad(subject: Target, options: BeginOptions): Promise<RunningLoad> {
  const { session, workload: { requests, counted }, connections, amount } = options;
  await using stack = new AsyncDisposableStack();
  const { logPath } = subject.process;
  const linesBefore = await countLines(logPath);
  const strays = new Set(findStrays(subject));
  const scheduling = watchRoles();
  const sampler = options.isOneOfTwo
    ? undefined
    : stack.use(sampleRoles(subject, options, scheduling));
  const clients = stack.use(watchClients(subject.url));
  const count = await beginCount(options);
  const upstream = upstreamOf(options);
  await upstream?.clearCounts();
  const folder = options.folder ?? session.folder;
  const most = "requests" in amount ? amount.requests : amount.mostRequests;
  const excerpt = await takeExcerpt(requests, {
    lines: most && most + connections,
    folder: session.folder,
  });
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
    requestsPath: excerpt.path,
    firstLine: excerpt.firstLine,
    keepAlive: options.keepAlive,
    requestTimeoutSeconds,
    folder,
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
    look: async () => await count?.look(),
    end: async () => {
      load.end();
      thaw(subject.process);
      thaw(load);
      await load.ended;
      freeze(subject.process);
    },
    finish: async () => {
      const outcome = await watchLoad(load, subject, {
        count,
        onProgress: options.onProgress,
        signal: session.signal,
        stallMs: session.stallMs,
      });
      for (const stray of findStrays(subject)) strays.add(stray);
      advance(requests, nextLine, outcome.linesUsed, excerpt);
      const seen = { startMs, connectedMs, wallClockMs };
      const { beginMs, endMs, toleranceMs } = timeOfLoad(outcome, seen);
      const resources = sampler?.finish(beginMs, endMs);
      const statements = await count?.finish(beginMs, endMs);
      const connectionsOpened = clients.finish();
      const answers = answersOf(outcome, beginMs, excerpt);
      const { workload, side = "subject" } = options;
      const witnessed = await workload.judge(answers, toleranceMs, side);
      const counts = countAnswers(outcome, witnessed);
      const observation: Observation = {
        ...counts,
        durationSeconds: outcome.durationSeconds,
        // oha reconnects silently.
        reconnects: connectionsOpened && Math.max(0, connectionsOpened - connections),
        queries: statements && describeStatements(statements, counts, {
          ...{ expected: witnessed.statements, endMs: answers.endMs, toleranceMs, connections },
          writes: session.scenario.database?.writes ?? false,
          statementProblem: session.scenario.database?.statementProblem,
        }),
        calls: upstream && callsOf(await upstream.counts()),
        notCounted: counted && notCounted(counted.database.counting, count),
        rowLocks: witnessed.rowLocks || undefined,
        rowsStillSeconds: witnessed.rowsStillSeconds,
        log: { lines: await countLines(logPath) - linesBefore },
        leftGroup: strays.size === 0 ? undefined : [...strays],
        schedulingChanges: scheduling.found(),
        resources: resources && perAnswer(resources, counts.correct),
      };
      return {
        observation,
        answers,
        isRight: witnessed.isRight,
        settled: settledLatency(outcome.responses, witnessed.isRight, options.settleSeconds),
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
function sampleRoles(subject: Target, options: BeginOptions, scheduling: RolesWatch): Sampler {
  const { scenario: { database }, database: { pid } = {} } = options.session;
  return startSampler(
    {
      subject: subject.process,
      harness: { pid: Deno.pid },
      // A server may have a database that this scenario does not use.
      database: database === undefined || pid === undefined ? undefined : { pid },
      upstream: upstreamOf(options),
    },
    {
      isDatabaseHidden: database !== undefined && pid === undefined,
      withoutRole: pid === undefined ? [] : [pid],
      onThreads: scheduling.look,
    },
  );
}

/** Returns the command lines of processes that left the group of the server. */
function findStrays({ process }: Target): string[] {
  return leftTheGroup(process).map((pid) => commandLine(pid) ?? `process ${pid}`);
}

/** Returns the upstream whose calls are counted; undefined where the scenario has none, and of the null server. */
function upstreamOf(
  { workload: { upstreams }, side = "subject" }: BeginOptions,
): Upstream | undefined {
  return upstreams?.[side];
}

/** Returns what a result has of the upstream's counts. */
export function callsOf(
  { connections, lateMicros, checks, received, answered, peakConnections, peakOpen, faults }:
    UpstreamCounts,
): Calls {
  return {
    received,
    answered,
    connectionsOpened: connections,
    peakConnections,
    peakOpen,
    faults: faults || undefined,
    // Only `/check` is to take a time.
    lateSeconds: checks === 0 ? undefined : lateMicros / 1_000_000,
  };
}

/** Begins to count statements; undefined where that cannot be done. */
async function beginCount(
  { workload: { counted }, side = "subject", isOneOfTwo = false }: BeginOptions,
): Promise<StatementCount | undefined> {
  if (counted === undefined) return undefined;
  const { connection, database } = counted;
  if (isOneOfTwo && database.counting.per === "server") return undefined;
  return await countStatements(connection, database, side);
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
