/** What idle processors do, by the counters of Linux's cpuidle. */
import { join } from "@std/path";
import { delay } from "@std/async";
import { sumOf } from "../lib/sum.ts";

/** What to read, and how to wait between two readings; by default this machine, for 0.2 s, or up to 2 s while no processor is idle. */
export interface IdleOptions {
  folder?: string;
  wait?: () => Promise<void>;
}

/** How often the counters are read again where nothing was idle meanwhile. */
const mostWaits = 10;

/**
 * Tells whether idle processors poll for work instead of halting: whether at least 95 % of the idle time counted
 * meanwhile is of the state `POLL`. It is nearly all as long as root holds `/dev/cpu_dma_latency` open with 0 in it;
 * without, the kernel may poll briefly before it halts. False does not prove that they halt: it is also returned if the
 * kernel has no such counters, or counted no idle time.
 */
export async function pollWhenIdle(
  { folder = "/sys/devices/system/cpu", wait = () => delay(200) }: IdleOptions = {},
): Promise<boolean> {
  const before = await readIdle(folder);
  for (let waits = 0; waits < mostWaits; waits++) {
    await wait();
    const after = await readIdle(folder);
    const [polling, all] = [after.polling - before.polling, after.all - before.all];
    if (all > 0) return polling >= 0.95 * all;
    if (after.all === 0) return false;
  }
  return false;
}

/** Returns the idle time of all processors since boot, and how much of it they polled, in µs. */
async function readIdle(folder: string): Promise<{ polling: number; all: number }> {
  const states: { name: string; time: number }[] = [];
  for (const cpu of await namesIn(folder, /^cpu\d+$/)) {
    const idle = join(folder, cpu, "cpuidle");
    for (const state of await namesIn(idle, /^state\d+$/)) {
      const [name, time] = await Promise.all(
        ["name", "time"].map((key) => Deno.readTextFile(join(idle, state, key))),
      );
      states.push({ name: name!.trim(), time: Number(time) });
    }
  }
  const polling = states.filter(({ name }) => name === "POLL");
  return { polling: sumOf(polling, ({ time }) => time), all: sumOf(states, ({ time }) => time) };
}

/** Returns the names in a folder that match; none if the folder does not exist. */
async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
      .filter((name) => pattern.test(name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
