import { assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { startProcess } from "../lib/process.ts";
import type { Load, LoadOutcome } from "../load/oha.ts";
import { LoadBroken, watchLoad } from "./watch_load.ts";

const done: LoadOutcome = {
  durationSeconds: 1,
  responses: {} as LoadOutcome["responses"],
  errors: {},
  linesUsed: 0,
};

/** Watches processes that stand for a server and its load generator, with no query while the load runs. */
async function watch(generatorLine: string, seconds: number): Promise<LoadOutcome> {
  await using server = startProcess(["sleep", "600"], { logPath: "/dev/null" });
  await using generator = startProcess(["sh", "-c", generatorLine], { logPath: "/dev/null" });
  const outcome = delay(1000 * seconds).then(() => done);
  const load = { pid: generator.pid, outcome } as Load;
  const count = { read: () => Promise.resolve(0) } as never;
  const { signal } = new AbortController();
  const watching = watchLoad(load, { process: server }, { count, signal, stallMs: 1_000 });
  return await watching.finally(() => outcome);
}

Deno.test({
  name:
    "watchLoad() waits for a load generator that stores its answers, for a while, and not for one that waits",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const stalled = "hardly a query reached the";
    const busy = "while :; do :; done";
    assertEquals(await watch(busy, 3), done);
    await assertRejects(() => watch(busy, 9), LoadBroken, stalled);
    await assertRejects(() => watch("exec sleep 600", 3), LoadBroken, stalled);
  },
});
