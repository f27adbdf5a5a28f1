import { assertEquals } from "@std/assert";
import { silent } from "../lib/report.ts";
import { loadScenario } from "../scenario/list.ts";
import { type GroundStage, openGround } from "./ground.ts";

Deno.test("openGround() opens no database where neither the scenario nor any server needs one", async () => {
  const stages: GroundStage[] = [];
  await using ground = await openGround({
    scenario: await loadScenario("hello"),
    impls: [{ needs: [] }],
    poolMax: 16,
    seed: 1,
    folder: "/does/not/matter",
    report: silent,
    signal: new AbortController().signal,
    onStage: (stage) => stages.push(stage),
  });
  assertEquals(stages, ["prepare"]);
  assertEquals([ground.database, ground.databaseFacts], [undefined, undefined]);
});
