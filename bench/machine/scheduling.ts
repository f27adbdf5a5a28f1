/**
 * Scheduling: what does the kernel's scheduler grant the threads of some processes? Takes their ids; returns the nice
 * value, the policy and the allowed processors of each thread (sched(7)), which any process of the same user may change.
 */
import { statFields } from "../lib/stat_fields.ts";
import { read, threadsOf } from "./proc.ts";

/** What the kernel's scheduler grants one thread. */
export interface Scheduling {
  /** From -20, the highest priority, to 19. */
  nice: number;
  /** Of the session of its process among the others; absent where the kernel has no such groups (CONFIG_SCHED_AUTOGROUP). */
  autogroupNice?: number;
  /** 0 is the usual one; see {@linkcode policyNames}. */
  policy: number;
  /** The processors that it may run on, as a list of ranges: `0-3,6`. */
  processors: string;
}

/** Of the kernel's include/uapi/linux/sched.h, by number. */
export const policyNames: Readonly<Record<number, string>> = {
  0: "SCHED_OTHER",
  1: "SCHED_FIFO",
  2: "SCHED_RR",
  3: "SCHED_BATCH",
  5: "SCHED_IDLE",
  6: "SCHED_DEADLINE",
  7: "SCHED_EXT",
};

/** Schedulings of threads by their ids. */
export type Schedulings = ReadonlyMap<number, Scheduling>;

/** Reads all living threads of some processes; none where the system does not report them (anything but Linux). */
export function readSchedulings(pids: Iterable<number>): Schedulings {
  const all = new Map<number, Scheduling>();
  for (const pid of pids) {
    const autogroup = read(`/proc/${pid}/autogroup`);
    for (const thread of threadsOf(pid)) {
      const [stat, status] = ["stat", "status"]
        .map((file) => read(`/proc/${pid}/task/${thread}/${file}`));
      const scheduling = schedulingIn({ stat, status, autogroup });
      if (scheduling !== undefined) all.set(thread, scheduling);
    }
  }
  return all;
}

/** Finds a thread's scheduling in the texts of its files; undefined where one is missing, as when it has ended. */
export function schedulingIn(
  { stat, status, autogroup }: Partial<Record<"stat" | "status" | "autogroup", string>>,
): Scheduling | undefined {
  const [, processors] = /^Cpus_allowed_list:\s*(\S+)/m.exec(status ?? "") ?? [];
  if (stat === undefined || processors === undefined) return undefined;
  const fields = statFields(stat).map(Number);
  const [nice, policy] = [fields[19 - 3], fields[41 - 3]];
  if (nice === undefined || policy === undefined) return undefined;
  const [, autogroupNice] = / nice (-?\d+)$/m.exec(autogroup ?? "") ?? [];
  return {
    nice,
    policy,
    processors,
    autogroupNice: autogroupNice === undefined ? undefined : Number(autogroupNice),
  };
}

/** Returns the numbers of the processors in a list of ranges. */
export function processorsIn(list: string): Set<number> {
  const numbers = list.split(",").flatMap((range) => {
    const [first = NaN, last = first] = range.split("-").map(Number);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return new Set(numbers);
}
