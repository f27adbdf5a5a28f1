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
  // In any order: what runs on another toolchain is set up after that.
  assertEquals(conditions.sort(), names.map((name) => `fromJSON(inputs.setup).${name}`).sort());
});

/** Returns the highest release of each toolchain: what runs on a lower one runs on that, too. */
function highestReleases(setups: readonly Record<string, string>[]): Record<string, string> {
  const { compare } = new Intl.Collator("en", { numeric: true });
  const highest: Record<string, string> = {};
  for (const [name, release] of setups.flatMap((setup) => Object.entries(setup))) {
    if (compare(release, highest[name] ?? "") > 0) highest[name] = release;
  }
  return highest;
}

Deno.test("highestReleases() compares numbers, whichever comes last", () => {
  const javas = ["25", "26", "9"].map((java) => ({ java }));
  const both: Record<string, string>[] = [{ java: "25", elixir: "1.9" }, { elixir: "1.18.4" }];
  assertEquals(highestReleases(javas), { java: "26" });
  assertEquals(highestReleases(both), { java: "25", elixir: "1.18.4" });
});

Deno.test("each job of a matrix hands its toolchains on, and checks and tests get those of all", async () => {
  const entries = await makeMatrix(impls, []);
  // Formatters and linters of every language, and tests that start its implementations.
  const needAll = ["check", "test"];
  const highest = highestReleases(entries.map(({ setup }) => setup));
  const all = JSON.stringify(Object.fromEntries(Object.entries(highest).sort()));
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
