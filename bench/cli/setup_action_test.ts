/** What CI sets up: the action is written by hand, and what it is given follows from the ecosystems. */
import { assertEquals } from "@std/assert";
import { foldersOf } from "./folders.ts";
import { makeMatrix } from "./matrix.ts";
import { ecosystemNames, loadEcosystem } from "../impl/ecosystems.ts";
import { readActionSteps, readWorkflow } from "./workflow_file.ts";

const { root, impls } = foldersOf();
const action = "./.github/actions/setup";

Deno.test("the setup action sets up each toolchain that has a release for CI, and no other", async () => {
  const names: string[] = [];
  for (const name of ecosystemNames) {
    if ((await loadEcosystem(name)).ciRelease !== undefined) names.push(name);
  }
  const steps = await readActionSteps(root, action);
  const conditions = steps.map((step) => String(step.if ?? ""))
    .filter((condition) => condition.includes("inputs."));
  assertEquals(conditions, names.map((name) => `fromJSON(inputs.setup).${name}`));
});

Deno.test("each job of a matrix hands its toolchains on, and the tests get those of all", async () => {
  const { include } = await makeMatrix(impls, []);
  const all = JSON.stringify(Object.assign({}, ...include.map(({ setup }) => setup)));
  const given: string[] = [];
  for await (const { name: file } of Deno.readDir(`${root}/.github/workflows`)) {
    if (!file.endsWith(".yml")) continue;
    const { jobs } = await readWorkflow(root, file.slice(0, -".yml".length));
    for (const [id, { steps, strategy }] of Object.entries(jobs)) {
      for (const { uses, with: inputs } of steps) {
        if (uses !== action) continue;
        const expected = strategy !== undefined
          ? "${{ toJSON(matrix.setup) }}"
          : id === "test"
          ? all
          : undefined;
        assertEquals(inputs.setup, expected, `${file}, job ${id}`);
        given.push(id);
      }
    }
  }
  assertEquals(given.includes("test"), true);
});
