/** What a person may get wrong in files: the exit code, and what the program says, in full. */
import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { repositoryRoot } from "../lib/repository_root.ts";
import { scenarioIds } from "../scenario/ids.ts";
import { readClaims } from "../site/claims/file.ts";
import { exampleResult } from "../testing/example_result.ts";
import { makePlace } from "../testing/place.ts";
import { printedBy, writeOnlyRun } from "../testing/printed.ts";

// Each key of impl.toml and each way to damage it is in discover_test.ts.
Deno.test("a damaged impl.toml ends with 1, and each fault is told in full", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const path = join(place.folders.impls, "honest", "impl.toml");
  const toml = await Deno.readTextFile(path);
  await Deno.writeTextFile(
    path,
    toml.replace(/^class = .*/m, 'class = "fast"').replace(/^driver = .*/m, ""),
  );
  const cannot = 'Cannot parse "<root>/impls/honest/impl.toml": ';
  const stderr = `${cannot}key "class" is "fast", expected one of standard, tuned\n` +
    `${cannot}key "driver" is missing, expected the package that talks to the database: ` +
    "jwt-mysql needs a database";
  for (const line of ["bench honest", "verify honest", "noise honest", "new other --like honest"]) {
    assertEquals(await printedBy(place, line), { code: 1, stdout: "", stderr });
  }
});

Deno.test("a damaged result ends with 1, and is told in full", async (t) => {
  await using place = await makePlace();
  const good = exampleResult();
  const change = (values: Record<string, unknown>) => JSON.stringify({ ...good, ...values });
  const ids = scenarioIds.map((id) => `"${id}"`).join("|");
  const expectedScenario = `Invalid option: expected one of ${ids}`;
  const path = `"<root>/runs/${good.runId}/example.json"`;
  const rows: [what: string, text: string, message: string][] = [
    [
      "cut off",
      '{"schemaVersion": 1',
      `Cannot parse ${path}: Expected ',' or '}' after property value in JSON at position 19 (line 1 column 20)`,
    ],
    [
      "of another version",
      change({ schemaVersion: 2 }),
      `Cannot parse ${path}: schemaVersion is 2, expected 1`,
    ],
    [
      "without a key",
      change({ impl: undefined }),
      `Cannot parse ${path}: key "impl": Invalid input: expected object, received undefined`,
    ],
    [
      "with a key of its own",
      change({ extra: 1 }),
      `Cannot parse ${path}: Unrecognized key: "extra"`,
    ],
    [
      "with a wrong value",
      change({ status: "fine" }),
      `Cannot parse ${path}: key "status": Invalid option: expected one of "complete"|"incomplete"|"failed"`,
    ],
    [
      "of an unknown scenario",
      change({ scenario: "nothing" }),
      `Cannot parse ${path}: key "scenario": ${expectedScenario}`,
    ],
    [
      "of another run",
      change({ runId: "20260101T000000Z-2222222" }),
      `Cannot read ${path}: it holds "example" of run "20260101T000000Z-2222222", expected "example" of run "${good.runId}"`,
    ],
  ];
  const help = "Move the file away. To restore a published one: git checkout -- <file>";
  for (const [what, text, message] of rows) {
    const stderr = message.startsWith("Cannot parse") ? `${message}\n${help}` : message;
    await t.step(what, async () => {
      await writeOnlyRun(place, text);
      for (const command of ["bench --resume", "publish"]) {
        assertEquals(await printedBy(place, `${command} ${good.runId}`), {
          code: 1,
          stdout: "",
          stderr,
        });
      }
    });
  }
});

Deno.test("an article of no claim ends with 1, and so do counts that are not its own", async () => {
  await using place = await makePlace();
  await place.add("honest");
  const path = join(place.folders.root, "site", "data", "claims.toml");
  await Deno.mkdir(dirname(path), { recursive: true });
  await Deno.copyFile(join(repositoryRoot, "site", "data", "claims.toml"), path);
  const articles = Object.keys((await readClaims(path)).articles).join(", ");
  const stderr =
    `Cannot reproduce "deno-rst": there is no such article, expected one of ${articles}\n` +
    'Did you mean "deno-rust"?';
  const ended = await printedBy(place, "bench honest --reproduces deno-rst --pool 1");
  assertEquals(ended, { code: 1, stdout: "", stderr });

  const other = await printedBy(
    place,
    "bench rust --reproduces deno-rust --levels 10,50,100 --requests 500000 --pool 30",
  );
  const command = (impl: string, pool: number) =>
    `npx rust-just bench ${impl} --levels 10,50,100 --requests 500000 --warm-up 1000 ` +
    `--pool ${pool} --reproduces deno-rust`;
  assertEquals(other, {
    code: 1,
    stdout: "",
    stderr: `Cannot reproduce "deno-rust" by \`${command("rust", 30)}\`: these are not the ` +
      `article's counts, expected one of these\n  ${command("deno", 1)}\n  ${command("rust", 300)}`,
  });
});
