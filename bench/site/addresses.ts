/** Addresses of pages: the default scenario has the short ones, other scenarios are below them. */
import { defaultScenarioId } from "../scenario/ids.ts";

/** Returns the address of the data of a scenario's current run, relative to the site's. */
export function latestAddress(scenario: string): string {
  return `api/${scenario === defaultScenarioId ? "" : `${scenario}/`}latest.json`;
}

/** Returns the address of an implementation's page for a scenario, relative to the site's. */
export function implAddress(implId: string, scenario: string): string {
  return scenario === defaultScenarioId ? `impls/${implId}/` : `impls/${implId}/${scenario}/`;
}
