/**
 * Tree CPU: what did a server use between two moments at which it was frozen? Takes what the kernel counted for each of
 * its processes at both; returns CPU seconds, to the nanosecond where no thread has ended meanwhile.
 */
import { processTree } from "../lib/process_tree.ts";
import { cpuSeconds, exactCpuSeconds, ownCpuSeconds } from "./proc.ts";

/** What one process has used since it began, in CPU seconds. */
export interface ProcessCpu {
  /** Its living threads, to the nanosecond. */
  living: number;
  /** All of its threads, in ticks of 10 ms. */
  own: number;
  /** Its children that have ended, with theirs, likewise. */
  ended: number;
}

/** What the processes of a tree have used, by their ids. */
export type TreeCpu = ReadonlyMap<number, ProcessCpu>;

/** Reads a process and its descendants; undefined where the system does not report this (anything but Linux). */
export function readTreeCpu(pid: number): TreeCpu | undefined {
  const tree = new Map<number, ProcessCpu>();
  for (const member of processTree(pid)) {
    const [living, own, all] = [exactCpuSeconds, ownCpuSeconds, cpuSeconds].map((it) => it(member));
    if (living === undefined || own === undefined || all === undefined) continue;
    tree.set(member, { living, own, ended: all - own });
  }
  return tree.size === 0 ? undefined : tree;
}

/** User and system time are cut to a tick each. */
const toleranceSeconds = 0.02;

/**
 * Returns the CPU seconds between two readings of a tree. The count in ticks must exceed the exact one by more than
 * `tolerance` to be taken, in seconds; by default, by what rounding may add.
 *
 * A thread that ends takes its time out of the exact count: HotSpot ends idle compiler threads, which have used seconds,
 * and a server that starts a thread for each request would seem to use next to nothing. The count in ticks keeps such
 * threads, and where it exceeds the exact one, a thread has ended. A process that has ended left its time to the one
 * that waited for it.
 */
export function treeCpuBetween(
  before: TreeCpu,
  after: TreeCpu,
  tolerance = toleranceSeconds,
): number {
  let [seconds, ended] = [0, 0];
  for (const [pid, now] of after) {
    const was = before.get(pid) ?? { living: 0, own: 0, ended: 0 };
    const [living, own] = [now.living - was.living, now.own - was.own];
    seconds += own > living + tolerance ? own : living;
    ended += now.ended - was.ended;
  }
  for (const [pid, was] of before) {
    if (!after.has(pid)) ended -= was.own + was.ended;
  }
  return seconds + Math.max(0, ended);
}
