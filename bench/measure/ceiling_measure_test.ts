import { assert, assertEquals, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { measureCeiling } from "./ceiling.ts";
import { RunBroken } from "../lib/error.ts";
import { nullServerImpl } from "../native/native.ts";
import { startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { startSubject } from "../impl/start.ts";
import { ensureNative, ensureOha } from "../tools/tools.ts";
import { noToolchain } from "../impl/toolchains.ts";

Deno.test("measureCeiling()", async (t) => {
  const { signal } = new AbortController();
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    const { path: ohaPath } = await ensureOha({ report: silent, signal });
    const headerLinesPath = join(folder, "headers");
    await Deno.writeTextFile(headerLinesPath, "Authorization: Bearer a\nAuthorization: Bearer b\n");
    const load = {
      ohaPath,
      headerLinesPath,
      connections: 10,
      requestTimeoutSeconds: 10,
      folder,
      signal,
    };
    await using server = await startSubject(
      nullServerImpl(await ensureNative({ report: silent, signal })),
      {
        toolchain: noToolchain,
        surroundings: { poolMax: 1, secret: "none" },
        ...{ folder, signal },
      },
    );

    await t.step("gives the null server's goodput, and what an answer costs", async () => {
      const ceiling = await measureCeiling(server, { load, seconds: 1.5 });
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
        () => measureCeiling(target, { load, seconds: 0.3 }),
        RunBroken,
        "requests failed beside",
      );
    });
    await t.step("stops the load when it is aborted", async () => {
      const abort = new AbortController();
      const stoppable = { ...load, signal: abort.signal };
      const measuring = measureCeiling(server, { load: stoppable, seconds: 60 });
      setTimeout(() => abort.abort(), 300);
      await assertRejects(() => measuring, DOMException);
    });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
