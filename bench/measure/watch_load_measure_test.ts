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

/** Watches processes that stand for a server and its load generator, with no query in the 3 s that the load takes. */
async function watch(generatorLine: string): Promise<LoadOutcome> {
  await using server = startProcess(["sleep", "600"], { logPath: "/dev/null" });
  await using generator = startProcess(["sh", "-c", generatorLine], { logPath: "/dev/null" });
  const outcome = delay(3_000).then(() => done);
  const load = { pid: generator.pid, outcome } as Load;
  const count = { read: () => Promise.resolve(0) } as never;
  const { signal } = new AbortController();
  const watching = watchLoad(load, { process: server }, { count, signal, stallMs: 1_500 });
  return await watching.finally(() => outcome);
}

Deno.test({
  name:
    "watchLoad() waits for a load generator that stores its answers, and not for one that waits for them",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    assertEquals(await watch("while :; do :; done"), done);
    await assertRejects(() => watch("exec sleep 600"), LoadBroken, "hardly a query reached the");
  },
});
