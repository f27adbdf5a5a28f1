/** Where pages are: the default scenario has the short addresses, what is of another one lies below them. */
import { defaultScenarioId } from "../scenario/ids.ts";

/** Returns where the page of an implementation in a scenario is, below the site's address. */
export function implAddress(implId: string, scenario: string): string {
  return scenario === defaultScenarioId ? `impls/${implId}/` : `impls/${implId}/${scenario}/`;
}
