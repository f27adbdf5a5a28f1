/** What idle processors do, by the counters of Linux's cpuidle. */
import { join } from "@std/path";
import { delay } from "@std/async";
import { sumOf } from "../lib/sum.ts";

/** Where to look, and how to wait meanwhile; by default at this machine, for 0.2 s. */
export interface IdleOptions {
  folder?: string;
  wait?: () => Promise<void>;
}

/**
 * Tells whether idle processors poll for work, and do not halt: the state `POLL` has more than half of what time they
 * are idle meanwhile. The kernel does so as long as root holds `/dev/cpu_dma_latency` open with 0 in it. False where the
 * kernel does not count it, or where no processor was idle.
 */
export async function pollWhenIdle(
  { folder = "/sys/devices/system/cpu", wait = () => delay(200) }: IdleOptions = {},
): Promise<boolean> {
  const before = await readIdle(folder);
  await wait();
  const after = await readIdle(folder);
  return after.polling - before.polling > (after.all - before.all) / 2;
}

/** Returns how long all processors have been idle since they started, and how much of it they polled. Unit: µs. */
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

/** Returns the names in a folder that match; none where it is not there. */
async function namesIn(folder: string, pattern: RegExp): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name))
      .filter((name) => pattern.test(name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}
