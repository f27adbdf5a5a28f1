import { assertEquals, assertMatch } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { unitTests, writeBatches } from "./batches.ts";

const bench = fromFileUrl(new URL("..", import.meta.url));

Deno.test("writeBatches() imports every unit test once, and no other", async () => {
  await using batches = await writeBatches(bench, []);
  const texts = await Promise.all(batches.unit.map((path) => Deno.readTextFile(path)));
  const imported = importedBy(texts.join(""));
  assertEquals(imported.toSorted(), await unitTests(bench));
  assertEquals(imported.includes("testing/batches_test.ts"), true);
  assertEquals(imported.filter((path) => /_(server|measure)_test\.ts$/.test(path)), []);
  assertEquals(batches.unit.length < imported.length / 5, true, `${batches.unit.length} batches`);
});

/** Returns the files of `bench/` that a batch imports, relative to it. */
function importedBy(text: string): string[] {
  return [...text.matchAll(/^import "(.*)";$/gm)]
    .map(([, url]) => fromFileUrl(url!).slice(bench.length));
}

Deno.test("writeBatches() has a batch for each file that stands alone, in the folder of the others", async () => {
  const alone = ["lib/sum_test.ts", "cli/bench_server_test.ts"].map((path) => join(bench, path));
  await using batches = await writeBatches(bench, alone);
  const paths = [...batches.alone.values()];
  assertEquals([...batches.alone.keys()], alone);
  assertEquals(new Set([...paths, ...batches.unit].map(dirname)).size, 1);
  const texts = await Promise.all(paths.map((path) => Deno.readTextFile(path)));
  assertEquals(texts.map(importedBy), alone.map((path) => [path.slice(bench.length)]));
});

Deno.test("Deno tests the files of one folder in the order in which they are named", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const names = ["b_test.ts", "c_test.ts", "a_test.ts"];
  for (const name of names) {
    await Deno.writeTextFile(join(folder, name), `Deno.test("${name}", () => {});`);
  }
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["test", "--no-check", "--no-config", "--parallel"],
      ...names.map((name) => join(folder, name)),
    ],
    env: { NO_COLOR: "1", DENO_JOBS: "1" },
    stderr: "null",
  }).output();
  const said = new TextDecoder().decode(stdout);
  assertEquals([...said.matchAll(/([abc]_test\.ts) \.\.\. ok/g)].map(([, name]) => name), names);
  await Deno.remove(folder, { recursive: true });
});

Deno.test("a test that fails in a batch is named with its own file and line", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  await Deno.mkdir(join(folder, "room"));
  await Deno.writeTextFile(join(folder, "room", "good_test.ts"), 'Deno.test("good", () => {});');
  const bad = '\nDeno.test("bad", () => { throw new Error("no"); });';
  await Deno.writeTextFile(join(folder, "room", "bad_test.ts"), bad);
  {
    await using batches = await writeBatches(folder, []);
    assertEquals(batches.unit.length, 1);
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--no-config", ...batches.unit],
      env: { NO_COLOR: "1" },
      stderr: "null",
    }).output();
    const said = new TextDecoder().decode(stdout);
    assertMatch(said, /^FAILED \| 1 passed \| 1 failed/m);
    assertMatch(said, /^bad => .*room\/bad_test\.ts:2:6$/m);
    assertEquals(code, 1);
  }
  await Deno.remove(folder, { recursive: true });
});
