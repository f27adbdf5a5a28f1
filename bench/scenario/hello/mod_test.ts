import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { crc32 } from "node:zlib";
import { startProcess } from "../../lib/process.ts";
import { silent } from "../../lib/report.ts";
import type { Answers } from "../scenario.ts";
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

Deno.test("hello has one request, and judges every answer by its status and bytes", async () => {
  const folder = await Deno.makeTempDir();
  const { signal } = new AbortController();
  const prepared = await scenario.prepare({ secret: "", random: Math.random, folder, signal });
  const file = await prepared.requestFile(500_000);
  assertEquals(file, { path: join(folder, "requests.jsonl"), lines: 1, nextLine: 0 });
  assertEquals(await Deno.readTextFile(file.path), "{}\n");
  await Deno.remove(folder, { recursive: true });

  const came: [status: number, body: string][] = [
    [200, "Hello, World!"],
    [200, "hello, World!"],
    [200, "Hello, World!\n"],
    [200, ""],
    [500, "Hello, World!"],
    [200, "Hello, World!"],
  ];
  const times = new Float64Array(came.length);
  const answers: Answers = {
    line: new Uint32Array(came.length),
    status: Uint16Array.from(came, ([status]) => status),
    bodyBytes: Uint32Array.from(came, ([, { length }]) => length),
    bodyCrc32: Uint32Array.from(came, ([, body]) => crc32(body)),
    startMs: times,
    endMs: times,
  };
  assertEquals(await prepared.judge(answers, 0, "subject"), {
    isRight: Uint8Array.of(1, 0, 0, 0, 0, 1),
    wrong: { "wrong-body": 3, "status-500": 1 },
    problems: [
      {
        check: "wrong-body",
        sent: "GET /hello",
        came: "a body of 13 bytes with CRC-32 5f348825",
        expected: '"Hello, World!", 13 bytes with CRC-32 ec4ac3d0',
      },
      {
        check: "status-500",
        sent: "GET /hello",
        came: "status is 500",
        expected: "status 200",
      },
    ],
    statements: 0,
    refused: 0,
  });
});
