/** The words of scenarios: their contracts, and the texts of their pages. Starts no process. */
import type { Grant } from "../database/database.ts";
import type { LevelCounts, Protocol } from "../results/plan.ts";
import { scenarioFile, scenarioIds } from "./ids.ts";

/**
 * What a server is given in its environment besides its port: a database, the secret that signs tokens, and an upstream.
 */
export type Need = "database" | "tokens" | "upstream";

/** What a scenario demands, in words; its `mod.ts` checks it. */
export interface Contract {
  id: string;
  title: string;
  /** The job, in one sentence. */
  description: string;
  /** Method and path of the measured request. */
  request: string;
  needs: Need[];
  /** The protocols that apply: ceilings need the null server, a comparison needs the control. */
  protocols: Protocol[];
  /** How much a full run measures, where it differs from the profile. */
  full?: LevelCounts;
  /** The table that answers come from or go to, if there is one. */
  table?: {
    name: string;
    /** Absent where it is empty at first. */
    rows?: number;
    columns: { name: string; type: string; role: string }[];
  };
  /** The rights that a server needs on its tables; its database account has no others. */
  grants: Grant[];
  rules: ContractRule[];
}

/** One rule of a contract. */
export interface ContractRule {
  sent: string;
  answer: string;
  /** The names of its checks. */
  checks: string[];
}

/** Returns how many file descriptors a server has open for a connection of a load: one more for its call of an upstream. */
export function descriptorsEach({ needs }: Pick<Contract, "needs">): number {
  return needs.includes("upstream") ? 2 : 1;
}

/** Returns the contract of every scenario, in the order of {@linkcode scenarioIds}. */
export async function loadContracts(): Promise<Contract[]> {
  return await Promise.all(scenarioIds.map(async (id) => {
    const { contract }: { contract: Contract } = await import(scenarioFile(id, "contract.ts").href);
    return contract;
  }));
}

/** Returns the Markdown text of a scenario's page, without its contract and plans. */
export async function pageText(id: string): Promise<string> {
  return await Deno.readTextFile(scenarioFile(id, "page.md"));
}
