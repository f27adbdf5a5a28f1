import { assertEquals, assertRejects } from "@std/assert";
import { outputOf } from "./output_of.ts";

Deno.test("outputOf() returns what a command printed, and whether it succeeded", async () => {
  assertEquals(
    await outputOf(["sh", "-c", 'echo "$said"; echo ü >&2'], { env: { said: "out" } }),
    { success: true, stdout: "out\n", stderr: "ü\n" },
  );
  assertEquals((await outputOf(["false"])).success, false);
  await assertRejects(() => outputOf(["backbench-no-such-program"]), Deno.errors.NotFound);
});
