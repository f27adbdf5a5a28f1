import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { checkImpl } from "../../impl/check.ts";
import { discoverImpl } from "../../impl/discover.ts";
import { makeSlowed } from "./make.ts";

for (const [id, start] of [["rust", "target/release/backend"], ["go", "./backend"]] as const) {
  Deno.test(`makeSlowed() makes an implementation of ${id} that compiles without a warning`, async () => {
    const impls = await Deno.makeTempDir({ prefix: "backbench-test-" });
    try {
      // Half as fast: one more second of processor time for each request.
      const share = { percent: 50, goodputPerSecond: navigator.hardwareConcurrency };
      const impl = await discoverImpl(impls, await makeSlowed(id, share, impls));
      const steps = Math.round(1e9 / 1.8);
      assertStringIncludes(impl.manifest.start.join(" "), `env BURN_STEPS=${steps} ${start}`);
      // Its dependencies are those of impls/rust or impls/go, which `just check` compiles for both.
      assertEquals(await checkImpl(impl, new AbortController().signal), []);
    } finally {
      await Deno.remove(impls, { recursive: true });
    }
  });
}

Deno.test("makeSlowed() refuses what it cannot slow, by how much, and an unknown goodput", async () => {
  for (
    const [id, percent, goodputPerSecond] of [
      ["deno", 5, 6_000],
      ["go", 100, 6_000],
      ["go", 2.5, 6_000],
      ["go", 5, NaN],
    ] as const
  ) {
    await assertRejects(
      () => makeSlowed(id, { percent, goodputPerSecond }, ""),
      Error,
      `Cannot slow "${id}" by ${percent} % of ${goodputPerSecond} requests per second, expected rust or go`,
    );
  }
});
