import { assertEquals, assertStringIncludes } from "@std/assert";
import { discoverImpl } from "../../impl/discover.ts";
import { lintTarget } from "../../impl/ecosystems/rust.ts";
import { makeSlowedRust } from "./make.ts";

Deno.test("makeSlowedRust() makes an implementation that compiles without a warning", async () => {
  const impls = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    const folder = await makeSlowedRust("5", impls);
    const { manifest: { start } } = await discoverImpl(impls, "rust-slowed-5");
    assertStringIncludes(start.join(" "), "env BURN_NANOSECONDS=3000 target/release/");
    const { success, stderr } = await new Deno.Command("cargo", {
      // Its dependencies are those of impls/rust, which `just check` compiles there.
      args: ["clippy", "--quiet", "--locked", "--target-dir", lintTarget]
        .concat("--", "--deny", "warnings"),
      cwd: folder,
    }).output();
    assertEquals(success, true, new TextDecoder().decode(stderr));
  } finally {
    await Deno.remove(impls, { recursive: true });
  }
});
