import { assert, assertEquals, assertNotMatch, assertRejects } from "@std/assert";
import { basename, dirname, relative } from "@std/path";
import { exists } from "../lib/exists.ts";
import { silent } from "../lib/report.ts";
import { loadScenario } from "../scenario/list.ts";
import type { Means } from "../scenario/scenario.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { type GroundOptions, type GroundStage, openGround } from "./ground.ts";

const { signal } = new AbortController();

async function optionsOf(folder: string): Promise<GroundOptions> {
  const scenario = await loadScenario("hello");
  return { scenario, impls: [], poolMax: 16, folder, report: silent, signal };
}

Deno.test("openGround() opens no database where neither the scenario nor any server needs one", async () => {
  const stages: GroundStage[] = [];
  await using ground = await openGround({
    ...await optionsOf("/does/not/matter"),
    impls: [{ needs: [] }],
    onStage: (stage) => stages.push(stage),
  });
  assertEquals(stages, ["prepare"]);
  assertEquals([ground.database, ground.databaseFacts], [undefined, undefined]);
});

Deno.test("openGround() keeps requests apart from logs, in a folder that goes with it, or where it fails", async () => {
  await using scratch = await temporaryFolder();
  const options = await optionsOf(scratch.path);
  let folder: string;
  {
    await using ground = await openGround(options);
    const requests = await ground.scenario.requestFile(1);
    folder = dirname(requests.path);
    assertEquals([ground.folder, ground.logFolder], [folder, scratch.path]);
    assert(relative(scratch.path, folder).startsWith(".."), folder);
    assert(relative(folder, scratch.path).startsWith(".."), folder);
    assertNotMatch(basename(folder), /backbench/);
  }
  assertEquals(await exists(folder), false);
  const prepare = async (means: Means) => {
    folder = means.folder;
    await options.scenario.prepare(means).then(({ requestFile }) => requestFile(1));
    throw new Error("The data are others");
  };
  const scenario = { ...options.scenario, prepare };
  await assertRejects(() => openGround({ ...options, scenario }), Error, "The data are others");
  assertEquals(await exists(folder), false);
});
