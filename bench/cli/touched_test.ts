import { assertEquals, assertRejects } from "@std/assert";
import { dirname, join } from "@std/path";
import { BenchError } from "../lib/error.ts";
import { git } from "../lib/git.ts";
import { allowedJobs, findTouchedImpls, jobsOfChange, touchedIds } from "./touched.ts";

const ids = ["deno", "deno-fresh", "rust"];

Deno.test("touchedIds() names each implementation with a changed file once", () => {
  const paths = ["impls/rust/src/main.rs", "impls/rust/Cargo.lock", "README.md"];
  assertEquals(touchedIds(paths, ids), ["rust"]);
});

Deno.test("touchedIds() does not take an implementation for one whose name it begins with", () => {
  assertEquals(touchedIds(["impls/deno-fresh/main.ts"], ids), ["deno-fresh"]);
});

Deno.test("touchedIds() leaves out what the change removed, and files beside implementations", () => {
  assertEquals(touchedIds(["impls/gone/impl.toml", "impls/README.md"], ids), []);
});

Deno.test("touchedIds() names all when something changed that all are measured with", () => {
  for (
    const path of [
      "bench/tools/oha.ts",
      "seed.sql",
      "deno.lock",
      "rust-toolchain.toml",
    ]
  ) {
    assertEquals(touchedIds([path], ids), ids, path);
  }
  assertEquals(touchedIds(["site/bench/x.md", "benchmarks.md", "site/seed.sql"], ids), []);
});

const identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];

/** Makes a repository whose branch `main` has `deno` and `rust`, and on it a branch with more commits. */
async function makeRepository(root: string, changes: Record<string, string>): Promise<void> {
  const run = (...args: string[]) => git(root, ...identity, ...args);
  const commit = async (files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      await Deno.mkdir(dirname(join(root, path)), { recursive: true });
      await Deno.writeTextFile(join(root, path), text);
    }
    await run("add", "--all");
    await run("commit", "--quiet", "--message=test");
  };
  await run("init", "--quiet", "--initial-branch=main");
  const scenarios = 'scenarios = ["jwt-mysql"]';
  await commit({
    "impls/deno/impl.toml": scenarios,
    "impls/rust/impl.toml": scenarios,
    "bench/impl/ecosystems/go.ts": "1",
  });
  await run("checkout", "--quiet", "-b", "change");
  await commit(changes);
  await run("checkout", "--quiet", "main");
  await commit({ "impls/rust/impl.toml": "2" });
  await run("checkout", "--quiet", "change");
}

async function touchedBy(changes: Record<string, string>, base = "main") {
  const root = await Deno.makeTempDir();
  try {
    await makeRepository(root, changes);
    return await findTouchedImpls(root, base);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

const inBase = { scenariosInBase: ["jwt-mysql"] };

Deno.test("findTouchedImpls() tells what is new, and leaves out what only the base changed", async () => {
  const both = 'scenarios = ["jwt-mysql", "hello"]';
  assertEquals(await touchedBy({ "impls/deno/impl.toml": both, "impls/go/impl.toml": both }), [
    { id: "deno", ...inBase },
    { id: "go", scenariosInBase: [] },
  ]);
});

Deno.test("findTouchedImpls() finds no scenario in the manifest of a base that has none, or is damaged", async () => {
  for (const manifest of ['name = "Deno"', "[", "scenarios = 1"]) {
    const root = await Deno.makeTempDir();
    try {
      await makeRepository(root, { "impls/deno/impl.toml": manifest });
      await git(root, "branch", "--force", "main");
      await Deno.writeTextFile(join(root, "impls/deno/a"), "");
      await git(root, "add", "impls");
      await git(root, ...identity, "commit", "--quiet", "--message=test");
      const none = [{ id: "deno", scenariosInBase: [] }];
      assertEquals(await findTouchedImpls(root, "main"), none, manifest);
    } finally {
      await Deno.remove(root, { recursive: true });
    }
  }
});

Deno.test("findTouchedImpls() takes a new language for no change of the others, and a changed one for a change of all", async () => {
  const added = {
    "impls/phoenix/impl.toml": 'scenarios = ["jwt-mysql"]',
    "bench/impl/ecosystems/elixir.ts": "1",
    "bench/impl/ecosystems/elixir_test.ts": "1",
  };
  assertEquals(await touchedBy(added), [{ id: "phoenix", scenariosInBase: [] }]);
  const changed = await touchedBy({ ...added, "bench/impl/ecosystems/go.ts": "2" });
  assertEquals(changed.map(({ id }) => id), ["deno", "phoenix", "rust"]);
});

Deno.test("findTouchedImpls() reads paths that git would quote", async () => {
  const changes = { 'impls/deno/a "ü"\n.ts': "1" };
  assertEquals(await touchedBy(changes), [{ id: "deno", ...inBase }]);
});

Deno.test("findTouchedImpls() refuses a touched folder whose name could be more than a word", async () => {
  await assertRejects(
    () => touchedBy({ "impls/$(reboot)/impl.toml": "1" }),
    BenchError,
    'Cannot use "impls/$(reboot)" as an implementation: its name is "$(reboot)", expected a ' +
      "lower-case letter, then lower-case letters, digits and hyphens",
  );
});

Deno.test("findTouchedImpls() names all where the base is a commit that is not there, as after a forced push", async () => {
  const all = ["deno", "rust"].map((id) => ({ id, scenariosInBase: [] }));
  for (const base of ["0".repeat(40), "1".repeat(40)]) {
    assertEquals(await touchedBy({ "impls/deno/main.ts": "1" }, base), all, base);
  }
});

Deno.test("findTouchedImpls() names none where somebody named a base that is not there", async () => {
  for (const base of ["mian", "0".repeat(7), "v1.0.0"]) {
    await assertRejects(() => touchedBy({ "impls/deno/main.ts": "1" }, base), BenchError);
  }
});

Deno.test("findTouchedImpls() takes no option for a base", async () => {
  await assertRejects(() => touchedBy({ "impls/deno/a": "1" }, "--output=x"), BenchError);
});

Deno.test("jobsOfChange() measures and compares at once, and measures both where nothing is compared", () => {
  const entryOf = (impl: string, scenario: string) => ({ impl, scenario, setup: {} });
  const entries = ["hello", "delay", "insert"].map((scenario) => entryOf("deno", scenario));
  const touched = [
    { id: "deno", scenariosInBase: ["hello", "delay"] },
    { id: "go", scenariosInBase: [] },
  ];
  const jobs = jobsOfChange([...entries, entryOf("go", "hello")], touched, ["hello", "insert"]);
  assertEquals(jobs.map(({ impl, scenario, task }) => `${task} ${impl}, ${scenario}`), [
    "measure deno, hello",
    "compare deno, hello",
    "measure-both deno, delay",
    "measure deno, insert",
    "measure go, hello",
  ]);
  assertEquals(allowedJobs(jobs), jobs);
});

Deno.test("allowedJobs() leaves out comparisons where GitHub does not allow so many jobs", () => {
  const jobs = Array.from({ length: 150 }, (_, index) => {
    const entry = { impl: `i${index}`, scenario: "hello", setup: {} };
    return (["measure", "compare"] as const).map((task) => ({ ...entry, task }));
  }).flat();
  assertEquals(allowedJobs(jobs), jobs.filter(({ task }) => task === "measure"));
  assertEquals(allowedJobs(jobs.slice(0, 256)).length, 256);
});
