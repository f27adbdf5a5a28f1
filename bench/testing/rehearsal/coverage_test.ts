import { assertEquals } from "@std/assert";
import { join } from "@std/path";
import { readWorkflowFiles } from "../workflow_files.ts";
import { readMessages, readSteps } from "./act.ts";
import { listSteps } from "./coverage.ts";

const log = [
  { job: "Bench/List ", jobID: "list", msg: "⭐ Run Main List what is measured" },
  { job: "Bench/List ", jobID: "list", msg: "  ✅  Success - Main List what is measured [2.6s]" },
  { job: "M/M/go ", jobID: "measure", msg: "  ❌  Failure - Main Measure [1m2.5s]" },
  { job: "M/M/go ", jobID: "measure", msg: "  ✅  Success - Post actions/checkout@1 [3ms]" },
  { msg: "Start server" },
].map((line) => JSON.stringify(line)).join("\n") + "\nno JSON\n";

Deno.test("readSteps() reads which steps ran from act's log, and whether they were good", () => {
  assertEquals(readSteps(log), [
    { jobId: "list", step: "List what is measured", isGood: true, seconds: 2.6 },
    { jobId: "measure", step: "Measure", isGood: false, seconds: 62.5 },
  ]);
  assertEquals(readMessages(log).slice(-2), ["[] Start server", "no JSON"]);
});

Deno.test("listSteps() names each step of each workflow, also of a called one, that ran or never did", async () => {
  const root = await Deno.makeTempDir();
  try {
    const write = async (path: string, text: string) => {
      await Deno.mkdir(join(root, path, ".."), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    };
    const job = (id: string, ...lines: string[]) =>
      `  ${id}:\n    permissions: {}\n${lines.map((line) => `    ${line}\n`).join("")}`;
    await write(
      ".github/workflows/bench.yml",
      "permissions: {}\njobs:\n" +
        job("list", "steps:", "  - name: List what is measured", "    run: x") +
        job("bench", "uses: ./.github/workflows/measure.yml"),
    );
    const measure = job("measure", "steps:", "  - name: Measure", "  - name: Keep it");
    await write(".github/workflows/measure.yml", `permissions: {}\njobs:\n${measure}`);
    await write(".github/workflows/pull-request.yml", `permissions: {}\njobs:\n${measure}`);
    await write(".github/actions/setup/action.yml", "runs:\n  steps:\n    - run: y\n");
    const files = await readWorkflowFiles(root);
    assertEquals(listSteps(files, new Map([["bench.yml", readSteps(log)]])), [
      "ran 3 s  bench.yml, job list: List what is measured",
      "failed 63 s  measure.yml, job measure: Measure",
      "never ran  measure.yml, job measure: Keep it",
      "never ran  pull-request.yml, job measure: Measure",
      "never ran  pull-request.yml, job measure: Keep it",
      "never ran  .github/actions/setup/action.yml: y",
    ]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
