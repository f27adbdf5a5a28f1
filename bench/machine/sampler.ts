/**
 * Resources: what did each role use during the load? Takes the processes of the roles; samples the kernel's counters
 * four times a second; returns CPU seconds, peak memory and threads during the load, and background load, idle and
 * steal time of the machine.
 */
import { sumOf } from "../lib/sum.ts";
import {
  contextSwitches,
  cpuSeconds,
  type MachineTimes,
  machineTimes,
  memory,
  ownCpuSeconds,
  processorCount,
  threadCount,
  type ThreadTimes,
  threadTimes,
} from "./proc.ts";
import { type MachineReading, readMachine, useBetween } from "./window.ts";
import { type ProcessRoot, processTree } from "../lib/process_tree.ts";
import type { Resources, Role } from "../results/resources_schema.ts";

const sampleMs = 250;
/**
 * Reading a process's memory walks its page tables, and a reading of the machine has every process: once in 2 s does not
 * disturb the measurement.
 */
const samplesPerReading = 8;

const roleNames = ["subject", "database", "upstream", "generator", "harness"] as const;
/** A shorter load has too few samples to say what it used. */
const shortestLoadMs = 1_000;

export type RoleName = typeof roleNames[number];

/** Growing counters of one role. */
interface Accounts {
  cpuSeconds: number;
  contextSwitches: number;
  /** Of the thread that used the most CPU time since the role's first sample. */
  busiestThread: ThreadTimes;
}

const idleThread: ThreadTimes = { cpuSeconds: 0, waitSeconds: 0 };

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
  add(role: RoleName, process: ProcessRoot): void;
  /**
   * Ends sampling; times are those of `performance.now()`. Undefined where the system does not report it, and for
   * loads under one second.
   */
  finish(loadStartMs: number, loadEndMs: number): Resources | undefined;
}

/**
 * Starts sampling. A role is a process with all its descendants, but the harness is its own process only. A launcher
 * counts as CPU time only, because that of orphans is in its account. If the database's process is not visible,
 * background load cannot be told from it and is absent.
 */
export function startSampler(
  processes: Partial<Record<RoleName, ProcessRoot>>,
  { isDatabaseHidden = processes.database === undefined, withoutRole = [], onThreads }: {
    isDatabaseHidden?: boolean;
    /** Processes of the harness that have no role here, and are no background load. */
    withoutRole?: readonly number[];
    /** Called with the processes of a role whose threads may then be read: at the start and the end, and about every 2 s. */
    onThreads?: (role: RoleName, pids: readonly number[]) => void;
  } = {},
): Sampler {
  const roles = new Map<RoleName, ProcessRoot>();
  for (const role of roleNames) {
    const process = processes[role];
    if (process !== undefined) roles.set(role, process);
  }
  const trees = new Map<RoleName, number[]>();
  const everSeen = new Set(withoutRole);
  const readings: MachineReading[] = [];
  const peaks = new Map<RoleName, Peak>();
  const threadsBefore = new Map<RoleName, Map<number, ThreadTimes>>();
  const samples: Sample[] = [];
  let memorySource: "pss" | "rss" = "pss";
  let ticks = 0;

  const readMemory = (pid: number, role: RoleName) => {
    const found = memory(pid);
    // In a container, the database runs as another user, so only its resident memory may be read: nearly the same,
    // because it shares hardly any.
    if (found?.source === "rss" && role !== "database") memorySource = "rss";
    return found?.bytes;
  };
  const readBusiestThread = (role: RoleName, tree: number[]) => {
    const threads = new Map(tree.flatMap((pid) => [...threadTimes(pid)]));
    const before = threadsBefore.get(role);
    if (before === undefined) threadsBefore.set(role, threads);
    let busiest = idleThread;
    for (const [id, now] of threads) {
      const was = (before ?? threads).get(id) ?? idleThread;
      const cpuSeconds = now.cpuSeconds - was.cpuSeconds;
      if (cpuSeconds <= busiest.cpuSeconds) continue;
      busiest = { cpuSeconds, waitSeconds: now.waitSeconds - was.waitSeconds };
    }
    return busiest;
  };
  const takeSample = ({ isLast = false, isDue = false } = {}) => {
    const isRead = isLast || isDue || ticks % samplesPerReading === 0;
    const machine = machineTimes();
    if (machine === undefined) return;
    const before = samples.at(-1)?.roles;
    const sample: Sample = { atMs: performance.now(), roles: new Map(), machine };
    ticks++;
    for (const [role, { pid, hasLauncher }] of roles) {
      const withMemory = isRead || !trees.has(role);
      // Everything is a child of the harness, so its role is its own process only.
      if (withMemory) trees.set(role, role === "harness" ? [pid] : processTree(pid));
      const tree = trees.get(role) ?? [pid];
      for (const member of tree) everSeen.add(member);
      const members = hasLauncher ? tree.slice(1) : tree;
      const last = before?.get(role) ??
        { cpuSeconds: 0, contextSwitches: 0, busiestThread: idleThread };
      // Many threads are read at start and end only; the generator's few have ended by then.
      const withThreads = isLast || role === "generator" || !threadsBefore.has(role);
      const thread = withThreads ? readBusiestThread(role, members) : idleThread;
      // An ended thread reads as undefined; its CPU time still counts.
      const readCpu = role === "harness" ? ownCpuSeconds : cpuSeconds;
      sample.roles.set(role, {
        cpuSeconds: Math.max(last.cpuSeconds, sumOf(tree, (pid) => readCpu(pid) ?? 0)),
        // Of every thread, too: four times a second, hundreds of threads would cost a server what few do not.
        contextSwitches: withMemory
          ? Math.max(last.contextSwitches, sumOf(members, contextSwitches))
          : last.contextSwitches,
        busiestThread: thread.cpuSeconds > last.busiestThread.cpuSeconds
          ? thread
          : last.busiestThread,
      });
      if (withMemory) onThreads?.(role, members);
      const peak = peaks.get(role) ?? { memoryBytes: 0, threads: 0 };
      peaks.set(role, {
        threads: Math.max(peak.threads, sumOf(members, (pid) => threadCount(pid) ?? 0)),
        memoryBytes: withMemory
          ? Math.max(peak.memoryBytes, sumOf(members, (pid) => readMemory(pid, role) ?? 0))
          : peak.memoryBytes,
      });
    }
    samples.push(sample);
    const reading = isRead ? readMachine() : undefined;
    if (reading !== undefined) readings.push(reading);
  };

  takeSample();
  const timer = setInterval(() => takeSample(), sampleMs);
  const stop = () => clearInterval(timer);

  return {
    add(role, process) {
      roles.set(role, process);
      takeSample({ isDue: true });
    },
    finish(loadStartMs, loadEndMs) {
      stop();
      takeSample({ isLast: true });
      if (samples.length === 0 || loadEndMs - loadStartMs < shortestLoadMs) return undefined;
      const used = (pick: (sample: Sample) => number) =>
        Math.max(0, at(samples, loadEndMs, pick) - at(samples, loadStartMs, pick));
      const usedCpu = (role: RoleName) => used((sample) => sample.roles.get(role)?.cpuSeconds ?? 0);
      const ofBusiestThread = (role: RoleName, name: keyof ThreadTimes) =>
        round(at(
          samples,
          // Threads that are read at start and end only have their total in the last sample.
          role === "generator" ? loadEndMs : Infinity,
          (sample) => sample.roles.get(role)?.busiestThread[name] ?? 0,
        ));
      const describe = (role: RoleName): Role => ({
        cpuSeconds: round(usedCpu(role)),
        busiestThreadCpuSeconds: ofBusiestThread(role, "cpuSeconds"),
        busiestThreadWaitSeconds: ofBusiestThread(role, "waitSeconds"),
        peakMemoryBytes: peaks.get(role)?.memoryBytes ?? 0,
        peakThreads: peaks.get(role)?.threads ?? 0,
        contextSwitches: Math.round(
          used((sample) => sample.roles.get(role)?.contextSwitches ?? 0),
        ),
      });
      const durationSeconds = (loadEndMs - loadStartMs) / 1000;
      const capacity = durationSeconds * processorCount();
      // What the readings around the load tell, less what is outside it: at most 2 s.
      const first = readings.findLast(({ atMs }) => atMs <= loadStartMs) ?? readings[0];
      const last = readings.find(({ atMs }) => atMs >= loadEndMs) ?? readings.at(-1);
      const around = first && last &&
        useBetween(first, last, isDatabaseHidden ? undefined : everSeen, processorCount());
      const inLoad = (seconds: number) =>
        round(seconds * capacity / (around?.capacityCpuSeconds || Infinity));
      const { foreignCpuSeconds: foreign, busiestOther: busiest } = around ?? {};
      return {
        source: "proc",
        memorySource,
        subject: describe("subject"),
        database: roles.has("database") ? describe("database") : undefined,
        upstream: roles.has("upstream") ? describe("upstream") : undefined,
        generator: describe("generator"),
        harness: describe("harness"),
        machine: {
          capacityCpuSeconds: round(capacity),
          foreignCpuSeconds: foreign === undefined ? undefined : inLoad(foreign),
          busiestOther: busiest && { ...busiest, cpuSeconds: inLoad(busiest.cpuSeconds) },
          idleCpuSeconds: round(used((sample) => sample.machine.idleSeconds)),
          stealCpuSeconds: round(used((sample) => sample.machine.stealSeconds)),
          swappedBytes: Math.round(used((sample) => sample.machine.swappedBytes)),
        },
      };
    },
    [Symbol.dispose]: stop,
  };
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

function round(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
