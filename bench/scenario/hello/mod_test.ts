import { assertEquals } from "@std/assert";
import { startProcess } from "../../lib/process.ts";
import { silent } from "../../lib/report.ts";
import { scenario } from "./mod.ts";

/** Returns what `hello` finds wrong with a server that answers with these bytes. */
async function problemsWith(body: string): Promise<string[]> {
  const logPath = await Deno.makeTempFile();
  await using process = startProcess(["sleep", "60"], { logPath });
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    ({ url }) =>
      new URL(url).pathname === "/hello"
        ? new Response(body, { headers: { "content-type": "text/plain;charset=utf-8" } })
        : new Response(null, { status: 404 }),
  );
  const { signal } = new AbortController();
  const prepared = await scenario.prepare({ secret: "", random: Math.random, folder: "", signal });
  const target = { url: `http://127.0.0.1:${server.addr.port}`, process };
  const problems = await prepared.verifyAnswers(target, { poolMax: 1, report: silent, signal });
  await Deno.remove(logPath);
  return problems.map(({ check }) => check);
}

Deno.test("hello is 13 bytes, and no byte order mark before them", async () => {
  assertEquals(await problemsWith("Hello, World!"), []);
  const wrong = ["right answer", "64 requests at once", "keep-alive"];
  for (const body of ["\uFEFFHello, World!", "Hello, World!\n", "hello, world!", ""]) {
    assertEquals(await problemsWith(body), wrong, JSON.stringify(body));
  }
});
