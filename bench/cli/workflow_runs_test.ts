/** How runs go from a measurement to what is published of it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { suiteNames, tools } from "../github/publish/benchmark_data.ts";
import { sum } from "../lib/sum.ts";
import { type Job, notInFork, readWorkflowFiles, recipeOf } from "../testing/workflow_files.ts";
import { foldersOf } from "./folders.ts";
import type { Task } from "./touched.ts";

const { root } = foldersOf();
const { texts, workflows, jobs, steps, jobOf } = await readWorkflowFiles(root);

/** Of a job that was skipped, nothing is looked at: its outputs may be anything. */
const publishedAny = "${{ !cancelled() && needs.publish.result != 'skipped' && " +
  "needs.publish.outputs.published != '' }}";

Deno.test("what was measured for tests is not published", () => {
  assertMatch(String(jobOf("bench.yml", "publish").if), / && inputs\.profile != 'smoke' }}$/);
});

Deno.test("the site follows a change of its own, and is deployed once after a publication", () => {
  const { deploy } = workflows.get("deploy.yml")!.jobs;
  assertEquals(deploy?.if, `\${{ ${notInFork} }}`);
  const [, paths = ""] = texts.get("deploy.yml")!.match(/^ {4}paths: (\[.*\])$/m) ?? [];
  // Pages are made of results, of what modules outside bench/site know, and of when runs are due.
  assertEquals(JSON.parse(paths), ["site/**", "bench/**", ".github/workflows/bench.yml"]);
  const called = jobOf("bench.yml", "deploy");
  assertEquals(called.uses, "./.github/workflows/deploy.yml");
  assertEquals(called.permissions, deploy?.permissions);
});

Deno.test("a repeated attempt replaces what the one before left", () => {
  for (const { where, step: { uses = "", with: inputs } } of steps) {
    if (uses.startsWith("actions/upload-artifact@")) assertEquals(inputs.overwrite, true, where);
    const name = uses.startsWith("actions/upload-pages-artifact@")
      ? inputs.name
      : uses.startsWith("actions/deploy-pages@")
      ? inputs.artifact_name
      : undefined;
    if (name !== undefined) assertEquals(name, "github-pages-${{ github.run_attempt }}", where);
  }
  const counted = steps.filter(({ step }) => /--attempts? "/.test(step.run ?? ""));
  assertEquals(counted.map(({ step }) => recipeOf(step)), ["commit-run", "alert", "bench"]);
  for (const { where, step: { env } } of counted) {
    assertEquals(env.ATTEMPT ?? env.ATTEMPTS, "${{ github.run_attempt }}", where);
  }
});

Deno.test("what jobs leave is downloaded into a folder of its name, also where one alone left something", () => {
  const artifactsOf = (job: Job, action: string, key: "name" | "pattern") =>
    job.steps.filter(({ uses }) => uses?.startsWith(`actions/${action}-artifact@`))
      .map(({ with: inputs }) => inputs[key]);
  assertEquals(artifactsOf(jobOf("bench.yml", "list"), "upload", "name"), ["list"]);
  const named = [
    "${{ inputs.kind }}-${{ matrix.scenario }}-${{ matrix.impl }}.${{ matrix.replica }}",
  ];
  assertEquals(artifactsOf(jobOf("measure.yml", "measure"), "upload", "name"), named);
  const rerun = "rerun-${{ fromJSON(needs.regressions.outputs.run-ids)['jwt-mysql'] }}";
  const pairs = [["bench", "publish", "result"], ["rerun", "alert", rerun]] as const;
  for (const [measuring, reading, kind] of pairs) {
    assertEquals(jobOf("bench.yml", measuring).with.kind, kind);
    const patterns = artifactsOf(jobOf("bench.yml", reading), "download", "pattern");
    assertEquals(patterns, [`{list,${kind}-*}`]);
  }
});

Deno.test("a job that leaves a result ends its measurements before it is ended itself", () => {
  // To set up without a cache, and to upload.
  const restMinutes = 20;
  const found: string[] = [];
  for (const { where, job } of jobs) {
    const uploads = job.steps.some(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
    const measures = job.steps.filter((step) => /^(bench|compare)$/.test(recipeOf(step) ?? ""));
    if (!uploads || measures.length === 0) continue;
    found.push(where);
    const limits = measures.map((step) => step["timeout-minutes"] ?? Infinity);
    const total = sum(limits) + restMinutes;
    assert(total <= job["timeout-minutes"]!, `${where}: ${limits.join()}`);
  }
  assertEquals(found, ["measure.yml, job measure", "pull-request.yml, job measure"]);
});

Deno.test("each task of a job that measures a change has its steps", () => {
  const measuring = jobOf("pull-request.yml", "measure").steps
    .filter((step) => /^(bench|compare)$/.test(recipeOf(step) ?? ""));
  const isFor = (task: Task, condition: string) =>
    [...condition.matchAll(/matrix\.task (.)= '([a-z-]+)'/g)]
      .every(([, sign, name]) => (name === task) === (sign === "="));
  const stepsOf = (task: Task) =>
    measuring.filter((step) => isFor(task, String(step.if))).map(({ name }) => name);
  assertEquals(stepsOf("measure"), ["Verify and measure"]);
  assertEquals(stepsOf("measure-both"), ["Verify and measure", "Measure the base"]);
  assertEquals(stepsOf("compare"), ["Compare with the base"]);
});

Deno.test("who writes comments and issues waits, and nobody who waits is cancelled", () => {
  const groups = [workflows.get("comment.yml"), jobOf("bench.yml", "alert")];
  assertEquals(groups.map((it) => it?.concurrency && { ...it.concurrency, group: "" }), [
    { group: "", "cancel-in-progress": false, queue: "max" },
    { group: "", "cancel-in-progress": false, queue: "max" },
  ]);
});

Deno.test("the second measurement is made as the first", () => {
  const [bench, rerun] = ["bench", "rerun"].map((id) => jobOf("bench.yml", id));
  assertEquals(bench!.uses, "./.github/workflows/measure.yml");
  assertEquals(rerun!.uses, bench!.uses);
  assertEquals(rerun!.with.profile, bench!.with.profile);
});

Deno.test("who reads results knows with which profile they were measured: another one is refused", () => {
  const { profile } = jobOf("bench.yml", "bench").with;
  for (const [job, recipe] of [["publish", "commit-run"], ["alert", "alert"]] as const) {
    const step = jobOf("bench.yml", job).steps.find((step) => recipeOf(step) === recipe);
    assertEquals(step?.env.PROFILE, profile);
    assertMatch(step?.run ?? "", / --profile "\$PROFILE"$/);
  }
});

Deno.test("github-action-benchmark compares with our baseline, keeps nothing, and alerts nobody", () => {
  const { steps } = jobOf("bench.yml", "figures");
  const compared = steps.filter(({ uses }) => uses?.startsWith("benchmark-action/"));
  for (const [index, direction] of (["bigger", "smaller"] as const).entries()) {
    const given = `steps.data.outputs.${direction} != ''`;
    // Where the first comparison failed, the second is still made.
    assertEquals(compared[index]?.if, index === 0 ? given : `\${{ !cancelled() && ${given} }}`);
    assertEquals(compared[index]?.with, {
      name: suiteNames[direction],
      tool: tools[direction],
      "output-file-path": `\${{ steps.data.outputs.${direction} }}`,
      "external-data-json-path": `\${{ runner.temp }}/data/${direction}-baseline.json`,
      "save-data-file": false,
      "github-token": "${{ github.token }}",
      "comment-on-alert": false,
      "fail-on-alert": false,
      "summary-always": true,
    });
  }
  assertEquals(compared.length, 2);
});

Deno.test("what is published goes on to be compared, also when an artifact was damaged", () => {
  const { steps, outputs } = jobOf("bench.yml", "publish");
  const commit = steps.find((step) => recipeOf(step) === "commit-run");
  assertEquals([commit?.id, commit?.env.GITHUB_TOKEN], ["commit", "${{ github.token }}"]);
  assertEquals(outputs, {
    published: "${{ steps.commit.outputs.published }}",
    "run-ids": "${{ steps.commit.outputs.run-ids }}",
  });
  const followed = { figures: "benchmark-data", regressions: "regressions", alert: "alert" };
  for (const [id, recipe] of Object.entries(followed)) {
    const { if: given, steps } = jobOf("bench.yml", id);
    if (id !== "alert") {
      assertEquals(given, publishedAny, id);
    }
    const step = steps.find((step) => recipeOf(step) === recipe);
    assertEquals(step?.env.RUN_IDS, "${{ needs.publish.outputs.run-ids }}", id);
  }
  assertEquals(jobOf("bench.yml", "deploy").if, jobOf("bench.yml", "figures").if);
});

Deno.test("the job that looks for regressions may read which levels were accepted", () => {
  const { permissions, steps } = jobOf("bench.yml", "regressions");
  assertEquals(permissions.issues, "read");
  const step = steps.find((step) => recipeOf(step) === "regressions");
  assertEquals(step?.env.GITHUB_TOKEN, "${{ github.token }}");
});
