/**
 * Reads the kernel's counters under /proc (Linux; proc(5) names every field used here). A process that has ended
 * reads as undefined; nothing throws for that. Reads are synchronous, without a thread pool, because the kernel
 * answers from memory and hundreds of reads a second must not disturb the measurement.
 */
import { statFields, statName } from "../lib/stat_fields.ts";
import { sumOf } from "../lib/sum.ts";

/** USER_HZ, the unit of CPU time in /proc: 100 on every Linux that user space sees (time(7)). */
const ticksPerSecond = 100;

/** AT_NULL and AT_PAGESZ of the kernel's include/uapi/linux/auxvec.h. */
const [lastKey, pageSizeKey] = [0n, 6n];

/**
 * Returns the size of the kernel's pages, in bytes: 4 KiB on x86-64, 4, 16 or 64 KiB on arm64. It stands in what the kernel
 * tells each process at its start: pairs of 64 bits, in the order of bytes of the processors that Deno runs on
 * (getauxval(3)). Undefined where it does not.
 */
export function pageBytesIn(auxiliaryVector: Uint8Array): number | undefined {
  const { buffer, byteOffset, byteLength } = auxiliaryVector;
  const view = new DataView(buffer, byteOffset, byteLength);
  for (let at = 0; at + 16 <= byteLength; at += 16) {
    const key = view.getBigUint64(at, true);
    if (key === pageSizeKey) return Number(view.getBigUint64(at + 8, true));
    if (key === lastKey) break;
  }
  return undefined;
}

/** Of this machine; undefined where the system does not report it (anything but Linux). */
const pageBytes = readPageBytes();

function readPageBytes(): number | undefined {
  try {
    return pageBytesIn(Deno.readFileSync("/proc/self/auxv"));
  } catch {
    return undefined;
  }
}

/** CPU time of one process, without what its ended children used. */
export function ownCpuSeconds(pid: number): number | undefined {
  return readStat(`${pid}`)?.ownSeconds;
}

/** CPU time of one process, including its ended and awaited children. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = readStat(`${pid}`);
  return stat === undefined ? undefined : stat.ownSeconds + stat.childrenSeconds;
}

/** The id of a process's parent. */
export function parentOf(pid: number): number | undefined {
  return readStat(`${pid}`)?.parent;
}

/** CPU time of one process, including its ended and awaited children, and its parent's id. */
export interface ProcessAccount {
  /** As the kernel has it, cut to 15 bytes; may contain anything. */
  name: string;
  seconds: number;
  parent: number;
  /** When it started, in ticks since the machine did: it tells processes with the same id apart. */
  startTicks: number;
  /** Absent for other processes. */
  isKernelThread?: true;
}

/** CPU times of every process, kernel threads included, by its id. */
export function accountsOfAll(): Map<number, ProcessAccount> {
  const all = new Map<number, ProcessAccount>();
  if (Deno.build.os !== "linux") return all;
  for (const { name } of Deno.readDirSync("/proc")) {
    const stat = /^\d+$/.test(name) ? readStat(name) : undefined;
    if (stat === undefined) continue;
    const { ownSeconds, childrenSeconds, isKernelThread, ...account } = stat;
    all.set(Number(name), {
      ...account,
      seconds: ownSeconds + childrenSeconds,
      ...isKernelThread && { isKernelThread },
    });
  }
  return all;
}

/** PF_KTHREAD of the kernel's include/linux/sched.h. */
const kernelThreadFlag = 0x0020_0000;

/** Reads the CPU time of a process, or of a thread: `<pid>` or `<pid>/task/<tid>`. */
function readStat(entry: string) {
  const stat = read(`/proc/${entry}/stat`);
  if (stat === undefined) return undefined;
  const fields = statFields(stat).map(Number);
  const [parent = 0, flags = 0, startTicks = 0] = [fields[1], fields[6], fields[19]];
  const [utime = 0, stime = 0, cutime = 0, cstime = 0] = fields.slice(11, 15);
  return {
    name: statName(stat),
    parent,
    startTicks,
    isKernelThread: (flags & kernelThreadFlag) !== 0,
    ownSeconds: (utime + stime) / ticksPerSecond,
    childrenSeconds: (cutime + cstime) / ticksPerSecond,
  };
}

/** Returns the state of each thread of a process, "R" for one that has or wants a processor (proc(5)); none if it has ended. */
export function threadStates(pid: number): string[] {
  return threadsOf(pid).flatMap((id) => {
    const stat = read(`/proc/${pid}/task/${id}/stat`);
    return stat === undefined ? [] : [statFields(stat)[0]!];
  });
}

/** Tells whether a thread in this state uses no processor until somebody else lets it: stopped, traced, a zombie, or dead. */
export function isStanding(state: string): boolean {
  return ["T", "t", "Z", "X"].includes(state);
}

/** Command line of one process, its words separated by spaces. */
export function commandLine(pid: number): string | undefined {
  return read(`/proc/${pid}/cmdline`)?.split("\0").filter(Boolean).join(" ");
}

/** Threads of one process. */
export function threadCount(pid: number): number | undefined {
  return field(read(`/proc/${pid}/status`), "Threads");
}

/** What a thread did since it began, in seconds. */
export interface ThreadTimes {
  cpuSeconds: number;
  /** It was ready, and waited for a processor; 0 where the kernel does not count that. */
  waitSeconds: number;
}

/** Times of each living thread of one process by its id. */
export function threadTimes(pid: number): Map<number, ThreadTimes> {
  const threads = new Map<number, ThreadTimes>();
  for (const id of threadsOf(pid)) {
    const stat = readStat(`${pid}/task/${id}`);
    const waitSeconds = readSchedule(pid, id)?.waitingSeconds ?? 0;
    if (stat !== undefined) threads.set(id, { cpuSeconds: stat.ownSeconds, waitSeconds });
  }
  return threads;
}

/**
 * CPU time of all living threads of one process since each began, in seconds to the nanosecond; exact while the process
 * is frozen, else up to a tick of the kernel's clock behind. Undefined where the system does not report it.
 */
export function exactCpuSeconds(pid: number): number | undefined {
  let seconds: number | undefined;
  for (const id of threadsOf(pid)) {
    const schedule = readSchedule(pid, id);
    if (schedule !== undefined) seconds = (seconds ?? 0) + schedule.runningSeconds;
  }
  return seconds;
}

/**
 * How long a thread has been busy since it began, in seconds: it ran, or waited for a processor; where the kernel does
 * not count waiting, how long it has run. Undefined once it has ended.
 */
export function busySeconds(pid: number, thread: number): number | undefined {
  const schedule = readSchedule(pid, thread);
  return schedule === undefined
    ? readStat(`${pid}/task/${thread}`)?.ownSeconds
    : schedule.runningSeconds + schedule.waitingSeconds;
}

/**
 * Documentation/scheduler/sched-stats.rst: nanoseconds on a processor, nanoseconds waiting for one, and how often it ran:
 * never, where the kernel does not count.
 */
function readSchedule(pid: number, thread: number) {
  const fields = read(`/proc/${pid}/task/${thread}/schedstat`)?.split(" ").map(Number);
  const [running = 0, waiting = 0, slices = 0] = fields ?? [];
  return slices === 0
    ? undefined
    : { runningSeconds: running / 1e9, waitingSeconds: waiting / 1e9 };
}

/** The name of a thread as the kernel keeps it, its first 15 characters. */
export function threadName(pid: number, thread: number): string | undefined {
  return read(`/proc/${pid}/task/${thread}/comm`)?.trimEnd();
}

/** The ids of the living threads of one process; none once it has ended. */
export function threadsOf(pid: number): number[] {
  try {
    return Array.from(Deno.readDirSync(`/proc/${pid}/task`), ({ name }) => Number(name));
  } catch {
    return [];
  }
}

/** Open file descriptors of one process; undefined where they may not be read. */
export function descriptorCount(pid: number): number | undefined {
  try {
    return [...Deno.readDirSync(`/proc/${pid}/fd`)].length;
  } catch {
    return undefined;
  }
}

/** Context switches of all living threads of one process, voluntary or not, since each began. */
export function contextSwitches(pid: number): number {
  return sumOf(threadsOf(pid), (id) => {
    const status = read(`/proc/${pid}/task/${id}/status`);
    return (field(status, "voluntary_ctxt_switches") ?? 0) +
      (field(status, "nonvoluntary_ctxt_switches") ?? 0);
  });
}

/** Memory of one process: proportional set size if it may be read, else resident set size. */
export function memory(
  pid: number,
): { bytes: number; source: "pss" | "rss" } | undefined {
  const pss = field(read(`/proc/${pid}/smaps_rollup`), "Pss");
  if (pss !== undefined) return { bytes: pss * 1024, source: "pss" };
  const rss = field(read(`/proc/${pid}/status`), "VmRSS");
  return rss === undefined ? undefined : { bytes: rss * 1024, source: "rss" };
}

/**
 * What others have of the pages that one process shares with them, in bytes: resident minus proportional set size.
 * Undefined where that may not be read. Reading it walks the page tables of the process.
 */
export function sharedBytes(pid: number): number | undefined {
  const rollup = read(`/proc/${pid}/smaps_rollup`);
  const [rss, pss] = [field(rollup, "Rss"), field(rollup, "Pss")];
  return rss === undefined || pss === undefined ? undefined : (rss - pss) * 1024;
}

/** Peak resident memory of one process, in bytes. */
export function peakRss(pid: number): number | undefined {
  const kibibytes = field(read(`/proc/${pid}/status`), "VmHWM");
  return kibibytes === undefined ? undefined : kibibytes * 1024;
}

/** Counters of the whole machine since it started. */
export interface MachineTimes {
  /** Of all processors, I/O wait included. */
  idleSeconds: number;
  stealSeconds: number;
  /** Hard and soft interrupts. Some kernels also charge this time to the process that was interrupted. */
  interruptSeconds: number;
  swappedBytes: number;
}

/** Reads the machine's counters; undefined where there are none. */
export function machineTimes(): MachineTimes | undefined {
  const [stat, vmstat] = [read("/proc/stat"), read("/proc/vmstat")];
  if (stat === undefined || vmstat === undefined || pageBytes === undefined) return undefined;
  return machineTimesIn(stat, vmstat, pageBytes);
}

/** Returns the counters in what the kernel writes (proc(5), `/proc/stat` and `/proc/vmstat`). */
export function machineTimesIn(stat: string, vmstat: string, pageBytes: number): MachineTimes {
  const fields = stat.slice(0, stat.indexOf("\n")).split(/\s+/).map(Number);
  const [idle = 0, ioWait = 0, hard = 0, soft = 0, steal = 0] = fields.slice(4, 9);
  const pages = (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(vmstat)?.[1] ?? 0);
  return {
    idleSeconds: (idle + ioWait) / ticksPerSecond,
    stealSeconds: steal / ticksPerSecond,
    interruptSeconds: (hard + soft) / ticksPerSecond,
    // zswap keeps pages in memory, compressed, before they reach the disk.
    swappedBytes: sumOf(["pswpin", "pswpout", "zswpin", "zswpout"], pages) * pageBytes,
  };
}

/** Counts the machine's processors, even if this process may not use all of them. */
export function processorCount(): number {
  return read("/proc/stat")?.match(/^cpu\d+ /gm)?.length ?? navigator.hardwareConcurrency;
}

/** Text of a file; undefined where there is none, as of a process that has ended. */
export function read(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return undefined;
  }
}

function field(text: string | undefined, name: string): number | undefined {
  const value = text === undefined
    ? undefined
    : new RegExp(`^${name}:\\s+(\\d+)`, "m").exec(text)?.[1];
  return value === undefined ? undefined : Number(value);
}
