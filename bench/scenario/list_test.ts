import { assert, assertEquals } from "@std/assert";
import { defaultScenarioId, scenarioIds } from "./ids.ts";
import { allData, loadScenario } from "./list.ts";
import { loadContracts, pageText } from "./words.ts";

Deno.test("each folder is a scenario of its name, with its data where it needs a database, and a page", async () => {
  assertEquals(scenarioIds[0], defaultScenarioId);
  for (const id of scenarioIds) {
    const { contract, data } = await loadScenario(id);
    assertEquals(contract.id, id);
    assertEquals(data !== undefined, contract.needs.includes("database"), id);
    assert((await pageText(id)).includes("## Rules"), `page.md of ${id} has no rules`);
  }
  assertEquals((await loadContracts()).map(({ id }) => id), scenarioIds);
});

Deno.test("allData() makes the tables of every scenario that has some", async () => {
  assert((await allData()).includes("CREATE TABLE users"));
});
