import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { evaluate, planJob } from "./ci.ts";
import { BenchError } from "../lib/error.ts";
import { foldersOf } from "./folders.ts";
import { readActionSteps, readWorkflow, type Step } from "../github/workflow_file.ts";

const { root } = foldersOf();
const runId = "20260101T000000Z-0000000";

Deno.test("planJob() gives the recipes of the bench job, in order, with their environment", async () => {
  assertEquals(await planJob(root, "bench", { matrix: { impl: "deno" }, inputs: {}, runId }), [
    { run: "npx --yes rust-just@1.57.0 setup", env: {} },
    {
      run: 'npx --yes rust-just@1.57.0 bench "$IMPL" "$PROFILE" --run-id "$RUN_ID"',
      env: { IMPL: "deno", PROFILE: "full", RUN_ID: runId },
    },
  ]);
});

Deno.test("planJob() leaves out no step but those that only GitHub can do", async () => {
  const steps: Step[] = [];
  for (const step of (await readWorkflow(root, "bench")).jobs.bench!.steps) {
    steps.push(...step.uses?.startsWith("./") ? await readActionSteps(root, step.uses) : [step]);
  }
  const plan = await planJob(root, "bench", { matrix: { impl: "deno" }, inputs: {}, runId });
  const runs = steps.filter(({ run }) => run !== undefined);
  assertEquals(plan.map(({ run }) => run), runs.map(({ run }) => run!));
  // The database is a service container there; here, the harness takes the one that it finds.
  const variables = runs.map(({ env }) =>
    Object.keys(env).filter((name) => name !== "DATABASE_URL")
  );
  assertEquals(plan.map(({ env }) => Object.keys(env)), variables);
  const others = steps.filter(({ run }) => run === undefined)
    .map(({ uses }) => uses?.split("@")[0]);
  assertEquals(others, [
    "actions/checkout",
    "actions/setup-java",
    "actions/cache/restore",
    "actions/cache/save",
    "actions/upload-artifact",
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
