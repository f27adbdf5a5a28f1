import { assertEquals } from "@std/assert";
import { delay } from "@std/async";
import type { ExitStatus, Process } from "../lib/process.ts";
import { judgeAlive, untilEnded } from "./checks.ts";

/** Returns a server of which is known after some milliseconds how it ended. */
function endsAfter(ms: number, signal?: AbortSignal) {
  let exit: ExitStatus | undefined;
  const status = delay(ms, { signal }).then(() => exit = { code: 1, signal: null });
  status.catch(() => {});
  const process: Pick<Process, "status" | "exited"> = { status, exited: () => exit };
  return { url: "http://127.0.0.1:1", process: process as Process };
}

Deno.test("untilEnded() waits for the end of a server that is known after its sockets close", async () => {
  const target = endsAfter(20);
  assertEquals(judgeAlive(target, "upstream gone", "requests"), undefined);
  await untilEnded(target);
  assertEquals(
    judgeAlive(target, "upstream gone", "requests")?.came,
    "the process has ended with exit code 1",
  );
});

Deno.test("untilEnded() does not wait for a server that lives and has stopped listening", async () => {
  const abort = new AbortController();
  const target = endsAfter(60_000, abort.signal);
  await untilEnded(target);
  assertEquals(judgeAlive(target, "upstream gone", "requests"), undefined);
  abort.abort();
});
