import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { crc32 } from "node:zlib";
import { BenchError } from "../lib/error.ts";
import { type LoadOptions, startLoad } from "./oha.ts";
import { logTail } from "../lib/log_lines.ts";
import { startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { sum } from "../lib/sum.ts";
import { cpuSeconds } from "../machine/proc.ts";
import { load, withServer } from "../testing/oha_load.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { until } from "../testing/until.ts";
import { ensureOha } from "../tools/tools.ts";

const signal = new AbortController().signal;

Deno.test("startLoad() sends each line in turn, and gives the line and checksum of each answer", async () => {
  const lines = Array.from({ length: 100 }, (_, i) => ({ headers: { "x-line": `${i}` } }));
  const bodyOf = (line: number) => line === 50 ? "" : `answer to ${line}`;
  const sent: number[] = [];
  await withServer(
    (request) => {
      const line = Number(request.headers.get("x-line"));
      sent.push(line);
      return new Response(bodyOf(line));
    },
    async (url) => {
      const outcome = await load({ url, requests: 1050, firstLine: 30, lines });
      assertEquals(outcome.errors, {});
      assertEquals(outcome.linesUsed, 1060);
      const { line, bodyBytes, bodyCrc32 } = outcome.responses;
      const expected = Array.from({ length: 1050 }, (_, i) => (30 + i) % 100).sort(ascending);
      assertEquals(sent.toSorted(ascending), expected);
      assertEquals([...line].sort(ascending), expected);
      assertEquals([...bodyBytes], [...line].map((line) => bodyOf(line).length));
      assertEquals([...bodyCrc32], [...line].map((line) => crc32(bodyOf(line))));
      assertEquals(bodyCrc32[line.indexOf(50)], 0);
    },
  );
});

Deno.test("startLoad() gives each request a connection of its own where they are not to share any", async () => {
  const portsOf = async (keepAlive?: boolean) => {
    const ports = new Set<number>();
    const allConnected = Promise.withResolvers<void>();
    // No answer before each of the 10 has a request: the first could else have them all.
    const handler = async (_: Request, { remoteAddr }: Deno.ServeHandlerInfo<Deno.NetAddr>) => {
      if (ports.add(remoteAddr.port).size === 10) allConnected.resolve();
      await allConnected.promise;
      return new Response("hello");
    };
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      handler,
    );
    const url = `http://127.0.0.1:${server.addr.port}/`;
    const { errors, responses } = await load({ url, requests: 200, keepAlive });
    assertEquals([errors, responses.status.length], [{}, 200]);
    return ports.size;
  };
  assertEquals(await portsOf(false), 200);
  assertEquals(await portsOf(), 10);
});

Deno.test("startLoad() sends what a line says, and what oha sends else", async () => {
  const defaults = {
    "accept-encoding": "gzip, compress, deflate, br",
    "accept": "*/*",
    "user-agent": "oha/1.16.0",
  };
  const seen: unknown[] = [];
  await withServer(
    async (request) => {
      const { host: _, ...headers } = Object.fromEntries(request.headers);
      const { pathname, search } = new URL(request.url);
      seen.push([request.method, pathname + search, headers, await request.text()]);
      return new Response("hello");
    },
    async (url) => {
      const lines = [
        {},
        { method: "POST", path: "/b?c=é", headers: { "X-D": 'e"', accept: "f" }, body: '"é"' },
      ];
      await load({ url: `${url}a`, lines, requests: 2, connections: 1 });
    },
  );
  assertEquals(seen, [
    ["GET", "/a", defaults, ""],
    ["POST", "/b?c=%C3%A9", {
      ...{ ...defaults, accept: "f" },
      ...{ "x-d": 'e"', "content-length": "4" },
    }, '"é"'],
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
    assertEquals(sum([...responses.bodyBytes]), 900 * 5);
    assertEquals(responses.endSeconds, responses.endSeconds.toSorted());
    assert(responses.endSeconds.every((end, i) => responses.startSeconds[i]! < end));
    assert(responses.endSeconds.at(-1)! <= durationSeconds);
    if (Deno.build.os === "linux") assert(startedAtMs !== undefined);
    assert(startedAtMs === undefined || startedAtMs >= before && startedAtMs <= Date.now());
  });
});

Deno.test("startLoad() fails with the file and line of a damaged request", async () => {
  const url = "http://127.0.0.1:9/";
  const error = await assertRejects(
    () => load({ url, lines: [{}, { url: "/" }] }),
    BenchError,
    `Cannot load "${url}": oha ended with exit code 1, expected 0`,
  );
  assertStringIncludes(
    error.help ?? "",
    "requests.jsonl:2: invalid request at column 6: unknown field `url`, expected one of `method`",
  );
});

Deno.test("startLoad() fails when the file of requests is empty, too short or absent", async () => {
  const help = async (options: Partial<LoadOptions> & { lines?: unknown[] }) => {
    const url = "http://127.0.0.1:9/";
    return (await assertRejects(() => load({ url, ...options }), BenchError)).help ?? "";
  };
  assertStringIncludes(await help({ lines: [] }), "No requests in ");
  assertStringIncludes(
    await help({ lines: [{}, {}], firstLine: 2 }),
    "requests.jsonl: it has 2 lines, counted from 0",
  );
  assertStringIncludes(
    await help({ requestsPath: "/nowhere/requests" }),
    "Failed to read requests from /nowhere/requests: No such file",
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
    const failed = sum(Object.values(errors));
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

Deno.test("startLoad() ends at once when its signal aborts, and begins nothing after it", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const folder = await Deno.makeTempDir();
  const { path: ohaPath } = await ensureOha({ report: silent, signal });
  const controller = new AbortController();
  const requestsPath = join(folder, "requests.jsonl");
  await Deno.writeTextFile(requestsPath, "{}\n");
  const options = {
    ...{ ohaPath, requestsPath, firstLine: 0 },
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
    ...{ ohaPath: "oha", requestsPath: "requests.jsonl", firstLine: 0 },
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

function ascending(a: number, b: number): number {
  return a - b;
}

Deno.test({
  name: "a load ends with a harness that is killed, even if it is frozen",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    await withServer(() => new Response("answer"), async (url) => {
      await using folder = await temporaryFolder();
      const module = new URL("../testing/oha_load.ts", import.meta.url);
      const code = `
        import { load } from "${module}";
        await load({
          url: "${url}",
          seconds: 600,
          onBegun: async ({ pid }) => {
            Deno.kill(pid, "SIGSTOP");
            console.log(pid);
            await new Promise((resolve) => setTimeout(resolve, 600_000));
          },
        });`;
      const harness = startProcess([Deno.execPath(), "eval", code], {
        logPath: join(folder.path, "harness"),
        cwd: import.meta.dirname!,
        // It removes no folder of its own any more.
        env: { TMPDIR: folder.path },
      });
      await until(async () => /^\d+$/.test(await logTail(harness.logPath, 1)));
      const pid = Number(await logTail(harness.logPath, 1));
      assert(cpuSeconds(pid) !== undefined, `${pid} runs`);
      Deno.kill(harness.pid, "SIGKILL");
      await harness.status;
      await until(() => cpuSeconds(pid) === undefined);
    });
  },
});
