import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { discoverImpl } from "../impl/discover.ts";
import { makeRedTeamImpl, redTeamImpl } from "./red_team.ts";

const bench = fromFileUrl(new URL("..", import.meta.url));

Deno.test("makeRedTeamImpl() makes the folder of what redTeamImpl() returns", async () => {
  const impls = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    for (const id of ["alg-none", "build-fails", "never-listens"]) {
      await makeRedTeamImpl(impls, id);
      const { manifest } = await redTeamImpl(id);
      assertEquals((await discoverImpl(impls, id)).manifest, manifest);
      assertMatch([...manifest.build, ...manifest.start].join(" "), /alg-none|exit 3|sleep/);
    }
  } finally {
    await Deno.remove(impls, { recursive: true });
  }
});

Deno.test("there is a test for every way to cheat", async () => {
  let cheats = "";
  const folder = join(bench, "testing", "red_team");
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith("cheats.ts")) cheats += await Deno.readTextFile(join(folder, name));
  }
  const ids = [...cheats.matchAll(/^ {2}"([a-z0-9-]+)":/gm)].map(([, id]) => id!);
  assertEquals(["cached-rows", "padded-batches"].filter((id) => !ids.includes(id)), []);
  // Of two with one name, only one would ever run.
  assertEquals(ids.filter((id, index) => ids.indexOf(id) < index), []);
  let tests = "";
  const read = async (folder: string) => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      if (isDirectory) await read(join(folder, name));
      else if (/(?:_(?:server|measure)_test|^red_team_told)\.ts$/.test(name)) {
        tests += await Deno.readTextFile(join(folder, name));
      }
    }
  };
  await read(bench);
  assertEquals(ids.filter((id) => !tests.includes(`"${id}"`)), []);
});
