import { assertEquals } from "@std/assert";
import { startProcess } from "../lib/process.ts";
import { formatProblem, formatProblems, verifyStop } from "./verify.ts";

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

Deno.test("formatProblems() says where to begin, and shows the end of the log", () => {
  const [sent, came, expected] = ["GET /", "status is 500", "200"];
  const [first, second] = ["one", "two"].map((check) => ({ check, sent, came, expected }));
  const one = 'Cannot verify "one": status is 500, expected 200\n  sent: GET /';
  assertEquals(formatProblems([]), "");
  assertEquals(formatProblems([first!]), one);
  assertEquals(
    formatProblems([first!, second!]),
    `${one}\n${one.replace("one", "two")}\nBegin with the first: later ones may follow from it.`,
  );
  const logged = Array.from({ length: 12 }, (_, index) => `line ${index}`);
  assertEquals(
    formatProblems([first!], [...logged, "x".repeat(301)]),
    [one, "The end of what it logged meanwhile:", ...logged.slice(3), `${"x".repeat(300)}…`].join(
      "\n",
    ),
  );
});
