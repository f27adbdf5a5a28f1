/**
 * Reads the kernel's accounts under /proc (Linux; proc(5) names every field used here). A process that has
 * ended meanwhile reads as undefined; nothing here throws for that. All of it is read at once, without a thread
 * pool: the kernel answers from memory, and hundreds of reads a second must not show in what is measured.
 */

/** USER_HZ, in which /proc counts processor time: 100 on every Linux that user space sees (time(7)). */
const ticksPerSecond = 100;
const pageBytes = 4096;

/** CPU time of one process, its ended and awaited children included. */
export function cpuSeconds(pid: number): number | undefined {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The name, in parentheses, may hold anything: fields are counted from behind it. Field 14 is utime.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, 15).reduce((total, ticks) => total + Number(ticks), 0) / ticksPerSecond;
}

/** Threads of one process. */
export function threadCount(pid: number): number | undefined {
  return field(read(`/proc/${pid}/status`), "Threads");
}

/** Context switches of all living threads of one process, voluntary or not, since each began. */
export function contextSwitches(pid: number): number {
  let total = 0;
  try {
    for (const task of Deno.readDirSync(`/proc/${pid}/task`)) {
      const status = read(`/proc/${pid}/task/${task.name}/status`);
      total += (field(status, "voluntary_ctxt_switches") ?? 0) +
        (field(status, "nonvoluntary_ctxt_switches") ?? 0);
    }
  } catch {
    // The process has ended: it switches no more.
  }
  return total;
}

/** Memory of one process: proportional set size where it may be read, else resident set size. */
export function memory(
  pid: number,
): { bytes: number; source: "pss" | "rss" } | undefined {
  const pss = field(read(`/proc/${pid}/smaps_rollup`), "Pss");
  if (pss !== undefined) return { bytes: pss * 1024, source: "pss" };
  const rss = field(read(`/proc/${pid}/status`), "VmRSS");
  return rss === undefined ? undefined : { bytes: rss * 1024, source: "rss" };
}

/** What the whole machine has done since it started. */
export interface MachineTimes {
  /** In user space and in the kernel on behalf of processes; interrupts are left out. */
  busySeconds: number;
  stealSeconds: number;
  swappedBytes: number;
}

/** Reads the machine's own accounts; undefined where there are none. */
export function machineTimes(): MachineTimes | undefined {
  const [stat, vmstat] = [read("/proc/stat"), read("/proc/vmstat")];
  if (stat === undefined || vmstat === undefined) return undefined;
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = stat.slice(0, stat.indexOf("\n"))
    .split(/\s+/).slice(1).map(Number);
  const pages = (name: string) =>
    Number(new RegExp(`^${name} (\\d+)$`, "m").exec(vmstat)?.[1] ?? 0);
  return {
    busySeconds: (user + nice + system) / ticksPerSecond,
    stealSeconds: steal / ticksPerSecond,
    swappedBytes: (pages("pswpin") + pages("pswpout")) * pageBytes,
  };
}

function read(path: string): string | undefined {
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
