import { assert, assertEquals, assertMatch } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { buildImpl } from "../impl/build.ts";
import type { Impl } from "../impl/impl.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { logTail } from "../lib/log_lines.ts";
import { type Process, startProcess } from "../lib/process.ts";
import { descendants, groupOf, leftTheGroup } from "../lib/process_tree.ts";
import { silent } from "../lib/report.ts";
import { freeze, thaw } from "../lib/signals.ts";
import { sumOf } from "../lib/sum.ts";
import { cpuSeconds } from "../machine/proc.ts";
import { startSampler } from "../machine/sampler.ts";
import { until } from "../testing/until.ts";
import { ensureLauncher } from "../tools/tools.ts";

const signal = new AbortController().signal;

/** Ends its parent at once, in a session and group of its own and without an environment, and burns CPU time. */
const runaway = "(setsid env -i /bin/sh -c 'echo $$; while :; do :; done' &)";
/** Leaves the group only. */
const stray = "setsid /bin/sh -c 'echo $$; exec sleep 600' &";

/** Waits until both helpers have written their ids into `$LOG`. */
const untilBoth = 'until [ "$(wc -l <"$LOG")" -ge 2 ]; do sleep 0.02; done';

/** Starts a shell line that writes the ids of its two helpers into its log, `$LOG` for it, and waits for them. */
async function startWith(
  line: string,
  { folder, launcher }: { folder: string; launcher: string | undefined },
): Promise<{ process: Process; helpers: number[] }> {
  const logPath = join(folder, crypto.randomUUID());
  const process = startProcess(["sh", "-c", line], { logPath, launcher, env: { LOG: logPath } });
  const ids = async () => (await logTail(logPath)).split("\n");
  await until(async () => (await ids()).filter((id) => /^\d+$/.test(id)).length === 2);
  return { process, helpers: (await ids()).map(Number).sort() };
}

function sorted(pids: number[]): number[] {
  return pids.sort();
}

function isRunning(pid: number): boolean {
  return groupOf(pid) !== undefined;
}

Deno.test({
  name: "the launcher",
  ignore: Deno.build.os !== "linux",
  fn: async (t) => {
    const launcher = await ensureLauncher({ report: silent, signal });
    const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
    const line = `${runaway}; ${stray} while :; do sleep 600; done`;

    await t.step(
      "is needed: without it, an orphan is not found, and outlives its server",
      async () => {
        const { process, helpers } = await startWith(line, { folder, launcher: undefined });
        try {
          assertEquals(leftTheGroup(process).length, 1);
          await process.stop();
          assertEquals(helpers.filter(isRunning).length, 2);
        } finally {
          for (const pid of helpers) Deno.kill(pid, "SIGKILL");
        }
      },
    );

    await t.step("finds what left the group, and its parent", async () => {
      const { process, helpers } = await startWith(line, { folder, launcher });
      await using _ = process;
      assertEquals(sorted(leftTheGroup(process)), helpers);
      const all = descendants(process);
      assert(helpers.every((pid) => all.includes(pid)), `${helpers} in ${all}`);
      assert(!all.includes(process.pid));
    });

    await t.step("has all of it frozen and thawed", async () => {
      const { process, helpers } = await startWith(line, { folder, launcher });
      await using _ = process;
      const usedInMs = async (ms: number) => {
        const before = used(helpers);
        await delay(ms);
        return used(helpers) - before;
      };
      assert(freeze(process) <= performance.now());
      // A signal to a process on another processor arrives with that processor's next interrupt.
      await until(() => helpers.every((id) => stateOf(id) === "T"));
      assertEquals(await usedInMs(500), 0);
      thaw(process);
      await until(async () => await usedInMs(100) > 0);
    });

    await t.step("leaves nothing behind, however its process ends", async () => {
      const killed = { code: 137, signal: "SIGKILL" };
      const terminated = { code: 143, signal: "SIGTERM" };
      const freezeAndStop = (it: Process) => {
        freeze(it);
        return it.stop();
      };
      // The launcher is in the group that the server stopped.
      const killStopped = async (it: Process) => {
        await until(() => stateOf(it.pid) === "T");
        return await it.stop({ signal: "SIGKILL" });
      };
      const ends: [string, (process: Process) => Promise<unknown>, object][] = [
        [line, (it) => it.stop(), terminated],
        [line, (it) => it.stop({ signal: "SIGKILL" }), killed],
        [line, freezeAndStop, terminated],
        [`trap '' TERM; ${line}`, (it) => it.stop({ timeoutMs: 100 }), killed],
        [`${runaway}; ${stray} ${untilBoth}; kill -STOP 0`, killStopped, killed],
        [`${runaway}; ${stray} ${untilBoth}; exit 3`, (it) => it.status, { code: 3, signal: null }],
        [
          `${runaway}; ${stray} ${untilBoth}; kill -SEGV $$`,
          (it) => it.status,
          { code: 139, signal: "SIGSEGV" },
        ],
      ];
      for (const [end, act, expected] of ends) {
        const { process, helpers } = await startWith(end, { folder, launcher });
        await act(process);
        assertEquals(await process.status, expected, end);
        assertEquals(helpers.filter(isRunning), [], end);
      }
    });

    await t.step("ends what a build leaves running", async () => {
      const script = `LOG=build.log; ${runaway}; ${stray} ${untilBoth}`;
      const manifest = {
        ...{ name: "Example", language: "Shell", runtime: "sh", framework: "none" },
        ...{ website: "https://example.org", class: "standard" as const, requires: {} },
        ...{ scenarios: ["hello"], build: ["sh", "-c", script], start: ["true"] },
      };
      const impl: Impl = { id: "example", folder, manifest, needs: [] };
      await buildImpl(impl, { toolchain: noToolchain, launcher, signal });
      const helpers = (await logTail(join(folder, "build.log"))).split("\n").map(Number);
      assertEquals([helpers.length, helpers.filter(isRunning)], [2, []]);
    });

    await t.step("can be stopped before it has started anything", async () => {
      const start = () => startProcess(["sleep", "600"], { logPath: "/dev/null", launcher });
      assertEquals((await start().stop({ signal: "SIGKILL" })).signal, "SIGKILL");
      for (let waitMs = 0; waitMs < 5; waitMs++) {
        const process = start();
        await delay(waitMs);
        assertEquals((await process.stop({ timeoutMs: 5_000 })).signal, "SIGTERM");
      }
    });

    await t.step("ends with the harness, even if that is killed and all of it frozen", async () => {
      const lib = new URL("../lib", import.meta.url);
      for (const last of ["", "freeze(process);"]) {
        const logPath = join(folder, `killed-${last.length}`);
        const options = JSON.stringify({ logPath, launcher });
        const code = `
          import { startProcess } from "${lib}/process.ts";
          import { freeze } from "${lib}/signals.ts";
          import { readFileSync } from "node:fs";
          const process = startProcess(["sh", "-c", ${JSON.stringify(line)}], ${options});
          let lines = 0;
          while (lines < 2) {
            await new Promise((resolve) => setTimeout(resolve, 10));
            try { lines = readFileSync("${logPath}", "utf8").split("\\n").length - 1; } catch { /* Not yet. */ }
          }
          ${last}
          console.log("ready");
          await new Promise((resolve) => setTimeout(resolve, 600_000));`;
        const harness = startProcess([Deno.execPath(), "eval", code], {
          logPath: `${logPath}-harness`,
        });
        await until(async () => (await logTail(harness.logPath, 1)) === "ready");
        const helpers = (await logTail(logPath)).split("\n").map(Number);
        assertEquals(helpers.map(isRunning), [true, true]);
        // Its own stop() would look for its descendants.
        Deno.kill(harness.pid, "SIGKILL");
        await harness.status;
        await until(() => !helpers.some(isRunning));
      }
    });

    await t.step("says which command it cannot start, as a shell does", async () => {
      const logPath = join(folder, "missing");
      const { status } = startProcess(["backbench-no-such-program"], { logPath, launcher });
      assertEquals(await status, { code: 127, signal: null });
      assertMatch(await logTail(logPath), /^Cannot start "backbench-no-such-program": /);
    });

    await t.step("has the CPU time of all counted as its process's", async () => {
      // One runs on, one ends in between: both are orphans.
      const ending =
        "(setsid env -i /bin/sh -c 'echo $$; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done' &)";
      const { process } = await startWith(`${runaway}; sleep 0.3; ${ending}; sleep 600`, {
        folder,
        launcher,
      });
      await using _ = process;
      await using idle = startProcess(["sleep", "600"], { logPath: "/dev/null" });
      const others = { harness: { pid: Deno.pid }, database: idle };
      using sampler = startSampler({ ...others, subject: process });
      using ignorant = startSampler({ ...others, subject: idle });
      const startMs = performance.now();
      await delay(1_500);
      const [ours, theirs] = [sampler, ignorant].map((it) => it.finish(startMs, performance.now()));
      // However little of a processor others leave it.
      assert(ours!.subject.cpuSeconds > 0.1, `${ours!.subject.cpuSeconds} s`);
      const difference = theirs!.machine.foreignCpuSeconds! - ours!.machine.foreignCpuSeconds!;
      assert(
        difference > ours!.subject.cpuSeconds / 2,
        `background load differs by ${difference} s`,
      );
      // sh, sleep and the one that burns: the launcher is none of them.
      assert(ours!.subject.peakThreads <= 4, `${ours!.subject.peakThreads} threads`);
    });
    await Deno.remove(folder, { recursive: true });
  },
});

function used(pids: number[]): number {
  return sumOf(pids, (pid) => cpuSeconds(pid) ?? 0);
}

/** One letter, as proc(5) has it. */
function stateOf(pid: number): string | undefined {
  return /^State:\s+(\S)/m.exec(Deno.readTextFileSync(`/proc/${pid}/status`))?.[1];
}
