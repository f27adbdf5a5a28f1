import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { exists } from "../lib/exists.ts";
import { type Process, startProcess } from "../lib/process.ts";
import { processTree } from "../lib/process_tree.ts";
import { sumOf } from "../lib/sum.ts";
import { until } from "../testing/until.ts";
import { accountsOfAll, cpuSeconds } from "./proc.ts";
import { usedBetween, watchMachine } from "./window.ts";

/** Uses 0.4 s of a processor. Given two files, it then makes the first, and waits for the other. */
const burning = `import os, sys, time
while time.process_time() < 0.4: pass
if len(sys.argv) > 1:
    open(sys.argv[1], "w")
    while not os.path.exists(sys.argv[2]): time.sleep(0.05)
`;

/** What a process and its descendants have used, those included that have ended. */
function usedBy({ pid }: Process): number {
  return sumOf(processTree(pid), (member) => cpuSeconds(member) ?? 0);
}

Deno.test({
  name: "a window of the machine",
  ignore: Deno.build.os !== "linux",
  fn: async (t) => {
    const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
    const burnPath = join(folder, "burn.py");
    await Deno.writeTextFile(burnPath, burning);
    const burn = `python3 ${burnPath}`;
    const start = (line: string) => startProcess(["sh", "-c", line], { logPath: "/dev/null" });
    /** What the processes of one tree used during some work, as the window sees it. */
    const usedDuring = async (process: Process, work: () => Promise<void>) => {
      const mine = new Set(processTree(process.pid));
      const readMine = () =>
        new Map([...accountsOfAll()].filter(([pid, { parent }]) => {
          if (mine.has(parent)) mine.add(pid);
          return mine.has(pid);
        }));
      const endWindow = watchMachine();
      const before = readMine();
      await work();
      const { others } = usedBetween(before, readMine(), new Set());
      return { others, window: endWindow(new Set([Deno.pid]))! };
    };

    await t.step("does not count what a chain of processes had used that ended in it", async () => {
      const [ready, end] = [join(folder, "ready"), join(folder, "end")];
      // A process that burned has burned, and ended, and one whose child has; all of it before the window.
      await using process = start(`sh -c "${burn} ${ready} ${end}; true"; sleep 600`);
      await until(() => exists(ready));
      const had = usedBy(process);
      assert(had > 0.1, `the chain had used ${had} s`);
      const [, chain] = processTree(process.pid);
      const { others, window } = await usedDuring(process, async () => {
        await Deno.writeTextFile(end, "");
        await until(() => !processTree(process.pid).includes(chain!));
        await delay(300);
      });
      assert(others < had / 2, `${others} s of ${had} s were counted again`);
      assert(window.foreignCpuSeconds! <= window.capacityCpuSeconds);
    });

    await t.step("counts what processes use that begin and end in it", async () => {
      const go = join(folder, "go");
      const wait = `while [ ! -e ${go} ]; do sleep 0.05; done`;
      const twice = `${burn}; sh -c "${burn}; true"`;
      await using process = start(`${wait}; ${twice}; touch ${go}-done; sleep 600`);
      const before = usedBy(process);
      const { others, window } = await usedDuring(process, async () => {
        await Deno.writeTextFile(go, "");
        await until(() => exists(`${go}-done`));
      });
      const used = usedBy(process) - before;
      assert(used > 0.2, `it used ${used} s`);
      assert(Math.abs(others - used) < 0.1, `${others} s were counted of ${used} s`);
      assertEquals(window.busiestOther?.name, "sh");
      const foreign = window.foreignCpuSeconds!;
      assert(foreign > used * 0.8, `background load is ${foreign} s, of which ${used} s are known`);
      assert(foreign <= window.capacityCpuSeconds);
    });

    await t.step("counts what processes used that ended, and for which nobody waited", async () => {
      const go = join(folder, "unwaited");
      // Two children burn while their parent ignores that they end: their time is in no process any more.
      await using _ = start(`exec python3 -c '
import os, signal, time
signal.signal(signal.SIGCHLD, signal.SIG_IGN)
while not os.path.exists("${go}"): time.sleep(0.05)
for _ in range(2):
    if os.fork() == 0:
        while time.process_time() < 0.4: pass
        os._exit(0)
try: os.wait()
except ChildProcessError: pass
open("${go}-done", "w")
time.sleep(600)'`);
      const endWindow = watchMachine();
      await Deno.writeTextFile(go, "");
      await until(() => exists(`${go}-done`));
      const { foreignCpuSeconds } = endWindow(new Set([Deno.pid]))!;
      assert(foreignCpuSeconds! > 0.6, `background load is ${foreignCpuSeconds} s of 0.8 s`);
    });

    await Deno.remove(folder, { recursive: true });
  },
});
