/** What must hold of every workflow and action, whoever writes it, and what neither actionlint nor zizmor knows. */
import { assert, assertEquals } from "@std/assert";
import { basename, join } from "@std/path";
import { foldersOf } from "./folders.ts";
import { suiteNames, tools } from "../github/publish/benchmark_data.ts";
import { readActionSteps, readWorkflow, type Step } from "./workflow_file.ts";

const { root } = foldersOf();

/** The commits behind the release tags of the actions, looked up in their repositories. */
const pins: Record<string, [version: string, commit: string]> = {
  "actions/cache/restore": ["v5.0.5", "27d5ce7f107fe9357f9df03efb73ab90386fccae"],
  "actions/cache/save": ["v5.0.5", "27d5ce7f107fe9357f9df03efb73ab90386fccae"],
  "actions/checkout": ["v7.0.1", "3d3c42e5aac5ba805825da76410c181273ba90b1"],
  "actions/configure-pages": ["v5.0.0", "983d7736d9b0ae728b81ab479565c72886d7745b"],
  "actions/deploy-pages": ["v5.0.0", "cd2ce8fcbc39b97be8ca5fce6e763baed58fa128"],
  "actions/download-artifact": ["v8.0.1", "3e5f45b2cfb9172054b4087a40e8e0b5a5461e7c"],
  "actions/github-script": ["v8.0.0", "ed597411d8f924073f98dfc5c65a23a2325f34cd"],
  "actions/setup-java": ["v5.7.0", "b6effb05e454b25005698d916606bdc6ffcbf961"],
  "actions/upload-artifact": ["v7.0.0", "bbbca2ddaa5d8feaa63e36b76fdaad77386f024f"],
  "actions/upload-pages-artifact": ["v5.0.0", "fc324d3547104276b827a68afc52ff2a11cc49c9"],
  "benchmark-action/github-action-benchmark": [
    "v1.22.0",
    "a60cea5bc7b49e15c1f58f411161f99e0df48372",
  ],
};

/** The release of just that workflows run; people run the newest. */
const justVersion = "1.57.0";

const workflowsFolder = join(root, ".github", "workflows");
const workflowNames = (await Array.fromAsync(Deno.readDir(workflowsFolder), ({ name }) => name))
  .filter((name) => name.endsWith(".yml")).map((name) => basename(name, ".yml")).sort();
const actions = (await Array.fromAsync(
  Deno.readDir(join(root, ".github", "actions")),
  ({ name }) => `./.github/actions/${name}`,
)).sort();
const texts = new Map<string, string>();
for (const name of workflowNames) {
  texts.set(name, await Deno.readTextFile(join(workflowsFolder, `${name}.yml`)));
}
for (const path of actions) {
  texts.set(path, await Deno.readTextFile(join(root, path, "action.yml")));
}

/** Every step of every job and action, with where it stands. */
async function* allSteps(): AsyncGenerator<{ where: string; step: Step }> {
  for (const name of workflowNames) {
    for (const [id, job] of Object.entries((await readWorkflow(root, name)).jobs)) {
      for (const step of job.steps) yield { where: `${name}.yml, job ${id}`, step };
    }
  }
  for (const path of actions) {
    for (const step of await readActionSteps(root, path)) yield { where: path, step };
  }
}

Deno.test("every action of others is pinned to the commit of a known release, named in a comment", () => {
  for (const [where, text] of texts) {
    const lines = text.split("\n").filter((line) => /^\s*(- )?uses:/.test(line));
    assert(lines.length > 0, where);
    for (const line of lines) {
      if (/uses: \.\//.test(line)) continue;
      const [, action, commit, version] = /uses: ([^@]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)$/
        .exec(line) ?? [];
      assertEquals([version, commit], pins[action ?? ""], `${where}: ${line.trim()}`);
    }
  }
});

Deno.test("no expression stands in the shell text of a step", async () => {
  for await (const { where, step } of allSteps()) {
    assertEquals(step.run?.includes("${{") ?? false, false, `${where}: ${step.run}`);
  }
});

Deno.test("every step that runs something runs one recipe that exists", async () => {
  const justfile = await Deno.readTextFile(join(root, "justfile"));
  const recipes = [...justfile.matchAll(/^([a-z][a-z-]*)( [^:=]+)?:(?!=)/gm)].map(([, name]) =>
    name
  );
  assert(recipes.includes("bench") && recipes.includes("setup"), recipes.join());
  for await (const { where, step } of allSteps()) {
    if (step.run === undefined) continue;
    const [, version, recipe] =
      /^npx --yes rust-just@(\S+) ([a-z-]+)( "\$[A-Z_]+"| --?[a-z-]+| [a-z/-]+)*\n?$/
        .exec(step.run) ?? [];
    assert(recipes.includes(recipe ?? ""), `${where}: ${step.run}`);
    assertEquals(version, justVersion, `${where}: ${step.run}`);
  }
});

Deno.test("every workflow starts without permissions, every job says its own, its time limit and its image", async () => {
  for (const name of workflowNames) {
    const { permissions, jobs } = await readWorkflow(root, name);
    assertEquals(permissions, {}, name);
    for (const [id, job] of Object.entries(jobs)) {
      const where = `${name}.yml, job ${id}`;
      assert(job.permissions !== undefined, where);
      assert(job["timeout-minutes"] !== undefined, where);
      assertEquals(job["runs-on"], "ubuntu-24.04", where);
      if (job.strategy !== undefined) assertEquals(job.strategy["fail-fast"], false, where);
    }
  }
});

Deno.test("no job can write more than this", async () => {
  const writes: string[] = [];
  for (const name of workflowNames) {
    for (const [id, { permissions }] of Object.entries((await readWorkflow(root, name)).jobs)) {
      const names = Object.entries(permissions ?? {})
        .filter(([, right]) => right !== "read").map(([scope]) => scope).sort();
      if (names.length > 0) writes.push(`${name}.yml, job ${id}: ${names.join(", ")}`);
    }
  }
  assertEquals(writes, [
    "bench.yml, job publish: contents",
    "bench.yml, job deploy: id-token, pages",
    "bench.yml, job alert: issues",
    "comment.yml, job post: pull-requests",
  ]);
});

Deno.test("only the default branch is measured and published", async () => {
  const { jobs } = await readWorkflow(root, "bench");
  const { list, ...others } = jobs;
  assertEquals(
    list?.if,
    "github.event_name != 'workflow_dispatch' || " +
      "github.ref == format('refs/heads/{0}', github.event.repository.default_branch)",
  );
  // The event of a schedule does not hold it.
  assertEquals(texts.get("bench")?.match(/event\.repository/g)?.length, 1);
  // A job without a condition is skipped with the one that it needs; the others look at its result.
  for (const [id, { if: own, needs }] of Object.entries(others)) {
    const looksAt = needs.filter((need) => String(own).includes(`needs.${need}.result`));
    assert(needs.length > 0 && (own === undefined || looksAt.length > 0), id);
  }
});

Deno.test("the job that publishes alone is given the key, from an environment", async () => {
  const { environment, steps } = (await readWorkflow(root, "bench")).jobs.publish!;
  assertEquals(environment, "publish");
  assertEquals(steps[0]?.with["ssh-key"], "${{ secrets.PUBLISH_KEY }}");
  for (const [where, text] of texts) {
    const named = [...text.matchAll(/\bsecrets\b[^ }]*/g)].map(([name]) => name);
    assertEquals(named, where === "bench" ? ["secrets.PUBLISH_KEY"] : [], where);
  }
});

Deno.test("no job that can write sets up tools from a cache, or runs an implementation", async () => {
  for (const name of workflowNames) {
    for (const [id, job] of Object.entries((await readWorkflow(root, name)).jobs)) {
      const where = `${name}.yml, job ${id}`;
      if (Object.values(job.permissions ?? {}).every((right) => right === "read")) continue;
      for (const { uses = "", run = "" } of job.steps) {
        assertEquals(/^\.\/|^actions\/cache[/@]/.test(uses), false, `${where}: ${uses}`);
        const [, recipe = ""] = /rust-just@\S+ ([a-z-]+)/.exec(run) ?? [];
        assertEquals(["bench", "compare", "verify", "test"].includes(recipe), false, where);
      }
    }
  }
});

Deno.test("what jobs leave is downloaded into a folder of its name, also where one alone left something", async () => {
  const { list, publish, alert, bench, rerun } = (await readWorkflow(root, "bench")).jobs;
  const artifactsOf = (job: typeof list, action: string, key: "name" | "pattern") =>
    (job?.steps ?? []).filter(({ uses }) => uses?.startsWith(`actions/${action}-artifact@`))
      .map(({ with: inputs }) => inputs[key]);
  assertEquals(artifactsOf(list, "upload", "name"), ["list"]);
  assertEquals(artifactsOf(bench, "upload", "name"), ["result-${{ matrix.impl }}"]);
  assertEquals(artifactsOf(rerun, "upload", "name"), ["rerun-${{ matrix.impl }}"]);
  assertEquals(artifactsOf(publish, "download", "pattern"), ["{list,result-*}"]);
  assertEquals(artifactsOf(alert, "download", "pattern"), ["{list,rerun-*}"]);
});

Deno.test("tools are cached before any implementation's code runs, and not after it", async () => {
  for await (const { where, step: { uses = "", with: inputs } } of allSteps()) {
    // It saves when the job ends.
    assertEquals(uses.startsWith("actions/cache@"), false, where);
    if (uses.startsWith("actions/setup-java@")) assertEquals(inputs.cache, undefined, where);
  }
  const steps = await readActionSteps(root, "./.github/actions/setup");
  assertEquals(steps.slice(-3).map(({ uses, run }) => (uses ?? run)?.replace(/@\S+/, "")), [
    "actions/cache/restore",
    "npx --yes rust-just setup",
    "actions/cache/save",
  ]);
  const [restore, , save] = steps.slice(-3);
  assertEquals(save?.with.path, restore?.with.path);
});

Deno.test("a job that leaves a result ends its measurements before it is ended itself", async () => {
  // To set up without a cache, and to upload.
  const restMinutes = 20;
  const jobs: string[] = [];
  for (const name of workflowNames) {
    for (const [id, job] of Object.entries((await readWorkflow(root, name)).jobs)) {
      const uploads = job.steps.some(({ uses }) => uses?.startsWith("actions/upload-artifact@"));
      const measures = job.steps.filter(({ run }) => / (bench|compare) "\$IMPL"/.test(run ?? ""));
      if (!uploads || measures.length === 0) continue;
      jobs.push(id);
      const limits = measures.map((step) => step["timeout-minutes"] ?? Infinity);
      const total = limits.reduce((sum, minutes) => sum + minutes, restMinutes);
      assert(total <= (job["timeout-minutes"] ?? 0), `${name}.yml, job ${id}: ${limits.join()}`);
    }
  }
  assertEquals(jobs, ["bench", "rerun", "measure"]);
});

Deno.test("the second measurement is made as the first", async () => {
  const { bench, rerun } = (await readWorkflow(root, "bench")).jobs;
  const comparable = (job: typeof bench) => {
    const { permissions, services, steps, strategy, ...rest } = job!;
    const text = JSON.stringify({ permissions, services, steps, limit: rest["timeout-minutes"] });
    assert(strategy !== undefined);
    return text.replace(/needs\.\w+\.outputs\.run-id/, "(run id)")
      .replace(/"name":"\w+-\$\{\{ matrix.impl \}\}"/, "(artifact)");
  };
  assertEquals(comparable(rerun), comparable(bench));
});

Deno.test("github-action-benchmark compares with our baseline, keeps nothing, and alerts nobody", async () => {
  const { steps } = (await readWorkflow(root, "bench")).jobs.publish!;
  const compared = steps.filter(({ uses }) => uses?.startsWith("benchmark-action/"));
  for (const [index, direction] of (["bigger", "smaller"] as const).entries()) {
    const given = `!cancelled() && steps.data.outputs.${direction} != ''`;
    assertEquals(compared[index]?.if, `\${{ ${given} }}`);
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

Deno.test("what is published goes on to be compared, also when an artifact was damaged", async () => {
  const { steps } = (await readWorkflow(root, "bench")).jobs.publish!;
  const [data, ...others] = steps.filter(({ run }) => run?.includes(" benchmark-data "));
  assertEquals(others, []);
  assertEquals(data?.if, "${{ !cancelled() && steps.commit.outputs.published != '' }}");
  const commit = steps.find(({ run }) => run?.includes(" commit-run "));
  assertEquals([commit?.id, data?.id], ["commit", "data"]);
});

Deno.test("the job that looks for regressions may read which levels were accepted", async () => {
  const { permissions, steps } = (await readWorkflow(root, "bench")).jobs.regressions!;
  assertEquals(permissions?.issues, "read");
  const step = steps.find(({ run }) => run?.includes(" regressions "));
  assertEquals(step?.env.GITHUB_TOKEN, "${{ github.token }}");
});

Deno.test("no failure of a step is hidden", () => {
  for (const [where, text] of texts) {
    assertEquals(/continue-on-error|\|\| true/.test(text), false, where);
  }
});

Deno.test("no checkout leaves its token behind", async () => {
  for await (const { where, step } of allSteps()) {
    // The one job that pushes needs it.
    if (!step.uses?.startsWith("actions/checkout@") || where === "bench.yml, job publish") continue;
    assertEquals(step.with["persist-credentials"], false, where);
  }
});

Deno.test("every job with a database has the same one", async () => {
  const databases = new Map<string, string>();
  for (const name of workflowNames) {
    for (const [id, { services }] of Object.entries((await readWorkflow(root, name)).jobs)) {
      if (services.mysql !== undefined) {
        databases.set(`${name}.yml, job ${id}`, JSON.stringify(services.mysql));
      }
    }
  }
  assertEquals(new Set(databases.values()).size, 1, [...databases.keys()].join());
});
