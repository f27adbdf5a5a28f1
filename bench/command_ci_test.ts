import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { evaluate, planJob } from "./command_ci.ts";
import { BenchError } from "./error.ts";
import { foldersOf } from "./folders.ts";

const { root } = foldersOf();
const runId = "20260101T000000Z-0000000";

Deno.test("planJob() gives the recipes of the bench job, in order, with their environment", async () => {
  assertEquals(await planJob(root, "bench", { matrix: { impl: "deno" }, inputs: {}, runId }), [
    { run: "npx --yes rust-just setup", env: {} },
    {
      run: 'npx --yes rust-just bench "$IMPL" "$PROFILE" --run-id "$RUN_ID"',
      env: { IMPL: "deno", PROFILE: "full", RUN_ID: runId },
    },
  ]);
});

Deno.test("planJob() refuses a job that is not one for each implementation", async () => {
  await assertRejects(
    () => planJob(root, "check", { matrix: { impl: "deno" }, inputs: {}, runId }),
    BenchError,
    'Cannot replay "check": its workflow has no job of that name for each implementation, expected one',
  );
});

Deno.test("evaluate() takes the first value that is not empty", () => {
  const context = {
    matrix: { impl: "spring-mvc", java: "25" },
    inputs: { profile: "quick" },
    runId,
  };
  assertEquals(
    evaluate("${{ matrix.impl }} on ${{ matrix.java }}", context),
    "spring-mvc on 25",
  );
  assertEquals(evaluate("${{ inputs.profile || 'full' }}", context), "quick");
  assertEquals(evaluate("${{ inputs.profile || 'full' }}", { ...context, inputs: {} }), "full");
});

Deno.test("evaluate() does not guess what only GitHub knows", () => {
  assertThrows(
    () => evaluate("${{ github.sha }}", { matrix: { impl: "deno" }, inputs: {}, runId }),
    BenchError,
    "Cannot evaluate \"github.sha\": only GitHub knows it, expected matrix.…, inputs.… or 'text'",
  );
});
