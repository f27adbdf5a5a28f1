import http from "node:http";
import { assertEquals, assertRejects } from "@std/assert";
import { type Answer, request } from "./http_client.ts";

const hello =
  "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nSet-Cookie: a\r\n" +
  "Set-Cookie: b\r\n\r\n\u00ff\u0000";

/** A server that writes `answer` (as Latin-1) for each request, and then does what `after` says. */
function listen(answer: string, after: "keep" | "close" = "keep") {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const open = new Set<Deno.TcpConn>();
  const seen = { connections: 0, closed: 0, requests: [] as string[] };
  const serve = async (connection: Deno.TcpConn) => {
    const buffer = new Uint8Array(4096);
    for (;;) {
      const count = await connection.read(buffer).catch(() => null);
      if (count === null) break;
      seen.requests.push(new TextDecoder().decode(buffer.subarray(0, count)));
      if (answer !== "") {
        await connection.write(Uint8Array.from(answer, (letter) => letter.charCodeAt(0)));
      }
      if (after === "close") break;
    }
    seen.closed++;
    open.delete(connection);
    try {
      connection.close();
    } catch { /* Closed by the test's end. */ }
  };
  const accepting = (async () => {
    for await (const connection of listener) {
      seen.connections++;
      open.add(connection);
      serve(connection);
    }
  })();
  return {
    url: `http://127.0.0.1:${listener.addr.port}/`,
    seen,
    async [Symbol.asyncDispose]() {
      listener.close();
      for (const connection of open) connection.close();
      await accepting;
      await new Promise((resolve) => setTimeout(resolve, 20));
    },
  };
}

const { signal } = new AbortController();

Deno.test("request() returns status, headers and the raw bytes of the body", async () => {
  await using server = listen(hello);
  assertEquals(await request(server.url, { headers: { authorization: "Bearer x" }, signal }), {
    kind: "answer",
    status: 200,
    headers: { "content-type": "text/plain", "content-length": "2", "set-cookie": "a, b" },
    body: new Uint8Array([255, 0]),
    reusedConnection: false,
  });
  assertEquals(server.seen.requests[0]!.split("\r\n").slice(0, 2), [
    "GET / HTTP/1.1",
    "authorization: Bearer x",
  ]);
});

Deno.test("request() sends another method, and a header for each of its values", async () => {
  await using server = listen(hello, "close");
  const headers = { authorization: ["Bearer x", "Bearer y"] };
  await request(server.url, { method: "POST", headers, signal });
  const [sent = ""] = server.seen.requests;
  assertEquals(sent.split("\r\n")[0], "POST / HTTP/1.1");
  const values = [...sent.matchAll(/^authorization: (.*)\r$/gim)].map(([, value]) => value);
  assertEquals(values, headers.authorization);
});

Deno.test("request() opens and closes one connection for each request", async () => {
  await using server = listen(hello);
  for (let count = 0; count < 5; count++) await request(server.url, { signal });
  assertEquals(server.seen.connections, 5);
  while (server.seen.closed < 5) await new Promise((resolve) => setTimeout(resolve, 5));
});

Deno.test("request() reuses the connection of an agent that keeps it", async () => {
  await using server = listen(hello);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const replies = [];
  for (let count = 0; count < 3; count++) {
    replies.push(await request(server.url, { agent, signal }));
  }
  agent.destroy();
  assertEquals(replies.map((reply) => (reply as Answer).reusedConnection), [false, true, true]);
  assertEquals(server.seen.connections, 1);
});

Deno.test("request() names why no answer came", async (t) => {
  const cases = [
    ["connection lost", "", "close"],
    ["connection lost", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "close"],
    ["not HTTP", "220 mail.example.com ESMTP\r\n", "keep"],
    ["timed out", "", "keep"],
    ["timed out", "HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", "keep"],
  ] as const;
  for (const [reason, answer, after] of cases) {
    await t.step(`${reason} after ${JSON.stringify(answer)}`, async () => {
      await using server = listen(answer, after);
      const timeoutMs = reason === "timed out" ? 300 : 60_000;
      assertEquals(await request(server.url, { timeoutMs, signal }), { kind: "failure", reason });
    });
  }
  await t.step("connection lost where an answer has no end", async () => {
    const part = new Uint8Array(1024 ** 2);
    const body = () => new ReadableStream({ pull: (controller) => controller.enqueue(part) });
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    await using server = Deno.serve(options, () => new Response(body()));
    const url = `http://127.0.0.1:${server.addr.port}/`;
    const reply = await request(url, { timeoutMs: 60_000, signal });
    assertEquals(reply, { kind: "failure", reason: "connection lost" });
  });
  await t.step("connection refused where nothing listens", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const url = `http://127.0.0.1:${listener.addr.port}/`;
    listener.close();
    assertEquals(await request(url, { signal }), { kind: "failure", reason: "connection refused" });
  });
});

Deno.test("request() throws the reason of an aborted signal and closes its connection", async () => {
  await using server = listen("");
  const controller = new AbortController();
  const reply = request(server.url, { signal: controller.signal });
  while (server.seen.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  controller.abort(new Error("enough"));
  await assertRejects(() => reply, Error, "enough");
  while (server.seen.closed === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await assertRejects(() => request(server.url, { signal: controller.signal }), Error, "enough");
});
