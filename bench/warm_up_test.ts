import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { silent } from "./report.ts";
import { ensureOha } from "./tools.ts";
import { preWarm } from "./warm_up.ts";

const { signal } = new AbortController();
const connections = 10;

/** Starts a server that takes so many milliseconds for an answer, after so many answers. */
function startServer(delayMs: (answered: number) => number) {
  let answered = 0;
  return Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    await delay(delayMs(answered++));
    return new Response("answer");
  });
}

async function loadOf(server: Deno.HttpServer<Deno.NetAddr>, folder: string) {
  const { path: ohaPath } = await ensureOha({ report: silent, signal });
  const url = `http://127.0.0.1:${server.addr.port}/`;
  return { ohaPath, url, connections, requestTimeoutSeconds: 10, folder };
}

Deno.test("preWarm() goes on as long as twice as many requests make a server faster, up to the most", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using server = startServer((answered) => 4_000 / (answered + 50));
    const load = await loadOf(server, folder);
    const plan = { preWarmRequests: 100, preWarmMostRequests: 700 };
    assertEquals(await preWarm(load, plan, signal), 700);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("preWarm() stops where more requests change nothing", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using server = startServer(() => 20);
    const load = await loadOf(server, folder);
    const sent = await preWarm(load, { preWarmRequests: 100, preWarmMostRequests: 5_000 }, signal);
    assert(sent >= 200 && sent < 5_000, `${sent} requests`);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("preWarm() sends just the plan's requests where it names no most", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await using server = startServer((answered) => 4_000 / (answered + 50));
    assertEquals(await preWarm(await loadOf(server, folder), { preWarmRequests: 50 }, signal), 50);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
