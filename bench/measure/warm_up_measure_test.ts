import { assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { startProcess } from "../lib/process.ts";
import { openBareSession } from "../testing/load_session.ts";
import { nullConditions } from "./conditions.ts";
import { findWarmUp, type FindWarmUpOptions } from "./warm_up.ts";

/** Starts a server whose response time, in milliseconds, depends on its number of answers so far. */
function startServer(delayMs: (answered: number) => number) {
  let answered = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async () => {
    await delay(delayMs(answered++));
    return new Response("answer");
  });
  return Object.assign(server, { answered: () => answered });
}

const rising = (answered: number) => 4_000 / (answered + 50);

async function findWith(delayMs: (answered: number) => number, options: FindWarmUpOptions) {
  await using session = await openBareSession();
  await using conditions = await nullConditions(session);
  await using server = startServer(delayMs);
  await using process = startProcess(["sleep", "600"], { logPath: "/dev/null" });
  const target = { url: `http://127.0.0.1:${server.addr.port}`, process };
  const requests = await findWarmUp(target, { session, conditions, connections: 10 }, options);
  return { requests, answered: server.answered() };
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
