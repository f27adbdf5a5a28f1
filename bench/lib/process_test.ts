import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "./error.ts";
import { logTail } from "./log_lines.ts";
import { runOrThrow, runProcess, startProcess } from "./process.ts";
import { processTree } from "./process_tree.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { until } from "../testing/until.ts";

/** Tells whether a process runs; one that has ended and is not waited for does not. */
async function isRunning(pid: number): Promise<boolean> {
  const { stdout } = await new Deno.Command("ps", { args: ["-o", "stat=", "-p", `${pid}`] })
    .output();
  return /^[^Z]/.test(new TextDecoder().decode(stdout).trim());
}

/** A child and a grandchild that outlive their parent unless they are stopped. */
const family = ["sh", "-c", "sh -c 'sleep 600 & sleep 600' & echo up; wait"];

async function startFamily(logPath: string) {
  const process = startProcess(family, { logPath });
  await until(async () => (await logTail(logPath)) === "up");
  await until(() => processTree(process.pid).length === 4);
  return { process, members: processTree(process.pid) };
}

Deno.test({
  name: "startProcess()",
  ignore: Deno.build.os !== "linux",
  fn: async (t) => {
    await using folder = await temporaryFolder();
    const logPath = join(folder.path, "log");

    await t.step("stops a process with all that it started", async () => {
      const { process, members } = await startFamily(logPath);
      assertEquals(process.exited(), undefined);
      const status = await process.stop();
      assertEquals(status, { code: 143, signal: "SIGTERM" });
      assertEquals(process.exited(), status);
      for (const pid of members) await until(async () => !await isRunning(pid));
    });
    await t.step("stops what a process that ended by itself has left behind", async () => {
      const process = startProcess(["sh", "-c", "sleep 600 & echo $!"], { logPath });
      assertEquals(await process.status, { code: 0, signal: null });
      const orphan = Number(await logTail(logPath, 1));
      await until(async () => !await isRunning(orphan));
    });
    await t.step("kills a process that does not heed SIGTERM", async () => {
      const stubborn = "trap '' TERM; echo deaf; while :; do sleep 600; done";
      const process = startProcess(["sh", "-c", stubborn], { logPath });
      await until(async () => (await logTail(logPath, 1)) === "deaf");
      const { signal } = await process.stop({ timeoutMs: 100 });
      assertEquals(signal, "SIGKILL");
    });
    await t.step("stops the process that it is disposed of", async () => {
      const { process } = await startFamily(join(folder.path, "disposed"));
      await process[Symbol.asyncDispose]();
      assert(!await isRunning(process.pid));
    });
  },
});

Deno.test({
  name:
    "a command ends with a harness that is killed: one that it waits for, and others if told to",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await using folder = await temporaryFolder();
    const module = new URL("process.ts", import.meta.url);
    const code = `
      import { runProcess, startProcess } from "${module}";
      const options = { logPath: "/dev/null" };
      runProcess(["sleep", "600"], options);
      startProcess(["sleep", "600"], { ...options, endsWithHarness: true });
      console.log(startProcess(["sleep", "600"], options).pid);
      await new Promise((resolve) => setTimeout(resolve, 600_000));`;
    const harness = startProcess([Deno.execPath(), "eval", code], {
      logPath: join(folder.path, "harness"),
    });
    await until(async () => /^\d+$/.test(await logTail(harness.logPath, 1)));
    const staying = Number(await logTail(harness.logPath, 1));
    // Of the main thread, not of one of those that come and go: the kernel would kill them with that.
    const path = `/proc/${harness.pid}/task/${harness.pid}/children`;
    const pids = (await Deno.readTextFile(path)).trim().split(" ").map(Number);
    assertEquals([pids.length, pids.includes(staying)], [3, true]);
    for (const pid of pids) {
      await until(async () => (await Deno.readTextFile(`/proc/${pid}/comm`)) === "sleep\n");
    }
    Deno.kill(harness.pid, "SIGKILL");
    await harness.status;
    for (const pid of pids.filter((pid) => pid !== staying)) {
      await until(async () => !await isRunning(pid));
    }
    assertEquals(await isRunning(staying), true);
    Deno.kill(staying, "SIGKILL");
  },
});

Deno.test("startProcess() writes both streams to the log, behind what is there", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  await Deno.writeTextFile(logPath, "before\n");
  await runProcess(["sh", "-c", "echo out; echo err >&2"], { logPath });
  assertEquals(await Deno.readTextFile(logPath), "before\nout\nerr\n");
});

Deno.test("startProcess() gives the command its words and environment as they are", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  const words = ["two words", "$HOME", "'", "*"];
  await runProcess(["sh", "-c", 'printf "%s\\n" "$@"; env', "sh", ...words], {
    logPath,
    env: { SAID: "once" },
    clearEnv: true,
  });
  const lines = (await Deno.readTextFile(logPath)).trimEnd().split("\n");
  assertEquals(lines.slice(0, 4), words);
  assertEquals(lines.slice(4).filter((line) => !/^(PWD|SHLVL|OLDPWD|_)=/.test(line)), [
    "SAID=once",
  ]);
});

Deno.test("runProcess() returns how a command ended, one that does not exist too", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  assertEquals(await runProcess(["sh", "-c", "exit 3"], { logPath }), { code: 3, signal: null });
  assertEquals((await runProcess(["backbench-no-such-program"], { logPath })).code, 127);
  assert(/not found/.test(await logTail(logPath, 1)));
});

Deno.test("runOrThrow() says how a command ended that did not end with 0, and the end of its log", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  await runOrThrow("Cannot do it", ["true"], { logPath });
  const command = ["sh", "-c", "echo no luck; exit 3"];
  const error = await assertRejects(
    () => runOrThrow("Cannot do it", command, { logPath }),
    BenchError,
    "Cannot do it: `sh -c echo no luck; exit 3` ended with exit code 3, expected 0",
  );
  assertEquals(error.help, `The end of ${logPath}:\nno luck`);
  await assertRejects(
    () => runOrThrow("Cannot live", ["sh", "-c", "kill -KILL $$"], { logPath }),
    BenchError,
    "ended with SIGKILL, expected 0",
  );
});

Deno.test("runProcess() stops the command when its signal aborts", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "log");
  const controller = new AbortController();
  const { signal } = controller;
  const running = runProcess(["sh", "-c", "echo $$; sleep 600 & wait"], { logPath, signal });
  await until(async () => /^\d+$/.test(await logTail(logPath)));
  controller.abort(new Error("enough"));
  await assertRejects(() => running, Error, "enough");
  assert(!await isRunning(Number(await logTail(logPath))));
  await assertRejects(() => runProcess(["true"], { logPath, signal }), Error, "enough");
});
