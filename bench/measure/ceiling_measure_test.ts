import { assert, assertAlmostEquals, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { RunBroken } from "../lib/error.ts";
import { startProcess } from "../lib/process.ts";
import { nullServerImpl } from "../native/native.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { openBareSession } from "../testing/load_session.ts";
import { mean } from "../statistics/mod.ts";
import { ensureNative } from "../tools/tools.ts";
import { measureCeiling } from "./ceiling.ts";
import { start } from "./ground.ts";

Deno.test("measureCeiling()", async (t) => {
  await using session = await openBareSession();
  const impl = nullServerImpl(await ensureNative(session));
  await using server = await start({ impl, toolchain: noToolchain }, session);
  const connections = 10;
  const plan = { loadSeconds: 0.3, mostLoads: 7 };

  await t.step(
    "gives the null server's goodput with an interval, over five loads or more",
    async () => {
      const { perLoadPerSecond, ...ceiling } = await measureCeiling(server, {
        session,
        connections,
        plan,
      });
      const { loads, requests, goodputPerSecond, lowPerSecond, highPerSecond, machine } = ceiling;
      assertEquals(ceiling.connections, 10);
      if (machine !== undefined) assert(machine.capacityCpuSeconds >= 0.3 * loads!);
      assertEquals(perLoadPerSecond!.length, loads);
      assertAlmostEquals(mean(perLoadPerSecond!), goodputPerSecond, 1e-6);
      assert(loads! >= 5 && loads! <= 7, `${loads} loads`);
      assertAlmostEquals(highPerSecond! - goodputPerSecond, goodputPerSecond - lowPerSecond!, 1e-6);
      const halfWidth = highPerSecond! / goodputPerSecond - 1;
      assert(halfWidth > 0 && (halfWidth <= 0.08 || loads === 7), `± ${halfWidth}, ${loads} loads`);
      // All loads last about as long as planned: their answers are about as many as the mean tells.
      const seconds = requests / goodputPerSecond;
      assertAlmostEquals(seconds, 0.3 * loads!, 0.3 * 0.3 * loads!);
    },
  );
  await t.step("measures again what the machine disturbed, and says so", async () => {
    await using _busy = startProcess(["sh", "-c", "while :; do :; done"], { logPath: "/dev/null" });
    const lines: string[] = [];
    const report = { ...session.report, line: (text: string) => void lines.push(text) };
    const disturbed = { ...session, report, mostRepeats: 1 };
    const ceiling = await measureCeiling(server, { session: disturbed, connections, plan });
    if (ceiling.machine === undefined) return;
    assertMatch(ceiling.repeatedBecause!, /^other processes used .*, most of it "sh", /);
    assertEquals(lines, [
      `The null server at 10 connections, once more: ${ceiling.repeatedBecause}`,
    ]);
  });
  await t.step("has no ceiling to tell of a server that fails", async () => {
    await using broken = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(null, { status: 500 }),
    );
    await using process = startProcess(["sleep", "600"], { logPath: "/dev/null" });
    const target = { url: `http://127.0.0.1:${broken.addr.port}`, process };
    await assertRejects(
      () => measureCeiling(target, { session, connections, plan }),
      RunBroken,
      "requests failed beside",
    );
  });
  await t.step("stops the load when it is aborted", async () => {
    const abort = new AbortController();
    const stoppable = { ...session, signal: abort.signal };
    const measuring = measureCeiling(server, {
      ...{ session: stoppable, connections },
      plan: { ...plan, loadSeconds: 60 },
    });
    setTimeout(() => abort.abort(), 300);
    await assertRejects(() => measuring, DOMException);
  });
});
