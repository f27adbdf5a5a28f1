import { assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { silent } from "../lib/report.ts";
import { ensureOha } from "../tools/tools.ts";
import { findWarmUp, type FindWarmUpOptions } from "./warm_up.ts";

const { signal } = new AbortController();
const connections = 10;

/** Starts a server whose response time, in milliseconds, depends on its number of answers so far. */
function startServer(delayMs: (answered: number) => number) {
  let answered = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    await delay(delayMs(answered++));
    return new Response("answer");
  });
  return Object.assign(server, { answered: () => answered });
}

async function loadOf(server: Deno.HttpServer<Deno.NetAddr>, folder: string) {
  const { path: ohaPath } = await ensureOha({ report: silent, signal });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  return { ohaPath, url, connections, requestTimeoutSeconds: 10, folder, signal };
}

const rising = (answered: number) => 4_000 / (answered + 50);

async function findWith(delayMs: (answered: number) => number, options: FindWarmUpOptions) {
  const folder = await Deno.makeTempDir();
  try {
    await using server = startServer(delayMs);
    const requests = await findWarmUp(await loadOf(server, folder), options);
    return { requests, answered: server.answered() };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("findWarmUp() gives the most where a server gets faster to the end", async () => {
  const parts: number[][] = [];
  const options = {
    leastRequests: 100,
    mostRequests: 800,
    onPart: (requests: number, later: number) => void parts.push([requests, later]),
  };
  assertEquals(await findWith(rising, options), { requests: 800, answered: 800 });
  assertEquals(parts, [[100, 700], [100, 600], [200, 400], [400, 0]]);
});

Deno.test("findWarmUp() gives the least where none is faster later, and has sent the most to know it", async () => {
  const slower = (answered: number) => answered < 100 ? 2 : 40;
  const options = { leastRequests: 100, mostRequests: 800 };
  assertEquals(await findWith(slower, options), { requests: 100, answered: 800 });
});
