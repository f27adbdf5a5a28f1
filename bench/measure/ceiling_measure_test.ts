import { assert, assertEquals, assertRejects } from "@std/assert";
import { RunBroken } from "../lib/error.ts";
import { startProcess } from "../lib/process.ts";
import { nullServerImpl } from "../native/native.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { openBareSession } from "../testing/load_session.ts";
import { ensureNative } from "../tools/tools.ts";
import { measureCeiling } from "./ceiling.ts";
import { start } from "./session.ts";

Deno.test("measureCeiling()", async (t) => {
  await using session = await openBareSession();
  const impl = nullServerImpl(await ensureNative(session));
  await using server = await start({ impl, toolchain: noToolchain }, session);
  const connections = 10;

  await t.step("gives the null server's goodput, and what an answer costs", async () => {
    const ceiling = await measureCeiling(server, { session, connections, seconds: 1.5 });
    assertEquals(ceiling.connections, 10);
    assert(ceiling.requests / ceiling.goodputPerSecond >= 1);
    const { generatorCpuSecondsPerAnswer: cost } = ceiling;
    assertEquals(cost === undefined, Deno.build.os !== "linux");
    assert(cost === undefined || cost > 0);
  });
  await t.step("has no ceiling to tell of a server that fails", async () => {
    await using broken = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen: () => {} },
      () => new Response(null, { status: 500 }),
    );
    await using process = startProcess(["sleep", "600"], { logPath: "/dev/null" });
    const target = { url: `http://127.0.0.1:${broken.addr.port}`, process };
    await assertRejects(
      () => measureCeiling(target, { session, connections, seconds: 0.3 }),
      RunBroken,
      "requests failed beside",
    );
  });
  await t.step("stops the load when it is aborted", async () => {
    const abort = new AbortController();
    const stoppable = { ...session, signal: abort.signal };
    const measuring = measureCeiling(server, { session: stoppable, connections, seconds: 60 });
    setTimeout(() => abort.abort(), 300);
    await assertRejects(() => measuring, DOMException);
  });
});
