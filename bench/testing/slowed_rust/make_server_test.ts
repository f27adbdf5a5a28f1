import { assertEquals, assertStringIncludes } from "@std/assert";
import { checkImpl } from "../../impl/check.ts";
import { discoverImpl } from "../../impl/discover.ts";
import { makeSlowedRust } from "./make.ts";

Deno.test("makeSlowedRust() makes an implementation that compiles without a warning", async () => {
  const impls = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    await makeSlowedRust("5", impls);
    const impl = await discoverImpl(impls, "rust-slowed-5");
    assertStringIncludes(
      impl.manifest.start.join(" "),
      "env BURN_NANOSECONDS=3000 target/release/",
    );
    // Its dependencies are those of impls/rust, which `just check` compiles for both.
    assertEquals(await checkImpl(impl, new AbortController().signal), []);
  } finally {
    await Deno.remove(impls, { recursive: true });
  }
});
