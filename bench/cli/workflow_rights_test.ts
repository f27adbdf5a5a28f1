/** What each job of the workflows may do, and whose code runs in it. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { type Job, notInFork, readWorkflowFiles, recipeOf } from "../testing/workflow_files.ts";
import { foldersOf } from "./folders.ts";

const { root } = foldersOf();
const { texts, workflows, jobs, steps, jobOf } = await readWorkflowFiles(root);

Deno.test("every workflow starts without permissions, every job says its own, its time limit and its image", () => {
  for (const [file, { permissions }] of workflows) assertEquals(permissions, {}, file);
  for (const { where, job } of jobs) {
    if (job.uses !== undefined) {
      assertMatch(job.uses, /^\.\/\.github\/workflows\/[a-z-]+\.yml$/, where);
      continue;
    }
    assert(job["timeout-minutes"] !== undefined, where);
    // Only merged code runs on machines that the owner may have chosen.
    const isOwners = where === "measure.yml, job measure";
    assertEquals(job["runs-on"], isOwners ? "${{ matrix.runner }}" : "ubuntu-24.04", where);
    if (job.strategy !== undefined) assertEquals(job.strategy["fail-fast"], false, where);
  }
});

Deno.test("only the default branch is measured and published, and none of a fork unasked", () => {
  const { list, ...others } = workflows.get("bench.yml")!.jobs;
  assertEquals(
    list?.if,
    `(${notInFork}) && (github.event_name != 'workflow_dispatch' || ` +
      "github.ref == format('refs/heads/{0}', github.event.repository.default_branch))",
  );
  assertEquals(texts.get("bench.yml")?.match(/event\.repository/g)?.length, 2);
  // Unless its condition asks for the status, a job is skipped with the one that it needs; the others look at its outcome.
  for (const [id, { if: own, needs }] of Object.entries(others)) {
    const looksAt = needs.filter((need) =>
      [`needs.${need}.result`, `needs.${need}.outputs.published`].some((it) =>
        String(own).includes(it)
      )
    );
    const isFree = /\b(always|cancelled|failure)\(\)/.test(String(own));
    assert(needs.length > 0 && (!isFree || looksAt.length > 0), id);
  }
  // What it calls runs for nobody else.
  assertMatch(texts.get("measure.yml")!, /^on:\n {2}workflow_call:\n(?: {4}.*\n)+\npermissions/m);
});

const canWrite = ({ permissions }: Job) =>
  Object.values(permissions).some((right) => right !== "read");

Deno.test("no job can write more than this", () => {
  const writes = jobs.filter(({ job }) => canWrite(job)).map(({ where, job }) => {
    const names = Object.entries(job.permissions).filter(([, right]) => right !== "read");
    return `${where}: ${names.map(([scope]) => scope).sort().join(", ")}`;
  });
  assertEquals(writes, [
    "bench.yml, job publish: contents",
    "bench.yml, job deploy: id-token, pages",
    "bench.yml, job alert: issues",
    "comment.yml, job post: pull-requests",
    "deploy.yml, job deploy: id-token, pages",
  ]);
});

Deno.test("the job that publishes alone is given the key, from an environment", () => {
  const { environment, steps } = jobOf("bench.yml", "publish");
  assertEquals(environment, "publish");
  assertEquals(steps[0]?.with["ssh-key"], "${{ secrets.PUBLISH_KEY }}");
  for (const [where, text] of texts) {
    const named = [...text.matchAll(/\bsecrets\b[^ }]*/g)].map(([name]) => name);
    assertEquals(named, where === "bench.yml" ? ["secrets.PUBLISH_KEY"] : [], where);
  }
});

/** Recipes that run code of implementations: what their linters do is in their own settings. */
const runsImpls = ["bench", "compare", "verify", "test", "check"];

Deno.test("npx and npm resolve nothing that was released after one day, the same in every workflow", () => {
  const days = [...texts].filter(([where]) => workflows.has(where)).map(([where, text]) => {
    const [, day] = /^env:\n(?: {2}.*\n)* {2}npm_config_before: "(\d{4}-\d\d-\d\d)"$/m.exec(text) ??
      [];
    assert(day !== undefined, where);
    return day;
  });
  assertEquals([days.length, new Set(days).size], [workflows.size, 1]);
});

Deno.test("no job that can write sets up tools from a cache, or runs an implementation", () => {
  for (const { where, job } of jobs.filter(({ job }) => canWrite(job))) {
    // Its own job is among these.
    if (job.uses !== undefined) assertEquals(job.uses, "./.github/workflows/deploy.yml", where);
    for (const step of job.steps) {
      assertEquals(/^\.\/|^actions\/cache[/@]/.test(step.uses ?? ""), false, where);
      // Code of others, but for what GitHub itself publishes.
      assertMatch(step.uses ?? "actions/", /^actions\//, where);
      const recipe = recipeOf(step) ?? "";
      assertEquals(runsImpls.includes(recipe), false, where);
    }
  }
});

Deno.test("no job that runs an implementation is given a token or a secret, nor a right beyond reading", () => {
  const measuring = jobs.filter(({ job }) =>
    job.steps.some((step) => runsImpls.includes(recipeOf(step) ?? ""))
  );
  assertEquals(measuring.map(({ where }) => where), [
    "check.yml, job check",
    "check.yml, job test",
    "check.yml, job verify",
    "measure.yml, job measure",
    "pull-request.yml, job measure",
  ]);
  for (const { where, job } of measuring) {
    assertEquals(job.permissions, { contents: "read" }, where);
    assertEquals(/github\.token|GITHUB_TOKEN|secrets\b/.test(JSON.stringify(job)), false, where);
  }
});

Deno.test("a pull request's code runs on GitHub's machines only, whatever the repository's variables say", () => {
  for (const file of ["pull-request.yml", "check.yml", "comment.yml"]) {
    assertEquals(/\bvars\b|matrix\.runner/.test(texts.get(file)!), false, file);
  }
  assertEquals(/pull_request/.test(texts.get("bench.yml")!), false);
});

Deno.test("no checkout leaves its token behind", () => {
  for (const { where, step } of steps) {
    // The one job that pushes needs it.
    if (!step.uses?.startsWith("actions/checkout@") || where === "bench.yml, job publish") continue;
    assertEquals(step.with["persist-credentials"], false, where);
  }
});

Deno.test("every file has an owner: a new one, such as a .npmrc, decides what runs beside a key", async () => {
  const text = await Deno.readTextFile(join(root, ".github", "CODEOWNERS"));
  const [first, ...others] = text.split("\n").filter((line) => !/^(#|$)/.test(line));
  assertEquals(first?.split(/\s+/)[0], "*");
  const maintainers = first!.split(/\s+/)[1]!;
  for (const line of others) {
    const [path, ...owners] = line.split(/\s+/);
    await Deno.stat(join(root, path!));
    assert(owners.includes(maintainers), line);
  }
});
