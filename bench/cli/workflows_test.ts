/** What must hold of every workflow and action, whoever writes it, and what neither actionlint nor zizmor knows. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { join } from "@std/path";
import { recipesWithService } from "./ci.ts";
import { foldersOf } from "./folders.ts";
import { publisher } from "../github/git.ts";
import { suiteNames, tools } from "../github/publish/benchmark_data.ts";
import { type Job, readWorkflowFiles, type Step } from "../testing/workflow_files.ts";

const { root } = foldersOf();
const { texts, workflows, jobs, steps } = await readWorkflowFiles(root);
const setup = ".github/actions/setup/action.yml";

function jobOf(file: string, id: string): Job {
  return workflows.get(file)!.jobs[id]!;
}

/** The command and its words, of a step that runs a recipe. */
function recipeOf({ run = "" }: Step): string | undefined {
  return /^npx --yes rust-just@\S+ ([a-z-]+)/.exec(run)?.[1];
}

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
    if (run === undefined) continue;
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
  assert(found.includes("all-passed"), found.join());
});

Deno.test("a job that measures, verifies, checks or tests does what `just ci` does: set up, then run a recipe", async () => {
  const justfile = await Deno.readTextFile(join(root, "justfile"));
  assertMatch(
    justfile,
    /^ci \+recipe: setup\n {4}@\{\{ harness \}\} ci "\{\{ just_executable\(\) \}\}" "\$@"$/m,
  );
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
    assertEquals(recipes.filter((name) => name !== "compare").length, 1, `${where}: ${recipes}`);
  }
});

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

const notInFork = "(!github.event.repository.fork || vars.MEASURE_IN_FORK == 'true') && ";

Deno.test("only the default branch is measured and published, and none of a fork unasked", () => {
  const { list, ...others } = workflows.get("bench.yml")!.jobs;
  assertEquals(
    list?.if,
    `${notInFork}(github.event_name != 'workflow_dispatch' || ` +
      "github.ref == format('refs/heads/{0}', github.event.repository.default_branch))",
  );
  // The event of a schedule does not hold the repository.
  assertEquals(texts.get("bench.yml")?.match(/event\.repository/g)?.length, 2);
  // A job without a condition is skipped with the one that it needs; the others look at its outcome.
  for (const [id, { if: own, needs }] of Object.entries(others)) {
    const looksAt = needs.filter((need) =>
      [`needs.${need}.result`, `needs.${need}.outputs.published`].some((it) =>
        String(own).includes(it)
      )
    );
    assert(needs.length > 0 && (own === undefined || looksAt.length > 0), id);
  }
  // What it calls runs for nobody else.
  assertMatch(texts.get("measure.yml")!, /^on:\n {2}workflow_call:\n(?: {4}.*\n)+\npermissions/m);
});

Deno.test("what was measured for tests is not published", () => {
  assertMatch(String(jobOf("bench.yml", "publish").if), / && inputs\.profile != 'smoke' }}$/);
});

Deno.test("the site follows a change of its own, and is deployed once after a publication", () => {
  const { deploy } = workflows.get("deploy.yml")!.jobs;
  assertEquals(
    deploy?.if,
    `${notInFork}github.event.head_commit.author.email != '${publisher.email}'`,
  );
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

Deno.test("every job that must pass before a merge runs for a merge queue, too", () => {
  assertMatch(texts.get("check.yml")!, /^ {2}merge_group:$/m);
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

Deno.test("no job that can write sets up tools from a cache, or runs an implementation", () => {
  for (const { where, job } of jobs.filter(({ job }) => canWrite(job))) {
    // Its own job is among these.
    if (job.uses !== undefined) assertEquals(job.uses, "./.github/workflows/deploy.yml", where);
    for (const step of job.steps) {
      assertEquals(/^\.\/|^actions\/cache[/@]/.test(step.uses ?? ""), false, where);
      // Code of others, but for what GitHub itself publishes.
      assertMatch(step.uses ?? "actions/", /^actions\//, where);
      const recipe = recipeOf(step) ?? "";
      assertEquals(["bench", "ci", "compare", "verify", "test"].includes(recipe), false, where);
    }
  }
});

Deno.test("no job that runs an implementation is given a token or a secret, nor a right beyond reading", () => {
  const measuring = jobs.filter(({ job }) =>
    job.steps.some((step) => ["bench", "compare", "verify", "test"].includes(recipeOf(step) ?? ""))
  );
  assertEquals(measuring.map(({ where }) => where), [
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

Deno.test("what jobs leave is downloaded into a folder of its name, also where one alone left something", () => {
  const artifactsOf = (job: Job, action: string, key: "name" | "pattern") =>
    job.steps.filter(({ uses }) => uses?.startsWith(`actions/${action}-artifact@`))
      .map(({ with: inputs }) => inputs[key]);
  assertEquals(artifactsOf(jobOf("bench.yml", "list"), "upload", "name"), ["list"]);
  const named = [
    "${{ inputs.kind }}-${{ matrix.scenario }}-${{ matrix.impl }}.${{ matrix.replica }}",
  ];
  assertEquals(artifactsOf(jobOf("measure.yml", "measure"), "upload", "name"), named);
  const pairs = [["bench", "publish", "result"], ["rerun", "alert", "rerun"]] as const;
  for (const [measuring, reading, kind] of pairs) {
    assertEquals(jobOf("bench.yml", measuring).with.kind, kind);
    const patterns = artifactsOf(jobOf("bench.yml", reading), "download", "pattern");
    assertEquals(patterns, [`{list,${kind}-*}`]);
  }
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

Deno.test("the tools' cache is keyed by files that exist", async () => {
  const patterns = [...texts.get(setup)!.matchAll(/'(bench\/[^']+)'/g)].map(([, path]) => path!);
  assert(patterns.includes("bench/deno.sh"), patterns.join());
  for (const pattern of patterns) await Deno.stat(join(root, pattern.replace(/\/\*\*$/, "")));
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
    const total = limits.reduce((sum, minutes) => sum + minutes, restMinutes);
    assert(total <= job["timeout-minutes"]!, `${where}: ${limits.join()}`);
  }
  assertEquals(found, ["measure.yml, job measure", "pull-request.yml, job measure"]);
});

Deno.test("the second measurement is made as the first", () => {
  const [bench, rerun] = ["bench", "rerun"].map((id) => jobOf("bench.yml", id));
  assertEquals(bench!.uses, "./.github/workflows/measure.yml");
  assertEquals(rerun!.uses, bench!.uses);
  assertEquals(rerun!.with.profile, bench!.with.profile);
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

/** Of a job that was skipped, nothing is looked at: its outputs may be anything. */
const publishedAny = "${{ !cancelled() && needs.publish.result != 'skipped' && " +
  "needs.publish.outputs.published != '' }}";

Deno.test("what is published goes on to be compared, also when an artifact was damaged", () => {
  const { steps, outputs } = jobOf("bench.yml", "publish");
  assertEquals(steps.find((step) => recipeOf(step) === "commit-run")?.id, "commit");
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

Deno.test("no failure of a step is hidden", () => {
  for (const [where, text] of texts) {
    assertEquals(/continue-on-error|\|\| true/.test(text), false, where);
  }
});

Deno.test("no checkout leaves its token behind", () => {
  for (const { where, step } of steps) {
    // The one job that pushes needs it.
    if (!step.uses?.startsWith("actions/checkout@") || where === "bench.yml, job publish") continue;
    assertEquals(step.with["persist-credentials"], false, where);
  }
});

Deno.test("every path that has an owner exists", async () => {
  const lines = (await Deno.readTextFile(join(root, ".github", "CODEOWNERS"))).split("\n");
  const paths = lines.filter((line) => line.startsWith("/")).map((line) => line.split(/\s/)[0]!);
  assert(paths.length > 5);
  for (const path of paths) await Deno.stat(join(root, path));
});

Deno.test("every job with a database has the same one", () => {
  const databases = jobs.filter(({ job }) => job.services.mysql !== undefined);
  const recipes = databases.flatMap(({ job }) => job.steps.map(recipeOf)).filter((name) => name);
  // What `just ci` gives an empty database to.
  assertEquals([...new Set(recipes)].sort(), [...recipesWithService].sort());
  assertEquals(databases.map(({ file }) => file), ["measure.yml", "pull-request.yml"]);
  assertEquals(new Set(databases.map(({ job }) => JSON.stringify(job.services.mysql))).size, 1);
});
