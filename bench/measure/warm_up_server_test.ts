import { assert, assertEquals } from "@std/assert";
import { delay } from "@std/async";
import { noToolchain } from "../impl/toolchains.ts";
import { startProcess } from "../lib/process.ts";
import { openBareSession } from "../testing/load_session.ts";
import { nullWorkload } from "./workload.ts";
import { quietRule, warmUntilQuiet, type WarmUntilQuietOptions } from "./warm_up.ts";

/** A shell that is busy for so many seconds, and idle then: a compiler, if its name is that of one. */
const busyFor = (seconds: number) => [
  "sh",
  "-c",
  `end=$(($(date +%s) + ${seconds})); while [ $(date +%s) -lt $end ]; do i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; done; sleep 600`,
];

async function warmWith(
  command: string[],
  { delayMs = 0, ...options }:
    & Pick<WarmUntilQuietOptions, "requests" | "mostSeconds" | "toolchain">
    & { delayMs?: number },
) {
  await using session = await openBareSession();
  await using workload = await nullWorkload(session);
  let answered = 0;
  const handler = async () => {
    answered++;
    if (delayMs > 0) await delay(delayMs);
    return new Response("answer");
  };
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, handler);
  await using process = startProcess(command, { logPath: "/dev/null" });
  const target = { url: `http://127.0.0.1:${server.addr.port}`, process };
  const startMs = performance.now();
  const warmed = await warmUntilQuiet(target, {
    ...{ session, workload, connections: 10 },
    ...options,
  });
  return { warmed, answered, seconds: (performance.now() - startMs) / 1000 };
}

const withCompiler = { ...noToolchain, compilerThreads: [/^sh$/] };

Deno.test("warmUntilQuiet() sends exactly the requests where a runtime has no compiler", async () => {
  const options = { requests: 300, mostSeconds: 5, toolchain: noToolchain };
  const { warmed, answered } = await warmWith(["sleep", "600"], options);
  assertEquals([warmed.requests, warmed.isQuiet, answered], [300, undefined, 300]);
  assertEquals(warmed.load?.correct, 300);
});

Deno.test("warmUntilQuiet() sends more requests where a runtime needs more", async () => {
  const toolchain = { ...noToolchain, warmUpFactor: 4 };
  const { warmed, answered } = await warmWith(["sleep", "600"], {
    requests: 300,
    mostSeconds: 5,
    toolchain,
  });
  assertEquals([warmed.requests, warmed.isQuiet, answered], [1200, undefined, 1200]);
});

Deno.test({
  name: "warmUntilQuiet() goes on until the compilers are quiet, and judges every answer",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const options = { requests: 300, mostSeconds: 30, toolchain: withCompiler };
    const { warmed, answered, seconds } = await warmWith(busyFor(2), options);
    assertEquals(warmed.isQuiet, true);
    assert(seconds > 1 + 2 * quietRule.windowSeconds, `${seconds} s`);
    assert(warmed.requests > 1_000, `${warmed.requests} requests`);
    assertEquals([warmed.load?.correct, answered], [warmed.requests, warmed.requests]);
  },
});

Deno.test({
  name: "warmUntilQuiet() waits for compilers as long where the server answers slowly",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    // The requests alone take 9 s: 90 over each of 10 connections.
    const options = { requests: 900, delayMs: 100, mostSeconds: 10, toolchain: withCompiler };
    const { warmed, seconds } = await warmWith(busyFor(0), options);
    assert(seconds > 8 + 2 * quietRule.windowSeconds, `${seconds} s`);
    assertEquals(warmed.isQuiet, true);
  },
});

Deno.test({
  name: "warmUntilQuiet() says that compilers were still at work when the time was over",
  ignore: Deno.build.os !== "linux",
  fn: async () => {
    const options = { requests: 300, mostSeconds: 3, toolchain: withCompiler };
    const { warmed } = await warmWith(busyFor(60), options);
    assertEquals(warmed.isQuiet, false);
  },
});

Deno.test("warmUntilQuiet() does not say that compilers are quiet which it has not seen", async () => {
  const { warmed } = await warmWith(["sleep", "600"], {
    requests: 300,
    mostSeconds: 30,
    toolchain: { ...noToolchain, compilerThreads: [/^no such thread$/] },
  });
  assertEquals(warmed.isQuiet, undefined);
});
