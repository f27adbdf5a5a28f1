/**
 * The data of scenario pages: the contract, the text, and how much each profile measures.
 */
import { planOfProfile } from "../results/plan.ts";
import { isProfileName, profiles } from "../results/profiles.ts";
import { type Contract, loadContracts, pageText } from "../scenario/words.ts";
import type { Plan } from "../results/result_schema.ts";

/** A scenario: `data/scenarios.json`. */
export interface DerivedScenario extends Contract {
  /** Markdown. */
  text: string;
  /** The least first. */
  profiles: Omit<Plan, "seed">[];
}

/** Returns every scenario there is. */
export async function deriveScenarios(): Promise<DerivedScenario[]> {
  const names = Object.keys(profiles).filter(isProfileName);
  return await Promise.all((await loadContracts()).map(async (contract) => ({
    ...contract,
    text: await pageText(contract.id),
    profiles: names.map((name) => {
      const { seed: _, ...planned } = planOfProfile(name, contract);
      return planned;
    }),
  })));
}
