import { assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { freePort } from "../lib/free_port.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { untilAnswers } from "./until_answers.ts";

const { signal } = new AbortController();
const addressOf = (port: number) => ({
  ...{ host: "127.0.0.1", port, user: "root", password: "", name: "backbench" },
});

Deno.test("untilAnswers() gives up in time where nobody answers, and says why", async () => {
  const port = freePort();
  const error = await assertRejects(
    () => untilAnswers(addressOf(port), { seconds: 0.1, signal }),
    BenchError,
    `Cannot connect to MySQL on port ${port} within 0.1 s: connect ECONNREFUSED`,
  );
  assertEquals(error.help, undefined);
});

Deno.test("untilAnswers() shows the log of a server that has ended, and does not wait", async () => {
  await using folder = await temporaryFolder();
  const logPath = join(folder.path, "mysqld.log");
  await Deno.writeTextFile(logPath, "No luck today\n");
  const process = { logPath, exited: () => ({ code: 3, signal: null }) };
  const error = await assertRejects(
    () => untilAnswers(addressOf(freePort()), { seconds: 60, signal, process }),
    BenchError,
    "Cannot start MySQL: it ended with exit code 3, expected it to answer",
  );
  assertEquals(error.help, "The end of its log:\nNo luck today");
});

Deno.test("untilAnswers() ends when its signal aborts", async () => {
  const controller = new AbortController();
  const waiting = untilAnswers(addressOf(freePort()), { seconds: 60, signal: controller.signal });
  controller.abort();
  await assertRejects(() => waiting, DOMException);
});
