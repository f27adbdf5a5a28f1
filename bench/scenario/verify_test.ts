import { assertEquals } from "@std/assert";
import { startProcess } from "../lib/process.ts";
import { formatProblem, verifyStop } from "./verify.ts";

Deno.test("verifyStop() tells of a server that does not answer before SIGTERM", async (t) => {
  const logPath = await Deno.makeTempFile();
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}`;
  const stop = async () => {
    await using process = startProcess(["sleep", "600"], { logPath });
    return (await verifyStop({ url, process }, "/", new AbortController().signal)).map(
      formatProblem,
    );
  };
  await t.step("because it accepts and is silent", async () => {
    assertEquals(await stop(), [
      'Cannot verify "SIGTERM": no answer came within 10 s, expected an answer\n' +
      "  sent: GET /, before SIGTERM",
    ]);
  });
  await t.step("because nothing listens", async () => {
    listener.close();
    assertEquals(await stop(), [
      'Cannot verify "SIGTERM": connection refused, expected an answer\n' +
      "  sent: GET /, before SIGTERM",
    ]);
  });
  await Deno.remove(logPath);
});
