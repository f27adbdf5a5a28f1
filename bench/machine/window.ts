/**
 * Window: what happened on the machine beside the measurement? Reads the counters of the machine and of every process
 * at the beginning and at the end of a window, and nothing in between; returns the background load, and what the
 * hypervisor stole.
 */
import {
  accountsOfAll,
  type MachineTimes,
  machineTimes,
  type ProcessAccount,
  processorCount,
} from "./proc.ts";
import type { MachineUse } from "../results/load_schema.ts";

/**
 * Begins a window. The returned function ends it: give it the ids of all living processes that have a role, or nothing
 * where one is not visible; a process that has ended had the role of the one that waited for it. It returns undefined
 * where the system does not report this (anything but Linux).
 */
export function watchMachine(): (ours?: ReadonlySet<number>) => MachineUse | undefined {
  const before = readMachine();
  return (ours) => {
    const after = readMachine();
    return before && after && useBetween(before, after, ours, processorCount());
  };
}

/** The counters of the machine and its processes at one moment, in milliseconds of `performance.now()`. */
export interface MachineReading {
  atMs: number;
  machine: MachineTimes;
  processes: ReadonlyMap<number, ProcessAccount>;
}

/** Reads all counters; undefined where the system does not report them. */
export function readMachine(): MachineReading | undefined {
  const machine = machineTimes();
  return machine && { atMs: performance.now(), machine, processes: accountsOfAll() };
}

/** Returns what happened between two readings. */
export function useBetween(
  before: MachineReading,
  after: MachineReading,
  ours: ReadonlySet<number> | undefined,
  processors: number,
): MachineUse {
  const capacity = (after.atMs - before.atMs) / 1000 * processors;
  const grown = (name: keyof MachineTimes) =>
    Math.max(0, after.machine[name] - before.machine[name]);
  const busy = capacity - grown("idleSeconds") - grown("stealSeconds");
  const used = ours && usedBetween(before.processes, after.processes, ours);
  return {
    capacityCpuSeconds: capacity,
    foreignCpuSeconds: used && foreignSeconds(used, {
      busySeconds: busy,
      interruptSeconds: seesAll(before, after) ? grown("interruptSeconds") : undefined,
    }),
    busiestOther: used?.busiest,
    idleCpuSeconds: grown("idleSeconds"),
    stealCpuSeconds: grown("stealSeconds"),
    swappedBytes: grown("swappedBytes"),
  };
}

/**
 * Tells whether all that the processors did is in one of the counters: a container may not see kernel threads, and idle
 * time falls where a processor is taken away.
 */
function seesAll(before: MachineReading, after: MachineReading): boolean {
  const seesKernel = [before, after].every(({ processes }) =>
    processes.values().some(({ isKernelThread }) => isKernelThread)
  );
  return seesKernel && after.machine.idleSeconds >= before.machine.idleSeconds;
}

/** CPU seconds of processes between two readings. */
export interface Used {
  ours: number;
  /** Of the kernel's own threads. */
  kernel: number;
  others: number;
  /** The one of the others that used the most; absent where none used any. */
  busiest?: NonNullable<MachineUse["busiestOther"]>;
}

/**
 * Returns the CPU seconds of other processes: their sum, limited by two bounds. The upper one is the time of the busy
 * processors minus ours; the lower one is that minus the time of the kernel's threads and of interrupts, if it is known.
 * The lower one includes processes that have ended and that nobody waited for: a parent that ignores SIGCHLD (wait(2))
 * could hide work in them.
 *
 * The sum alone could be too large, because a process that has ended leaves its time to another, and which one is
 * inferred. What is left of the busy time alone would be too large, too: it includes kernel threads, and on kernels
 * with CONFIG_IRQ_TIME_ACCOUNTING all interrupts, most of them for the measured connections. Kernels without it charge
 * interrupts to whichever process was interrupted, and `/proc/stat` counts them apart by samples; so the
 * upper bound cannot subtract them without knowing the kernel. The lower one can: subtracting too much only lowers it.
 */
export function foreignSeconds(
  { ours, kernel, others }: Used,
  { busySeconds, interruptSeconds = Infinity }: { busySeconds: number; interruptSeconds?: number },
): number {
  const upper = busySeconds - ours;
  return Math.max(0, Math.min(others, upper), upper - kernel - interruptSeconds);
}

/** A counter of `/proc/<pid>/stat` is cut to hundredths, and a process's time is the sum of four of them. */
const toleranceSeconds = 0.05;

/**
 * Returns what our processes and all others used between two readings.
 *
 * A process that has ended leaves its time, with that of its own ended children, to whoever waits for it: its parent,
 * or, if that has ended before, an ancestor that takes orphans, such as the first process. What it had used before the
 * first reading was not used in between, and is subtracted there: from the nearest ancestor that grew by as much. Where
 * none did, nobody has waited for it, and its time is in no process's counter any more.
 */
export function usedBetween(
  before: ReadonlyMap<number, ProcessAccount>,
  after: ReadonlyMap<number, ProcessAccount>,
  ours: ReadonlySet<number>,
): Used {
  const survived = (pid: number) => after.get(pid)?.startTicks === before.get(pid)?.startTicks;
  const growth = new Map<number, number>();
  for (const [pid, { seconds }] of after) {
    const earlier = survived(pid) ? before.get(pid)!.seconds : 0;
    growth.set(pid, Math.max(0, seconds - earlier));
  }
  const ended = [...before].filter(([pid, { seconds }]) => seconds > 0 && !survived(pid))
    .map(([, account]) => account)
    .sort((a, b) => b.seconds - a.seconds);
  for (const { seconds, parent } of ended) {
    for (let pid = parent; before.has(pid); pid = before.get(pid)!.parent) {
      const grown = growth.get(pid) ?? 0;
      if (!survived(pid) || grown < seconds - toleranceSeconds) continue;
      growth.set(pid, Math.max(0, grown - seconds));
      break;
    }
  }
  const used: Used = { ours: 0, kernel: 0, others: 0 };
  for (const [pid, seconds] of growth) {
    const { name, isKernelThread = false } = after.get(pid)!;
    const whose = ours.has(pid) ? "ours" : isKernelThread ? "kernel" : "others";
    used[whose] += seconds;
    if (whose === "others" && seconds > (used.busiest?.cpuSeconds ?? 0)) {
      used.busiest = { name, cpuSeconds: seconds };
    }
  }
  return used;
}
