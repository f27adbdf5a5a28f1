/** The scenarios as code, found by their ids. */
import type { Grant } from "../database/database.ts";
import { scenarioFile, scenarioIds } from "./ids.ts";
import type { Scenario } from "./scenario.ts";

/** Loads one of {@linkcode scenarioIds}. */
export async function loadScenario(id: string): Promise<Scenario> {
  const { scenario }: { scenario: Scenario } = await import(scenarioFile(id, "mod.ts").href);
  return scenario;
}

/** Returns the SQL that creates the data of every scenario, for a private database server. */
export async function allData(): Promise<string> {
  const scenarios = await Promise.all(scenarioIds.map(loadScenario));
  const texts = await Promise.all(scenarios.map(({ data }) => data?.sql()));
  return texts.filter((text) => text !== undefined).join("\n");
}

/** Returns the rights that servers need on the data of every scenario: one process serves all that it lists. */
export async function allGrants(): Promise<Grant[]> {
  const scenarios = await Promise.all(scenarioIds.map(loadScenario));
  return scenarios.flatMap(({ contract }) => contract.grants);
}
