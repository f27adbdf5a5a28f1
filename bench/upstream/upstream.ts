/**
 * Upstream: the service that servers call in some scenarios. Takes the path of `native/upstream`; returns the running
 * process, with its counts, and commands to misbehave. Each side of a comparison has one of its own, so that the calls
 * of each are counted apart.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { z } from "zod";
import { messageOf, RunBroken } from "../lib/error.ts";
import { freePorts, isTaken } from "../lib/free_port.ts";
import { logTail } from "../lib/log_lines.ts";
import { describeExit, type Process, startProcess } from "../lib/process.ts";
import { type Item, itemOf } from "./item.ts";

/** How the upstream answers the calls of an id wrongly, on command. */
export type Fault = "hang" | "slow" | "reset" | "short";

const countsSchema = z.strictObject({
  /** Calls since the counts were cleared. */
  received: z.int().nonnegative(),
  /** Those of `/check/<id>`, without a delay of their own. */
  checks: z.int().nonnegative(),
  /** Those whose answer was written whole, to a caller that waited for it. */
  answered: z.int().nonnegative(),
  /** Calls that are neither answered nor given up by the caller. */
  open: z.int().nonnegative(),
  peakOpen: z.int().nonnegative(),
  /** Connections accepted since the counts were cleared. */
  connections: z.int().nonnegative(),
  openConnections: z.int().nonnegative(),
  peakConnections: z.int().nonnegative(),
  /**
   * By how much answers of `/check/<id>`, without a delay of their own, were later than they were to be, in all, counted
   * from when the call was read: what it waited before is not in it.
   */
  lateMicros: z.int().nonnegative(),
  /** Commands to answer wrongly since the counts were cleared, whoever sent them. */
  faults: z.int().nonnegative(),
});

const arrivalsSchema = z.strictObject({
  nowMicros: z.int().nonnegative(),
  firstMicros: z.record(z.string(), z.int().nonnegative()),
});

/** What the upstream counts. */
export type UpstreamCounts = z.infer<typeof countsSchema>;

/** A running upstream. */
export interface Upstream extends AsyncDisposable {
  /** `UPSTREAM_URL` of the servers that use it. */
  readonly url: string;
  /** Its process; it changes when it is stopped and started. */
  readonly pid: number;
  /** Returns what it answers for an id. */
  item(id: number): Item;
  /**
   * Changes what it answers for an id, to what {@linkcode item} returns from now on. Until the promise resolves, it
   * may answer either. If the upstream is gone, it has the change once it is started again.
   *
   * @throws {RunBroken} when it is gone.
   */
  change(id: number): Promise<void>;
  counts(): Promise<UpstreamCounts>;
  /** Returns the calls of each id since the counts were cleared. */
  callsById(): Promise<Map<number, number>>;
  /** Returns when the first call of each id came since then, in milliseconds of `performance.now()`. */
  arrivals(): Promise<Map<number, number>>;
  /** Clears the counts, and answers every id rightly: whatever was commanded before is over. */
  clearCounts(): Promise<void>;
  /** From now on, answers the calls of an id wrongly. */
  misbehave(id: number, fault: Fault): Promise<void>;
  /** Answers every id rightly again. */
  behave(): Promise<void>;
  /** Kills it: its connections are reset, and nothing listens. */
  stop(): Promise<void>;
  /** Starts it again, on the same ports and with the same bodies, changes included. */
  start(): Promise<void>;
}

/** Options for {@linkcode startUpstream}. */
export interface UpstreamOptions {
  /** Of the compiled `native/upstream`. */
  path: string;
  /** Bodies depend on it, so that no server knows them beforehand. */
  key: string;
  /** Where the log goes. */
  folder: string;
  signal: AbortSignal;
}

const startMs = 10_000;
/** How long the first answer may take; then it is asked for again. */
const firstAnswerMs = 1_000;

/** How often a start is tried, where another program took one of the ports that were free. */
const mostAttempts = 3;

/**
 * Starts an upstream on free ports of 127.0.0.1.
 *
 * @throws {RunBroken} when it does not start, because it is part of the harness.
 */
export async function startUpstream(options: UpstreamOptions): Promise<Upstream> {
  for (let attempt = 1;; attempt++) {
    const ports = freePorts(2);
    try {
      return await startOn(ports, options);
    } catch (error) {
      // It has been stopped: what listens there now is another program.
      if (!(error instanceof RunBroken && attempt < mostAttempts && ports.some(isTaken))) {
        throw error;
      }
    }
  }
}

async function startOn(
  [port, controlPort]: number[],
  { path, key, folder, signal }: UpstreamOptions,
): Promise<Upstream> {
  const control = `http://127.0.0.1:${controlPort}`;
  const editions = new Map<number, number>();
  const putEditions = async (ids: Iterable<number>) => {
    const list = Array.from(ids, (id) => `${id}:${editions.get(id)}`);
    if (list.length > 0) await command(control, "PUT", `/editions/${list.join(",")}`);
  };
  const readCounts = async () => countsSchema.parse(await command(control, "GET", "/counts"));
  let process: Process;
  let faultsBefore = 0;
  const start = async () => {
    faultsBefore = 0;
    process = startProcess([path], {
      env: {
        HOST: "127.0.0.1",
        PORT: `${port}`,
        CONTROL_PORT: `${controlPort}`,
        UPSTREAM_KEY: key,
      },
      clearEnv: true,
      logPath: join(folder, `upstream-${port}.log`),
      endsWithHarness: true,
    });
    try {
      await untilUp(process, control, signal);
      await putEditions(editions.keys());
    } catch (error) {
      await process.stop({ signal: "SIGKILL" });
      throw error;
    }
  };
  await start();
  return {
    url: `http://127.0.0.1:${port}`,
    get pid() {
      return process.pid;
    },
    item: (id) => itemOf(key, id, editions.get(id)),
    change: async (id) => {
      editions.set(id, (editions.get(id) ?? 0) + 1);
      await putEditions([id]);
    },
    counts: async () => {
      const counts = await readCounts();
      return { ...counts, faults: counts.faults - faultsBefore };
    },
    callsById: async () => {
      const counts = z.record(z.string(), z.int()).parse(await command(control, "GET", "/ids"));
      return new Map(Object.entries(counts).map(([id, count]) => [Number(id), count]));
    },
    arrivals: async () => {
      const beforeMs = performance.now();
      const { nowMicros, firstMicros } = arrivalsSchema.parse(
        await command(control, "GET", "/arrivals"),
      );
      // It told its time somewhere between: a long list is written after that.
      const clearedMs = beforeMs - nowMicros / 1000;
      return new Map(
        Object.entries(firstMicros).map(([id, micros]) => [Number(id), clearedMs + micros / 1000]),
      );
    },
    clearCounts: async () => {
      // Read first: what is commanded meanwhile counts.
      faultsBefore = (await readCounts()).faults;
      await command(control, "DELETE", "/faults");
      await command(control, "DELETE", "/counts");
    },
    misbehave: async (id, fault) => void await command(control, "PUT", `/faults/${id}/${fault}`),
    behave: async () => void await command(control, "DELETE", "/faults"),
    stop: async () => void await process.stop({ signal: "SIGKILL" }),
    start,
    [Symbol.asyncDispose]: () => process[Symbol.asyncDispose](),
  };
}

async function untilUp(process: Process, control: string, signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + startMs;
  while (true) {
    // Another program that has the port may accept a connection, and never answer.
    const asked = command(control, "GET", "/counts", firstAnswerMs);
    const answered = await asked.then(() => true, () => false);
    if (answered) return;
    signal.throwIfAborted();
    const exit = process.exited();
    if (exit === undefined && performance.now() < deadline) {
      await delay(5);
      continue;
    }
    const what = exit === undefined ? "it did not answer" : `it ended with ${describeExit(exit)}`;
    const help = await logTail(process.logPath);
    throw new RunBroken(`Cannot start the upstream: ${what}, expected it to listen`, { help });
  }
}

/**
 * Sends a command to the port of its own, over a new connection, because it may have been started again.
 *
 * @throws {RunBroken} when it is not answered within `timeoutMs`, or with an error.
 */
async function command(
  control: string,
  method: string,
  path: string,
  timeoutMs = 30_000,
): Promise<unknown> {
  const headers = { connection: "close" };
  const signal = AbortSignal.timeout(timeoutMs);
  const broken = (is: string, cause?: unknown) =>
    new RunBroken(`Cannot command the upstream (${method} ${path}): ${is}, expected it to run`, {
      cause,
    });
  try {
    const response = await fetch(control + path, { method, headers, signal });
    const body = await response.json();
    if (response.ok) return body;
    throw broken(`it answered with ${response.status}`);
  } catch (cause) {
    if (cause instanceof RunBroken) throw cause;
    throw broken(messageOf(cause), cause);
  }
}
