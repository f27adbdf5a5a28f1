/**
 * Compiler threads: is a just-in-time compiler still at work? Takes a running server under load and the names of its
 * compiler threads; reads from outside how busy they are (Linux; elsewhere none are seen), and tells when it is warm.
 */
import { processTree } from "../lib/process_tree.ts";
import { busySeconds, threadName, threadsOf } from "./proc.ts";

/**
 * How long each compiler thread, by its id, has been busy since it began, in seconds. Busy is running or waiting for a
 * processor: on two saturated processors, each of HotSpot's two compilers with a full queue ran for 6 % of the time and
 * waited for 88 %.
 */
export type CompilerTimes = ReadonlyMap<number, number>;

/**
 * Reads the compiler threads of a process and its descendants. `names` match the thread's name as the kernel keeps it,
 * its first 15 characters.
 */
export function readCompilerTimes(pid: number, names: readonly RegExp[]): CompilerTimes {
  const times = new Map<number, number>();
  if (names.length === 0) return times;
  for (const process of processTree(pid)) {
    for (const thread of threadsOf(process)) {
      const name = threadName(process, thread);
      if (name === undefined || !names.some((pattern) => pattern.test(name))) continue;
      const seconds = busySeconds(process, thread);
      if (seconds !== undefined) times.set(thread, seconds);
    }
  }
  return times;
}

/**
 * Returns how long compilers were busy between two readings, in seconds. What a thread did after the first reading and
 * before its end is not counted: HotSpot ends only threads that have had nothing to compile for a while.
 */
export function busyBetween(before: CompilerTimes, after: CompilerTimes): number {
  let seconds = 0;
  for (const [thread, total] of after) seconds += total - (before.get(thread) ?? 0);
  return seconds;
}

/** A moment of a load. */
export interface CompilerSample {
  /** Since the load began. */
  atSeconds: number;
  /** How long compilers have been busy since the load began, over all threads. */
  busySeconds: number;
  /** Compiler threads at this moment. */
  threads: number;
}

/** Returns a function that samples the compilers of a process from now on; call it ten times a second. */
export function watchCompilers(pid: number, names: readonly RegExp[]): () => CompilerSample {
  const beginMs = performance.now();
  let last = readCompilerTimes(pid, names);
  let busySeconds = 0;
  return () => {
    const times = readCompilerTimes(pid, names);
    busySeconds += busyBetween(last, times);
    last = times;
    return { atSeconds: (performance.now() - beginMs) / 1000, busySeconds, threads: times.size };
  };
}

/** When compilers count as done. */
export interface QuietRule {
  /** For how long they must have been quiet, under load. */
  windowSeconds: number;
  /** How busy they may be in that time, as a share of one processor. */
  mostShare: number;
}

/**
 * Returns when compilers had been quiet for the first time for a whole window, in seconds since the load began;
 * undefined if that has not happened. Without compiler threads, that is the end of the first window.
 */
export function quietAtSeconds(
  samples: readonly Omit<CompilerSample, "threads">[],
  { windowSeconds, mostShare }: QuietRule,
): number | undefined {
  let first = 0;
  for (const [index, { atSeconds, busySeconds }] of samples.entries()) {
    // The shortest stretch of samples that ends here and is a window long.
    while (first < index && atSeconds - samples[first + 1]!.atSeconds >= windowSeconds) first++;
    const begin = samples[first]!;
    const seconds = atSeconds - begin.atSeconds;
    if (seconds < windowSeconds) continue;
    if ((busySeconds - begin.busySeconds) / seconds <= mostShare) return atSeconds;
  }
  return undefined;
}
