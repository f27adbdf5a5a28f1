/**
 * Resources: what did each role use during the load? Takes the processes of the roles; samples the kernel's counters
 * four times a second; returns CPU seconds, peak memory and threads during the load, and background load, idle and
 * steal time of the machine.
 */
import {
  accountsOfAll,
  contextSwitches,
  cpuSeconds,
  type MachineTimes,
  machineTimes,
  memory,
  ownCpuSeconds,
  type ProcessAccount,
  processorCount,
  threadCount,
  threadCpuSeconds,
} from "./proc.ts";
import { processTree } from "./process_tree.ts";
import type { Resources, Role } from "../results/result_schema.ts";

const sampleMs = 250;
/** Reading a process's memory walks its page tables: once in 2 s does not disturb the measurement. */
const samplesPerMemory = 8;

const roleNames = ["subject", "database", "generator", "harness"] as const;
/** A shorter load has too few samples to say what it used. */
const shortestLoadMs = 1_000;

type RoleName = typeof roleNames[number];

/** Growing counters of one role. */
interface Accounts {
  cpuSeconds: number;
  contextSwitches: number;
  /** CPU seconds of the thread that used the most since the role's first sample. */
  busiestThreadSeconds: number;
}

interface Sample {
  atMs: number;
  roles: Map<RoleName, Accounts>;
  machine: MachineTimes;
}

interface Peak {
  memoryBytes: number;
  threads: number;
}

/** A running sampler. */
export interface Sampler extends Disposable {
  /** Adds a role's process: the load generator starts after the sampler. */
  add(role: RoleName, pid: number): void;
  /**
   * Ends sampling; times are those of `performance.now()`. Undefined where the system does not report it, and for
   * loads under one second.
   */
  finish(loadStartMs: number, loadEndMs: number): Resources | undefined;
}

/**
 * Starts sampling. A role is a process with all its descendants, but the harness is its own process only. If the
 * database's process is not visible, background load cannot be told from it and is absent.
 */
export function startSampler(
  pids: Partial<Record<RoleName, number>>,
  { isDatabaseHidden = pids.database === undefined } = {},
): Sampler {
  const roles = new Map<RoleName, number>();
  for (const role of roleNames) {
    const pid = pids[role];
    if (pid !== undefined) roles.set(role, pid);
  }
  const trees = new Map<RoleName, number[]>();
  const peaks = new Map<RoleName, Peak>();
  const threadsBefore = new Map<RoleName, Map<number, number>>();
  const samples: Sample[] = [];
  let memorySource: "pss" | "rss" = "pss";
  let ticks = 0;

  const readMemory = (pid: number) => {
    const found = memory(pid);
    if (found?.source === "rss") memorySource = "rss";
    return found?.bytes;
  };
  const readBusiestThread = (role: RoleName, tree: number[]) => {
    const threads = new Map(tree.flatMap((pid) => [...threadCpuSeconds(pid)]));
    const before = threadsBefore.get(role);
    if (before === undefined) threadsBefore.set(role, threads);
    let most = 0;
    for (const [id, seconds] of threads) {
      most = Math.max(most, seconds - ((before ?? threads).get(id) ?? 0));
    }
    return most;
  };
  const takeSample = ({ isLast = false } = {}) => {
    const machine = machineTimes();
    if (machine === undefined) return;
    const before = samples.at(-1)?.roles;
    const sample: Sample = { atMs: performance.now(), roles: new Map(), machine };
    const isMemoryDue = ticks++ % samplesPerMemory === 0;
    for (const [role, pid] of roles) {
      const withMemory = isMemoryDue || !trees.has(role);
      // Everything is a child of the harness, so its role is its own process only.
      if (withMemory) trees.set(role, role === "harness" ? [pid] : processTree(pid));
      const tree = trees.get(role) ?? [pid];
      const last = before?.get(role) ??
        { cpuSeconds: 0, contextSwitches: 0, busiestThreadSeconds: 0 };
      // Many threads are read at start and end only; the generator's few have ended by then.
      const withThreads = isLast || role === "generator" || !threadsBefore.has(role);
      // An ended thread reads as undefined; its CPU time still counts.
      const readCpu = role === "harness" ? ownCpuSeconds : cpuSeconds;
      sample.roles.set(role, {
        cpuSeconds: Math.max(last.cpuSeconds, sum(tree, readCpu)),
        contextSwitches: Math.max(last.contextSwitches, sum(tree, contextSwitches)),
        busiestThreadSeconds: Math.max(
          last.busiestThreadSeconds,
          withThreads ? readBusiestThread(role, tree) : 0,
        ),
      });
      const peak = peaks.get(role) ?? { memoryBytes: 0, threads: 0 };
      peaks.set(role, {
        threads: Math.max(peak.threads, sum(tree, threadCount)),
        memoryBytes: withMemory
          ? Math.max(peak.memoryBytes, sum(tree, readMemory))
          : peak.memoryBytes,
      });
    }
    samples.push(sample);
  };

  const foreign = watchForeign();
  takeSample();
  const timer = setInterval(() => takeSample(), sampleMs);
  const stop = () => clearInterval(timer);

  return {
    add(role, pid) {
      roles.set(role, pid);
      takeSample();
    },
    finish(loadStartMs, loadEndMs) {
      stop();
      ticks = 0;
      takeSample({ isLast: true });
      if (samples.length === 0 || loadEndMs - loadStartMs < shortestLoadMs) return undefined;
      const used = (pick: (sample: Sample) => number) =>
        Math.max(0, at(samples, loadEndMs, pick) - at(samples, loadStartMs, pick));
      const usedCpu = (role: RoleName) => used((sample) => sample.roles.get(role)?.cpuSeconds ?? 0);
      const describe = (role: RoleName): Role => ({
        cpuSeconds: round(usedCpu(role)),
        busiestThreadCpuSeconds: round(at(
          samples,
          // Threads that are read at start and end only have their total in the last sample.
          role === "generator" ? loadEndMs : Infinity,
          (sample) => sample.roles.get(role)?.busiestThreadSeconds ?? 0,
        )),
        peakMemoryBytes: peaks.get(role)?.memoryBytes ?? 0,
        peakThreads: peaks.get(role)?.threads ?? 0,
        contextSwitches: Math.round(
          used((sample) => sample.roles.get(role)?.contextSwitches ?? 0),
        ),
      });
      const durationSeconds = (loadEndMs - loadStartMs) / 1000;
      const foreignShare = foreign(new Set([...trees.values()].flat()));
      return {
        source: "proc",
        memorySource,
        subject: describe("subject"),
        database: roles.has("database") ? describe("database") : undefined,
        generator: describe("generator"),
        harness: describe("harness"),
        machine: {
          capacityCpuSeconds: round(durationSeconds * processorCount()),
          foreignCpuSeconds: isDatabaseHidden ? undefined : round(foreignShare * durationSeconds),
          idleCpuSeconds: round(used((sample) => sample.machine.idleSeconds)),
          stealCpuSeconds: round(used((sample) => sample.machine.stealSeconds)),
          swappedBytes: Math.round(used((sample) => sample.machine.swappedBytes)),
        },
      };
    },
    [Symbol.dispose]: stop,
  };
}

/**
 * Reads every process on the machine now, and again when called: returns the background load, the CPU seconds per
 * second of all processes except `ours`. Summed over processes, because kernels differ in whether interrupt time
 * belongs to the interrupted process, and a difference of totals would include all of it.
 */
export function watchForeign(): (ours: ReadonlySet<number>) => number {
  const beforeMs = performance.now();
  const before = accountsOfAll();
  return (ours) => {
    const used = foreignSeconds(before, accountsOfAll(), ours);
    return used / ((performance.now() - beforeMs) / 1000);
  };
}

/** Returns the CPU seconds that processes other than `ours` used between two readings. */
export function foreignSeconds(
  before: ReadonlyMap<number, ProcessAccount>,
  after: ReadonlyMap<number, ProcessAccount>,
  ours: ReadonlySet<number>,
): number {
  // The time of an ended process is now in its parent's, including what it used before the first reading.
  const inherited = new Map<number, number>();
  for (const [pid, { seconds, parent }] of before) {
    if (!after.has(pid)) inherited.set(parent, (inherited.get(parent) ?? 0) + seconds);
  }
  let used = 0;
  for (const [pid, { seconds }] of after) {
    if (ours.has(pid)) continue;
    const earlier = (before.get(pid)?.seconds ?? 0) + (inherited.get(pid) ?? 0);
    used += Math.max(0, seconds - earlier);
  }
  return used;
}

/** Interpolates a growing counter linearly between two samples. */
function at(samples: Sample[], atMs: number, pick: (sample: Sample) => number): number {
  const after = samples.findIndex((sample) => sample.atMs >= atMs);
  if (after === -1) return pick(samples[samples.length - 1]!);
  if (after === 0) return pick(samples[0]!);
  const [from, to] = [samples[after - 1]!, samples[after]!];
  const share = (atMs - from.atMs) / (to.atMs - from.atMs);
  return pick(from) + share * (pick(to) - pick(from));
}

function sum(
  pids: number[],
  read: (pid: number) => number | undefined,
): number {
  let total = 0;
  for (const pid of pids) total += read(pid) ?? 0;
  return total;
}

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
