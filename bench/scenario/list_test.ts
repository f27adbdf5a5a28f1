import { assert, assertEquals, assertRejects } from "@std/assert";
import { BenchError } from "../lib/error.ts";
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

Deno.test("loadScenario() suggests the nearest name of one that there is not", async () => {
  const error = await assertRejects(() => loadScenario("helo"), BenchError);
  assertEquals(
    error.message,
    `Cannot find scenario "helo": no such folder, expected one of ${scenarioIds.join(", ")}`,
  );
  assertEquals(error.help, 'Did you mean "hello"?');
});

Deno.test("allData() makes the tables of every scenario that has some", async () => {
  assert((await allData()).includes("CREATE TABLE users"));
});
