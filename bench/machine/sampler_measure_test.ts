import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { type Process, startProcess } from "../lib/process.ts";
import { processTree } from "../lib/process_tree.ts";
import { processorCount } from "./proc.ts";
import { startSampler } from "./sampler.ts";
import type { Resources } from "../results/resources_schema.ts";

/** Other programs may take most of the machine: how much of 1.5 s a busy process gets at least. */
const leastCpuSeconds = 0.05;

/** Starts a shell line; its output is of no interest. */
function start(line: string): Process {
  return startProcess(["sh", "-c", line], { logPath: "/dev/null" });
}

function require(resources: Resources | undefined): Resources {
  if (resources === undefined) throw new Error("There are no resources, expected some");
  return resources;
}

Deno.test({
  name: "startSampler()",
  ignore: Deno.build.os !== "linux",
  fn: async (t) => {
    await using idle = start("sleep 600");
    const others = { harness: { pid: Deno.pid }, database: idle };

    await t.step("sees what a role uses, and what one is that has no role", async () => {
      // A grandchild burns: the role is the whole tree.
      await using burner = start("sh -c 'while :; do :; done' & wait");
      while (processTree(burner.pid).length < 2) await delay(10);
      using knowing = startSampler({ ...others, subject: burner });
      using ignorant = startSampler({ ...others, subject: idle });
      const startMs = performance.now();
      await delay(1_500);
      const endMs = performance.now();
      const [known, unknown] = [knowing, ignorant].map((it) => require(it.finish(startMs, endMs)));

      const { subject, machine } = known!;
      assert(subject.cpuSeconds > leastCpuSeconds, `${subject.cpuSeconds} s`);
      assert(subject.busiestThreadCpuSeconds! > leastCpuSeconds);
      assert(subject.busiestThreadCpuSeconds! <= subject.cpuSeconds + 0.3);
      // It never sleeps: what it does not run, it waits.
      const busySeconds = subject.busiestThreadCpuSeconds + subject.busiestThreadWaitSeconds!;
      assert(busySeconds > 0.9 * (endMs - startMs) / 1_000, `${busySeconds} s`);
      assert(machine.idleCpuSeconds! < machine.capacityCpuSeconds);
      assert(subject.peakThreads >= 2, `${subject.peakThreads} threads`);
      assert(subject.peakMemoryBytes > 50_000, `${subject.peakMemoryBytes} bytes`);
      assertEquals(known!.database?.cpuSeconds, 0);
      const foreign = unknown!.machine.foreignCpuSeconds! - machine.foreignCpuSeconds!;
      assert(
        foreign > subject.cpuSeconds / 2,
        `background load is ${foreign} of ${subject.cpuSeconds} s`,
      );
      assertEquals(
        Math.round(machine.capacityCpuSeconds / processorCount() * 10) / 10,
        Math.round((endMs - startMs) / 100) / 10,
      );
    });

    await t.step(
      "keeps what a process used that has ended, added or there from the start",
      async () => {
        await using first = start("while :; do :; done");
        await using second = start("while :; do :; done");
        using sampler = startSampler({ ...others, subject: first });
        const startMs = performance.now();
        sampler.add("generator", second);
        await delay(900);
        await Promise.all([first.stop(), second.stop()]);
        await delay(600);
        const { subject, generator } = require(sampler.finish(startMs, performance.now()));
        assert(subject.cpuSeconds > leastCpuSeconds, `${subject.cpuSeconds} s`);
        assert(generator.cpuSeconds > leastCpuSeconds, `${generator.cpuSeconds} s`);
        assert(generator.busiestThreadCpuSeconds! > leastCpuSeconds);
      },
    );

    await t.step("does not count what is said to have no role", async () => {
      await using burner = start("while :; do :; done");
      using told = startSampler({ ...others, subject: idle }, { withoutRole: [burner.pid] });
      using ignorant = startSampler({ ...others, subject: idle });
      const startMs = performance.now();
      await delay(1_500);
      const endMs = performance.now();
      const [ours, foreign] = [told, ignorant].map((it) =>
        require(it.finish(startMs, endMs)).machine.foreignCpuSeconds!
      );
      assert(foreign! - ours! > leastCpuSeconds, `${ours} of ${foreign} s`);
    });

    await t.step(
      "sees what others use while a load runs, however much longer it samples",
      async () => {
        using sampler = startSampler({ ...others, subject: idle });
        await delay(4_000);
        await using generator = start("sleep 600");
        sampler.add("generator", generator);
        const startMs = performance.now();
        // It stays: what an ended child of ours used would be ours.
        await using _burner = start("timeout 2.5 sh -c 'while :; do :; done'; sleep 600");
        await delay(2_500);
        const endMs = performance.now();
        await delay(6_000);
        const { machine } = require(sampler.finish(startMs, endMs));
        // At least what it got of a busy machine, less the share of up to 2 s after the load.
        const seconds = machine.foreignCpuSeconds!;
        assert(seconds > 0.5 * (endMs - startMs) / 1_000, `${seconds} s`);
      },
    );

    await t.step("tells nothing of other processes without the database's", async () => {
      using sampler = startSampler({ harness: { pid: Deno.pid }, subject: idle });
      const startMs = performance.now();
      await delay(1_100);
      const { database, machine } = require(sampler.finish(startMs, performance.now()));
      assertEquals([database, machine.foreignCpuSeconds], [undefined, undefined]);
    });

    await t.step("tells nothing of less than a second", async () => {
      using sampler = startSampler({ ...others, subject: idle });
      const startMs = performance.now();
      await delay(300);
      assertEquals(sampler.finish(startMs, startMs + 300), undefined);
    });
  },
});
