/** What CI sets up: the action is written by hand, and what it is given follows from the ecosystems. */
import { assertEquals } from "@std/assert";
import { foldersOf } from "./folders.ts";
import { makeMatrix } from "./matrix.ts";
import { ecosystemNames, loadEcosystem } from "../impl/ecosystems.ts";
import { readWorkflowFiles } from "../testing/workflow_files.ts";

const { root, impls } = foldersOf();
const { jobs, steps } = await readWorkflowFiles(root);

Deno.test("the setup action sets up each toolchain that has a release for CI, and no other", async () => {
  const names: string[] = [];
  for (const name of ecosystemNames) {
    if ((await loadEcosystem(name)).ciRelease !== undefined) names.push(name);
  }
  const conditions = steps.filter(({ where }) => where === ".github/actions/setup/action.yml")
    .map(({ step }) => String(step.if ?? ""))
    .filter((condition) => condition.includes("inputs.setup"));
  assertEquals(conditions, names.map((name) => `fromJSON(inputs.setup).${name}`));
});

Deno.test("each job of a matrix hands its toolchains on, and checks and tests get those of all", async () => {
  const entries = await makeMatrix(impls, []);
  // Formatters and linters of every language, and tests that start its implementations.
  const needAll = ["check", "test"];
  const all = JSON.stringify(Object.assign({}, ...entries.map(({ setup }) => setup)));
  const given: string[] = [];
  for (const { where, id, job: { steps, strategy } } of jobs) {
    for (const { uses, with: inputs } of steps) {
      if (uses !== "./.github/actions/setup") continue;
      const expected = strategy !== undefined
        ? "${{ toJSON(matrix.setup) }}"
        : needAll.includes(id)
        ? all
        : undefined;
      assertEquals(inputs?.setup, expected, where);
      given.push(id);
    }
  }
  assertEquals(needAll.filter((id) => !given.includes(id)), []);
});
