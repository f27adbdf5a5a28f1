import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { unitTests, writeBatches } from "./batches.ts";

const bench = fromFileUrl(new URL("..", import.meta.url));

Deno.test("writeBatches() imports every unit test once, and no other", async () => {
  await using batches = await writeBatches(bench);
  const texts = await Promise.all(batches.paths.map((path) => Deno.readTextFile(path)));
  const imported = [...texts.join("").matchAll(/^import "(.*)";$/gm)]
    .map(([, url]) => fromFileUrl(url!).slice(bench.length));
  assertEquals(imported.toSorted(), await unitTests(bench));
  assertEquals(imported.includes("testing/batches_test.ts"), true);
  assertEquals(imported.filter((path) => /_(server|measure)_test\.ts$/.test(path)), []);
  assertEquals(batches.paths.length < imported.length / 5, true, `${batches.paths.length} batches`);
});

Deno.test("a test that fails in a batch is named with its own file and line", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  await Deno.mkdir(join(folder, "room"));
  await Deno.writeTextFile(join(folder, "room", "good_test.ts"), 'Deno.test("good", () => {});');
  const bad = '\nDeno.test("bad", () => { throw new Error("no"); });';
  await Deno.writeTextFile(join(folder, "room", "bad_test.ts"), bad);
  {
    await using batches = await writeBatches(folder);
    assertEquals(batches.paths.length, 1);
    const { code, stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--no-check", "--no-config", ...batches.paths],
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
