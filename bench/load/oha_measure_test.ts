import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { type LoadOptions, type LoadOutcome, startLoad, type TimedLoadOptions } from "./oha.ts";
import { logTail, startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { ensureOha } from "../tools/tools.ts";

const signal = new AbortController().signal;

Deno.test("startLoad() sends one line of the file with each request, all equally often", async () => {
  const lines = Array.from({ length: 100 }, (_, i) => `Authorization: Bearer token-${i}`);
  const counts = new Map<string, number>();
  await withServer(
    (request) => {
      const line = `Authorization: ${request.headers.get("authorization")}`;
      counts.set(line, (counts.get(line) ?? 0) + 1);
      return new Response("hello");
    },
    async (url) => {
      const outcome = await load({ url, requests: 20_000, lines: lines.join("\n") });
      assertEquals(outcome.errors, {});
      assertEquals(outcome.responses.status.length, 20_000);
    },
  );
  assertEquals([...counts.keys()].sort(), lines.toSorted());
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 200) ** 2 / 200, 0);
  // 99 degrees of freedom: a fair choice exceeds 180 about once in a million.
  assert(chiSquare < 180, `chi-square is ${chiSquare}`);
});

Deno.test("startLoad() sends the headers of plain oha without a file of lines", async () => {
  const seen = new Set<string>();
  await withServer(
    (request) => {
      for (const [name, value] of request.headers) seen.add(`${name}: ${value}`);
      return new Response("hello");
    },
    async (url) => void await load({ url, requests: 100 }),
  );
  assertEquals([...seen].map((line) => line.replace(/127.*/, "…")).sort(), [
    "accept-encoding: gzip, compress, deflate, br",
    "accept: */*",
    "host: …",
    "user-agent: oha/1.16.0",
  ]);
});

Deno.test("startLoad() gives a row for each answer, in order of end", async () => {
  let count = 0;
  const body = () => ++count % 10 === 0 ? new Response("", { status: 500 }) : new Response("hello");
  await withServer(body, async (url) => {
    // The clock of files lags behind by some milliseconds.
    const before = Date.now() - 1000;
    const { responses, durationSeconds, startedAtMs } = await load({ url, requests: 1000 });
    assertEquals(responses.status.filter((status) => status === 500).length, 100);
    assertEquals(responses.bodyBytes.reduce((sum, bytes) => sum + bytes, 0), 900 * 5);
    assertEquals(responses.endSeconds, responses.endSeconds.toSorted());
    assert(responses.endSeconds.every((end, i) => responses.startSeconds[i]! < end));
    assert(responses.endSeconds.at(-1)! <= durationSeconds);
    assert(startedAtMs === undefined || startedAtMs >= before && startedAtMs <= Date.now());
  });
});

Deno.test("startLoad() fails with the file and line of a malformed header", async () => {
  await withServer(() => new Response("hello"), async (url) => {
    const error = await assertRejects(
      () => load({ url, lines: "Authorization: a\nAuthorization\n" }),
      BenchError,
      `Cannot load "${url}": oha ended with exit code 1, expected 0`,
    );
    assertStringIncludes(error.help ?? "", 'headers:2: invalid header, expected "Name: value"');
  });
});

Deno.test("startLoad() fails when the file of lines is empty or absent", async () => {
  const url = "http://127.0.0.1:9/";
  const empty = await assertRejects(() => load({ url, lines: "" }), BenchError);
  assertStringIncludes(empty.help ?? "", "No headers in ");
  const absent = { url, headerLinesPath: "/nowhere/headers" };
  const error = await assertRejects(() => load(absent), BenchError);
  assertStringIncludes(
    error.help ?? "",
    "Failed to read headers from /nowhere/headers: No such file",
  );
});

Deno.test("startLoad() counts each request to a closed port as refused", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const outcome = await load({ url: `http://127.0.0.1:${port}/`, requests: 100 });
  assertEquals(outcome.errors, { "connection-refused": 100 });
  assertEquals(outcome.responses.status.length, 0);
});

Deno.test("startLoad() accounts for every request of a server that dies in mid-load", async () => {
  const folder = await Deno.makeTempDir();
  const logPath = join(folder, "server.log");
  const code = `let count = 0;
    Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log("port " + port) },
      () => ++count > 500 ? Deno.exit(1) : new Response("hello"));`;
  {
    await using _server = startProcess([Deno.execPath(), "eval", code], { logPath });
    let port: string | undefined;
    const deadline = Date.now() + 30_000;
    while ((port = /^port (\d+)$/m.exec(await logTail(logPath))?.[1]) === undefined) {
      if (Date.now() > deadline) throw new Error(`No port after 30 s: ${await logTail(logPath)}`);
      await delay(50);
    }
    const { responses, errors } = await load({ url: `http://127.0.0.1:${port}/`, requests: 2000 });
    const failed = Object.values(errors).reduce((sum, count) => sum + count, 0);
    assertEquals(responses.status.length + failed, 2000);
    assert(responses.status.length <= 500);
    assertEquals(Object.keys(errors).sort(), ["connection-closed", "connection-refused"]);
  }
  await Deno.remove(folder, { recursive: true });
});

Deno.test("startLoad() gives up an answer that does not come in time", async () => {
  // Accepts connections, and never says a word.
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const url = `http://127.0.0.1:${listener.addr.port}/`;
  const outcome = await load({ url, requests: 10, requestTimeoutSeconds: 0.2 });
  assertEquals(outcome.errors, { timeout: 10 });
});

Deno.test("startLoad() counts nothing that is in flight when its time is over", async () => {
  await withServer(answersThenWaits(500), async (url) => {
    const { responses, errors, durationSeconds } = await load({ url, seconds: 2 });
    assertEquals([responses.status.length, errors], [500, {}]);
    assertEquals(responses.dueSeconds, undefined);
    assert(durationSeconds >= 2);
  });
});

Deno.test("startLoad() sends at a fixed rate, and tells when each request was due", async () => {
  await withServer(() => new Response("hello"), async (url) => {
    const { responses, errors } = await load({ url, seconds: 2, ratePerSecond: 100 });
    // A timer that is late in the end may leave out the last ones.
    const { length } = responses.status;
    assert(length > 150 && length <= 200, `${length} answers`);
    assertEquals(errors, {});
    const due = Array.from({ length }, (_, i) => i / 100);
    assertEquals([...responses.dueSeconds!].toSorted((a, b) => a - b), due);
    assert(responses.startSeconds.every((start, i) => start >= responses.dueSeconds![i]!));
  });
});

Deno.test("startLoad() waits for what was sent at a fixed rate, and leaves the rest unsent", async () => {
  await withServer(answersThenWaits(50), async (url) => {
    const options = { seconds: 2, ratePerSecond: 100, requestTimeoutSeconds: 3 };
    const { responses, errors } = await load({ url, ...options });
    assertEquals([responses.status.length, errors], [50, { timeout: 10 }]);
  });
});

Deno.test("startLoad() ends at once when its signal aborts, and begins nothing after it", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const folder = await Deno.makeTempDir();
  const { path: ohaPath } = await ensureOha({ report: silent, signal });
  const controller = new AbortController();
  const options = {
    ohaPath,
    url: `http://127.0.0.1:${listener.addr.port}/`,
    connections: 10,
    requests: 10,
    requestTimeoutSeconds: 3600,
    folder,
    signal: controller.signal,
  };
  const running = startLoad(options);
  controller.abort(new Error("enough"));
  await assertRejects(() => running.outcome, Error, "enough");
  assertThrows(() => startLoad(options), Error, "enough");
  assertThrows(() => Deno.kill(running.pid, "SIGKILL"), Deno.errors.NotFound);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("startLoad() refuses fewer requests than connections", () => {
  const options = {
    ohaPath: "oha",
    url: "http://127.0.0.1/",
    requestTimeoutSeconds: 1,
    folder: ".",
    signal,
  };
  assertThrows(
    () => startLoad({ ...options, connections: 10, requests: 9 }),
    BenchError,
    'Cannot load "http://127.0.0.1/": 9 requests for 10 connections, expected at least one for each',
  );
});

/** Loads with the real oha, over ten connections. */
async function load(
  { lines, requests = 10, seconds, ratePerSecond, ...options }:
    & Partial<LoadOptions>
    & Partial<Pick<TimedLoadOptions, "seconds" | "ratePerSecond">>
    & { url: string; lines?: string },
): Promise<LoadOutcome> {
  const folder = await Deno.makeTempDir();
  try {
    const { path: ohaPath } = await ensureOha({ report: silent, signal });
    const headerLinesPath = join(folder, "headers");
    if (lines !== undefined) await Deno.writeTextFile(headerLinesPath, lines);
    const shared = {
      ...{ ohaPath, connections: 10, requestTimeoutSeconds: 10, folder, signal },
      headerLinesPath: lines === undefined ? undefined : headerLinesPath,
      ...options,
    };
    await using running = startLoad(
      seconds === undefined ? { ...shared, requests } : { ...shared, seconds, ratePerSecond },
    );
    await running.begun;
    return await running.outcome;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function withServer(
  handler: (request: Request) => Response | Promise<Response>,
  test: (url: string) => Promise<void>,
): Promise<void> {
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  await test(`http://127.0.0.1:${server.addr.port}/`);
}

/** Answers the given number of requests at once, and each later one after 4 s, too late for its client. */
function answersThenWaits(answers: number): () => Promise<Response> {
  let count = 0;
  return async () => {
    if (++count > answers) await delay(4_000);
    return new Response("hello");
  };
}
