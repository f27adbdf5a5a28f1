/**
 * What the pages of scenarios are made from: the contract, and how much each profile measures of it. The code
 * that checks and measures is where these facts live.
 */
import { isProfileName, makePlan, profiles } from "../measure/plan.ts";
import type { Contract } from "../scenario/scenario.ts";
import { jwtMysqlContract } from "../scenario/jwt_mysql/contract.ts";
import type { Plan } from "../results/result_schema.ts";
import { seedRows } from "../scenario/jwt_mysql/seed.ts";

/** A scenario: `data/scenarios.json`. */
export interface DerivedScenario extends Contract {
  /** In the table. */
  rows: number;
  /** The least first. */
  profiles: Omit<Plan, "seed">[];
}

/** Returns every scenario there is. */
export function deriveScenarios(): DerivedScenario[] {
  return [{
    ...jwtMysqlContract,
    rows: seedRows,
    profiles: Object.keys(profiles).filter(isProfileName).map((name) => {
      const { seed: _, ...plan } = makePlan(name, {}, 0);
      return plan;
    }),
  }];
}
