/** What must hold of every workflow and action, whoever writes it, and what neither actionlint nor zizmor knows. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { readWorkflowFiles, recipeOf } from "../testing/workflow_files.ts";
import { foldersOf } from "./folders.ts";

const { root } = foldersOf();
const { texts, workflows, jobs, steps, jobOf } = await readWorkflowFiles(root);
const setup = ".github/actions/setup/action.yml";

/** What is wrong with how a text names actions of others, and the commits that it names, by action. */
function pinsOf(text: string): { problems: string[]; commits: [action: string, pin: string][] } {
  const problems: string[] = [];
  const commits: [string, string][] = [];
  for (const line of text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line))) {
    if (/uses: \.\//.test(line)) continue;
    const [, action, pin] = /uses: ([^@/]+\/[^@/]+)[^@]*@([0-9a-f]{40} # v\d+\.\d+\.\d+)$/
      .exec(line) ?? [];
    if (action === undefined) problems.push(line.trim());
    else commits.push([action, pin!]);
  }
  return { problems, commits };
}

Deno.test("every action of others is pinned to a full commit, its release in a comment, and each to one only", () => {
  const pins = new Map<string, string>();
  for (const [where, text] of texts) {
    const { problems, commits } = pinsOf(text);
    assertEquals(problems, [], where);
    for (const [action, pin] of commits) {
      assertEquals(pin, pins.get(action) ?? pin, `${where}: ${action}`);
      pins.set(action, pin);
    }
  }
  assert(pins.size > 5);
});

Deno.test("a tag, a short commit or a missing comment is no pin", () => {
  const commit = "3d3c42e5aac5ba805825da76410c181273ba90b1";
  const pinned = `uses: actions/cache/save@${commit} # v7.0.1`;
  assertEquals(pinsOf(pinned).commits, [["actions/cache", `${commit} # v7.0.1`]]);
  for (const pin of ["v7.0.1", "main", commit.slice(0, 7), commit, `${commit} # v7`]) {
    assertEquals(pinsOf(`  - uses: actions/checkout@${pin}`).problems.length, 1, pin);
  }
});

Deno.test("no expression stands in the shell text of a step", () => {
  for (const { where, step: { run = "" } } of steps) {
    assertEquals(run.includes("${{"), false, `${where}: ${run}`);
  }
});

Deno.test("every step that runs something runs one recipe that exists, by one release of just", async () => {
  const justfile = await Deno.readTextFile(join(root, "justfile"));
  const recipes = [...justfile.matchAll(/^([a-z][a-z-]*)( [^:=]+)?:(?!=)/gm)].map(([, name]) =>
    name
  );
  assert(recipes.includes("bench") && recipes.includes("setup"), recipes.join());
  const versions = new Set<string>();
  for (const { where, step: { run } } of steps) {
    // Of the job for rulesets, which only fails; see the test below.
    if (run === undefined || run === "exit 1") continue;
    const [, version, recipe] =
      /^npx --yes rust-just@(\d+\.\d+\.\d+) ([a-z-]+)( "\$[A-Z_]+"| --?[a-z-]+| [a-z/-]+)*\n?$/
        .exec(run) ?? [];
    assert(recipes.includes(recipe ?? ""), `${where}: ${run}`);
    versions.add(version!);
  }
  assertEquals(versions.size, 1, [...versions].join());
});

Deno.test("every recipe takes as many arguments as its step gives it", async () => {
  const justfile = await Deno.readTextFile(join(root, "justfile"));
  const found: string[] = [];
  for (const { where, step } of steps) {
    const recipe = recipeOf(step);
    if (recipe === undefined) continue;
    const [, parameters = ""] = new RegExp(`^${recipe}((?: [*+a-z]+)*):`, "m").exec(justfile) ?? [];
    const given = step.run!.trim().split(/\s+/).slice(4).length;
    const taken = parameters.trim().split(" ").filter((name) => name !== "");
    if (taken.some((name) => /^[*+]/.test(name))) continue;
    assertEquals(given, taken.length, `${where}: ${step.run}`);
    found.push(recipe);
  }
  assert(found.includes("comment-post"), found.join());
});

Deno.test("a job that measures, verifies, checks or tests sets up, then runs a recipe", () => {
  const replayed = ["bench", "verify", "check", "test"];
  const found = jobs.filter(({ job }) =>
    job.steps.some((step) => replayed.includes(recipeOf(step) ?? ""))
  );
  assertEquals(found.map(({ where }) => where), [
    "check.yml, job check",
    "check.yml, job test",
    "check.yml, job verify",
    "measure.yml, job measure",
    "pull-request.yml, job measure",
  ]);
  for (const { where, job } of found) {
    const own = job.steps.filter(({ uses, run }) => run || uses === "./.github/actions/setup");
    assertEquals(own[0]?.uses, "./.github/actions/setup", where);
    const recipes = own.slice(1).map(recipeOf);
    // A base is measured by the recipe that measures the change.
    const kinds = new Set(recipes.filter((name) => name !== "compare"));
    assertEquals(kinds.size, 1, `${where}: ${recipes}`);
  }
});

Deno.test("a merge waits for every job that checks, and none that failed, was cancelled or left out passes", () => {
  const { done, ...others } = workflows.get("check.yml")!.jobs;
  assertEquals(done?.needs, Object.keys(others));
  // Otherwise it would be skipped with a job that failed, and GitHub takes a skipped job for one that passed.
  assertEquals(done?.if, "always()");
  const bad = ["failure", "cancelled"].map((result) => `contains(needs.*.result, '${result}')`);
  assertEquals(done?.steps.map(({ if: given, run }) => [given, run]), [
    [`\${{ always() && (${bad.join(" || ")}) }}`, "exit 1"],
  ]);
  // Whatever has a condition may be skipped, and passes then.
  const conditions = Object.entries(others).map(([id, job]) => [id, job.if]);
  assertEquals(conditions.filter(([, given]) => given !== undefined), [
    ["verify", `needs.touched.outputs.matrix != '{"include":[]}'`],
  ]);
});

Deno.test("every job that must pass before a merge runs for a merge queue, too", () => {
  assertMatch(texts.get("check.yml")!, /^ {2}merge_group:$/m);
});

Deno.test("tools are cached before any implementation's code runs, and not after it", () => {
  for (const { where, step: { uses = "", with: inputs } } of steps) {
    // It saves when the job ends.
    assertEquals(uses.startsWith("actions/cache@"), false, where);
    if (uses.startsWith("actions/setup-java@")) assertEquals(inputs.cache, undefined, where);
  }
  const last = steps.filter(({ where }) => where === setup).slice(-3).map(({ step }) => step);
  assertEquals(last.map(({ uses, run }) => (uses ?? run)?.replace(/@\S+/, "")), [
    "actions/cache/restore",
    "npx --yes rust-just setup",
    "actions/cache/save",
  ]);
  assertEquals(last[2]?.with.path, last[0]?.with.path);
});

Deno.test("tools are saved by jobs that run nothing else, and GitHub refuses that in every other job", () => {
  const modes = [...workflows].map(([file, workflow]) => [file, workflow["cache-mode"]]);
  assertEquals(Object.fromEntries(modes), {
    "bench.yml": "read",
    "check.yml": "read",
    "comment.yml": "none",
    "deploy.yml": "none",
    "measure.yml": "read",
    "pull-request.yml": "read",
  });
  const saving = jobs.filter(({ job }) => job.steps.some(({ with: inputs }) => inputs.save));
  assertEquals(saving.map(({ where }) => where), ["bench.yml, job tools", "check.yml, job tools"]);
  for (const { where, job: { steps } } of saving) {
    const [checkout, own, ...others] = steps.map(({ uses }) => uses?.replace(/@.*/, ""));
    assertEquals([checkout, own], ["actions/checkout", "./.github/actions/setup"], where);
    assertEquals(others, [], where);
  }
  const declared = jobs.filter(({ job }) => job["cache-mode"] !== undefined);
  assertEquals(
    declared.map(({ where, job }) => [where, job["cache-mode"]]),
    saving.map(({ where }) => [where, "write"]),
  );
  const save = steps.find(({ step: { uses } }) => uses?.startsWith("actions/cache/save@"));
  assertMatch(String(save?.step.if), / && inputs\.save == 'true' && /);
});

Deno.test("jobs share tools only if they get the database in the same way", () => {
  const key = steps.find(({ step: { uses } }) => uses?.startsWith("actions/cache/restore@"));
  assertMatch(String(key?.step.with.key), /-\$\{\{ env\.BACKBENCH_DATABASE \|\| 'packages' }}-/);
  assertMatch(texts.get("check.yml")!, /^env:\n(?: {2}.*\n)* {2}BACKBENCH_DATABASE: packages$/m);
  assertEquals(jobOf("bench.yml", "tools").env.BACKBENCH_DATABASE, "docker");
});

Deno.test("the tools' cache is keyed by files that exist", async () => {
  const patterns = [...texts.get(setup)!.matchAll(/'(bench\/[^']+)'/g)].map(([, path]) => path!);
  assert(patterns.includes("bench/deno.sh"), patterns.join());
  for (const pattern of patterns) await Deno.stat(join(root, pattern.replace(/\/\*\*$/, "")));
});

Deno.test("no failure of a step is hidden", () => {
  for (const [where, text] of texts) {
    assertEquals(/continue-on-error|\|\| true/.test(text), false, where);
  }
});

Deno.test("every job that measures has MySQL from the same place, and no service container", () => {
  const measuring = jobs.filter(({ job }) =>
    job.steps.some((step) => ["bench", "compare"].includes(recipeOf(step) ?? ""))
  );
  assertEquals(measuring.map(({ where, job }) => [where, job.env.BACKBENCH_DATABASE]), [
    ["measure.yml, job measure", "docker"],
    ["pull-request.yml, job measure", "docker"],
  ]);
  for (const [where, text] of texts) {
    assertEquals(/services:|DATABASE_URL/.test(text), false, where);
  }
});

Deno.test("jobs that run again find the artifacts of earlier attempts, and touched implementations their base", () => {
  for (
    const [file, id] of [
      ["bench.yml", "publish"],
      ["bench.yml", "alert"],
      ["comment.yml", "post"],
    ] as const
  ) {
    const { permissions, steps } = jobOf(file, id);
    const [download] = steps.filter(({ uses }) => uses?.startsWith("actions/download-artifact@"));
    assertEquals(download?.with["run-id"], "${{ github.run_id }}", id);
    assertEquals(download?.with["github-token"], "${{ github.token }}", id);
    assertEquals(permissions.actions, "read", id);
  }
  const [checkout] = jobOf("bench.yml", "list").steps;
  assertEquals(checkout?.with["fetch-depth"], 0);
});

Deno.test("a machine of an owner neither restores nor saves tools", () => {
  const cached = steps.filter(({ step }) => step.uses?.startsWith("actions/cache/"));
  assertEquals(cached.length, 2);
  for (const { step } of cached) {
    assert(String(step.if).startsWith("runner.environment == 'github-hosted'"), step.name);
  }
});
