import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { pollWhenIdle } from "./idle.ts";

/** Idle states of a virtual machine with the cpuidle driver haltpoll. */
const [poll, halt] = ["POLL", "haltpoll idle"];

/** Asks while two processors are idle for these times (µs); before, each polled for 1 s and halted for 2 s. */
async function ask(meanwhile: Record<string, number>): Promise<boolean> {
  await using folder = await temporaryFolder();
  const write = async (times: Record<string, number>) => {
    for (const cpu of ["cpu0", "cpu1"]) {
      for (const [index, [name, time]] of Object.entries(times).entries()) {
        const state = join(folder.path, cpu, "cpuidle", `state${index}`);
        await Deno.mkdir(state, { recursive: true });
        await Deno.writeTextFile(join(state, "name"), `${name}\n`);
        await Deno.writeTextFile(join(state, "time"), `${time}\n`);
      }
    }
    await Deno.mkdir(join(folder.path, "cpuidle"), { recursive: true });
  };
  await write({ [poll!]: 1e6, [halt!]: 2e6 });
  const wait = () => write({ [poll!]: 1e6 + meanwhile.polling!, [halt!]: 2e6 + meanwhile.halted! });
  return await pollWhenIdle({ folder: folder.path, wait });
}

Deno.test("pollWhenIdle() asks what idle processors do now, whatever they did before", async () => {
  assertEquals(await ask({ polling: 150_000, halted: 0 }), true);
  assertEquals(await ask({ polling: 149_000, halted: 1_000 }), true);
  assertEquals(await ask({ polling: 100_000, halted: 50_000 }), false);
  assertEquals(await ask({ polling: 2_000, halted: 150_000 }), false);
  assertEquals(await ask({ polling: 0, halted: 0 }), false);
});

Deno.test("pollWhenIdle() asks again while no processor is idle", async () => {
  await using folder = await temporaryFolder();
  const state = join(folder.path, "cpu0", "cpuidle", "state0");
  await Deno.mkdir(state, { recursive: true });
  await Deno.writeTextFile(join(state, "name"), "POLL\n");
  const times = [1_000, 1_000, 1_000, 2_000];
  const wait = () => Deno.writeTextFile(join(state, "time"), `${times.shift()}\n`);
  await wait();
  assertEquals(await pollWhenIdle({ folder: folder.path, wait }), true);
  assertEquals(times, []);
});

Deno.test("pollWhenIdle() is false where the kernel does not count it", async () => {
  await using folder = await temporaryFolder();
  const wait = () => Promise.resolve();
  assertEquals(await pollWhenIdle({ folder: folder.path, wait }), false);
  assertEquals(await pollWhenIdle({ folder: join(folder.path, "none"), wait }), false);
});
