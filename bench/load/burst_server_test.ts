import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { RunBroken } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { draw } from "../testing/noise.ts";
import { writeProgram } from "../testing/write_program.ts";
import { ensureLoneHelper } from "../tools/tools.ts";
import { startBurst, type Visit } from "./burst.ts";

const { signal } = new AbortController();

/** What a made-up server sends to a connection before it closes it; nothing at all keeps it open. */
const conversations: Record<string, string[]> = {
  "/length": ["HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhe", "llo"],
  "/chunks": [
    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhe\r",
    "\n3;x=y\r\nllo\r\n0\r\n",
    "\r\n",
  ],
  "/until-closed": ["HTTP/1.1 503 Service Unavailable\r\n\r\n", "later"],
  "/short": ["HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhel"],
  "/closed": [""],
  "/no-http": ["SSH-2.0-OpenSSH\r\n\r\n"],
  "/silent": [],
};

async function converse(connection: Deno.Conn): Promise<void> {
  try {
    const buffer = new Uint8Array(4_096);
    const read = await connection.read(buffer) ?? 0;
    const [, path = ""] = new TextDecoder().decode(buffer.subarray(0, read)).split(" ");
    const parts = conversations[path] ?? [];
    for (const part of parts) {
      await connection.write(new TextEncoder().encode(part));
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    if (parts.length === 0) await connection.read(buffer);
  } catch {
    // The other side went away.
  } finally {
    connection.close();
  }
}

Deno.test("a burst reports what became of each user", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const path = await ensureLoneHelper("burst", { report: silent, signal });
  const options = { path, patienceSeconds: 5, folder, signal };

  await t.step("answers of all forms, and every kind of failure", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const serving = (async () => {
      const conversations: Promise<void>[] = [];
      for await (const connection of listener) conversations.push(converse(connection));
      await Promise.all(conversations);
    })();
    const paths = Object.keys(conversations);
    await using burst = startBurst({
      ...{ ...options, paths, url: `http://127.0.0.1:${listener.addr.port}` },
      sources: { first: "127.0.7.2", count: 3 },
    });
    const { visits, peakConnected } = await burst.outcome;
    listener.close();
    await serving;
    const said = ({ failure, answer }: Visit) => failure ?? `${answer?.status} ${answer?.body}`;
    assertEquals(Object.fromEntries(visits.map((visit, index) => [paths[index], said(visit)])), {
      "/length": "200 hello",
      "/chunks": "200 hello",
      "/until-closed": "503 later",
      "/short": "closed",
      "/closed": "closed",
      "/no-http": "not-http",
      "/silent": "timed-out",
    });
    assertEquals(peakConnected, paths.length);
    const silent = visits.at(-1)!;
    assert(silent.endSeconds - silent.startSeconds >= 5);
    for (const { startSeconds, sentSeconds, endSeconds } of visits) {
      assert(startSeconds <= sentSeconds! && sentSeconds! <= endSeconds);
    }
  });
  await t.step("where nobody listens", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${listener.addr.port}`;
    listener.close();
    await using burst = startBurst({ ...options, paths: ["/", "/"], url });
    const { visits } = await burst.outcome;
    assertEquals(visits.map(({ failure }) => failure), ["refused", "refused"]);
  });
  await t.step("where it may open 20 files, for most of 50 users", async () => {
    const limited = join(folder, "limited-burst");
    await writeProgram(limited, `#!/bin/sh\nulimit -n 20\nexec '${path}' "$@"\n`);
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response("hello"),
    );
    const url = `http://127.0.0.1:${server.addr.port}`;
    const paths = draw(50, () => "/");
    await using burst = startBurst({ ...options, path: limited, paths, url });
    const { visits } = await burst.outcome;
    const without = visits.filter(({ failure }) => failure === "out-of-descriptors");
    const answered = visits.filter(({ answer }) => answer?.status === 200);
    assertEquals(without.length + answered.length, 50);
    assert(without.length > 30 && answered.length > 0, `${without.length} of 50`);
    assertEquals(without.filter(({ sentSeconds }) => sentSeconds !== undefined), []);
  });
  await t.step({
    name: "where a listener accepts nobody, and its queue has room for some",
    // Others refuse connections instead.
    ignore: Deno.build.os !== "linux",
    fn: async () => {
      using listener = Deno.listen({ hostname: "127.0.0.1", port: 0, tcpBacklog: 4 });
      const url = `http://127.0.0.1:${listener.addr.port}`;
      const paths = draw(20, () => "/");
      await using burst = startBurst({ ...options, patienceSeconds: 1, paths, url });
      const { visits, peakConnected } = await burst.outcome;
      const queued = visits.filter(({ failure }) => failure === "timed-out");
      const others = visits.filter(({ failure }) => failure === "never-connected");
      assertEquals([queued.length, queued.length + others.length], [peakConnected, 20]);
      assert(queued.length >= 4 && others.length >= 10, `${queued.length} of 20`);
      assertEquals(queued.filter(({ sentSeconds }) => sentSeconds === undefined), []);
      assertEquals(others.filter(({ sentSeconds }) => sentSeconds !== undefined), []);
    },
  });
  await t.step("but not where it cannot run", async () => {
    await using burst = startBurst({ ...options, paths: ["/"], url: "http://nowhere.invalid:80" });
    await assertRejects(() => burst.outcome, RunBroken, "Cannot send 1 users");
  });
});
