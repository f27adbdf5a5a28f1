/** Observe: one burst on a running server; every answer judged, and what the server used meanwhile. */
import { countLines } from "../lib/log_lines.ts";
import type { Addresses } from "../lib/loopback.ts";
import { describeExit } from "../lib/process.ts";
import { descendants } from "../lib/process_tree.ts";
import { sum, sumOf } from "../lib/sum.ts";
import { type BurstOutcome, startBurst, type Visit } from "../load/burst.ts";
import { droppedBetween, readDroppedConnections } from "../machine/dropped_connections.ts";
import { watchEstablished } from "../machine/established.ts";
import { cpuSeconds, ownCpuSeconds, peakRss, sharedBytes, threadCount } from "../machine/proc.ts";
import { watchMachine } from "../machine/window.ts";
import type { BurstRound } from "../results/burst_schema.ts";
import type { MachineUse, Problem } from "../results/load_schema.ts";
import type { BurstPart, Target } from "../scenario/scenario.ts";
import type { LoadSession } from "./session.ts";

/** Options for {@linkcode observeBurst}. */
export interface ObserveBurstOptions {
  part: BurstPart;
  session: Pick<LoadSession, "folder" | "signal" | "database">;
  /** Of the compiled `native/burst`. */
  burstPath: string;
  paths: string[];
  patienceSeconds: number;
  sources?: Addresses;
}

/** What was seen of a burst. */
export type ObservedBurst = Omit<BurstRound, "startedAt" | "invalidBecause" | "repeatedBecause">;

const sampleMs = 250;

/** Sends all users, and waits until the last has left. */
export async function observeBurst(
  subject: Target,
  { part, session, burstPath, paths, patienceSeconds, sources }: ObserveBurstOptions,
): Promise<ObservedBurst & { machine?: MachineUse }> {
  const { process } = subject;
  const { folder, signal, database } = session;
  const linesBefore = await countLines(process.logPath);
  using established = watchEstablished(subject.url);
  const droppedBefore = readDroppedConnections();
  const endWindow = watchMachine();
  await using burst = startBurst({
    path: burstPath,
    url: subject.url,
    paths,
    patienceSeconds,
    sources,
    folder,
    signal,
  });
  // Neither starting the generator nor reading its report takes time while users wait.
  const ownBefore = ownCpuSeconds(Deno.pid);
  using usage = watchUsage(subject, burst.pid);
  await burst.ended;
  const own = ownCpuSeconds(Deno.pid);
  const outcome = await burst.outcome;
  const exit = process.exited();
  const use = usage.finish();
  const ours = [
    Deno.pid,
    burst.pid,
    ...use.pids,
    ...database?.pid === undefined ? [] : [database.pid],
  ];
  return {
    ...judgeVisits(outcome, paths, part),
    dropped: droppedBetween(droppedBefore, readDroppedConnections()),
    ...use.peaks,
    harnessCpuSeconds: own === undefined ? undefined : own - ownBefore!,
    // None is a burst that ended between two readings.
    peakEstablished: established.finish() || undefined,
    log: { lines: await countLines(process.logPath) - linesBefore },
    ended: exit && `the process ended with ${describeExit(exit)} during the burst`,
    machine: endWindow(new Set(ours)),
  };
}

/**
 * Samples what ends with its process: threads, and peaks that the kernel keeps, which are of resident memory. What
 * processes share, such as the code of a worker, does not change much: reading it once, after the burst, disturbs nothing.
 */
function watchUsage({ process }: Target, generatorPid: number) {
  const memory = new Map<number, number>();
  const pids = new Set<number>([process.pid]);
  let peakThreads = 0;
  let generatorCpuSeconds: number | undefined;
  let generatorPeakMemoryBytes: number | undefined;
  const sample = () => {
    let threads = 0;
    for (const pid of descendants(process)) {
      pids.add(pid);
      threads += threadCount(pid) ?? 0;
      memory.set(pid, peakRss(pid) ?? memory.get(pid) ?? 0);
    }
    peakThreads = Math.max(peakThreads, threads);
    generatorCpuSeconds = cpuSeconds(generatorPid) ?? generatorCpuSeconds;
    generatorPeakMemoryBytes = peakRss(generatorPid) ?? generatorPeakMemoryBytes;
  };
  sample();
  const timer = setInterval(sample, sampleMs);
  return {
    finish() {
      clearInterval(timer);
      sample();
      const peakMemoryBytes = sumOf(
        [...memory],
        // The kernel counts peaks of small processes less exactly than what is shared.
        ([pid, peak]) => Math.max(0, peak - (sharedBytes(pid) ?? 0)),
      );
      return {
        pids,
        peaks: {
          peakThreads: peakThreads || undefined,
          peakMemoryBytes: peakMemoryBytes || undefined,
          generatorCpuSeconds,
          generatorPeakMemoryBytes,
        },
      };
    },
    [Symbol.dispose]: () => clearInterval(timer),
  };
}

/** Judges every user's answer, and counts. */
function judgeVisits(
  { visits, peakConnected }: BurstOutcome,
  paths: readonly string[],
  part: Pick<BurstPart, "judge">,
): Pick<
  BurstRound,
  | "answered"
  | "failures"
  | "wrong"
  | "problems"
  | "waitSeconds"
  | "peakConnected"
  | "durationSeconds"
> {
  const failures: Record<string, number> = {};
  const wrong: Record<string, number> = {};
  const problems: Problem[] = [];
  const waits: number[] = [];
  for (const [index, visit] of visits.entries()) {
    const failure = failureOf(visit);
    if (failure !== undefined) {
      failures[failure] = (failures[failure] ?? 0) + 1;
      continue;
    }
    const { startSeconds, endSeconds, sentSeconds } = visit;
    const problem = part.judge(paths[index]!, {
      body: visit.answer!.body,
      afterSeconds: endSeconds - (sentSeconds ?? startSeconds),
    });
    if (problem === undefined) {
      waits.push(endSeconds - startSeconds);
      continue;
    }
    if (wrong[problem.check] === undefined) problems.push(problem);
    wrong[problem.check] = (wrong[problem.check] ?? 0) + 1;
  }
  return {
    answered: waits.length,
    failures,
    wrong,
    problems,
    peakConnected,
    waitSeconds: waits.length === 0 ? undefined : describeWaits(waits, visits.length),
    durationSeconds: visits.reduce((last, { endSeconds }) => Math.max(last, endSeconds), 0),
  };
}

/** Returns why a user has no answer: a status other than 200 turns it away. */
function failureOf({ failure, answer }: Visit): string | undefined {
  return failure ?? (answer?.status === 200 ? undefined : `status-${answer?.status}`);
}

/** Percentiles are of all users: those without an answer waited longest, in vain. */
export function describeWaits(
  waits: readonly number[],
  users: number,
): NonNullable<BurstRound["waitSeconds"]> {
  const sorted = waits.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * users) - 1];
  const mean = sum(sorted) / sorted.length;
  return { mean, p50: at(0.5), p99: at(0.99), max: sorted.at(-1)! };
}
