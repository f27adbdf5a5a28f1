/** What is said of scenarios: their contracts, and the text of their pages. Starts nothing. */
import type { Protocol } from "../results/plan.ts";
import { scenarioFile, scenarioIds } from "./ids.ts";

/** What a server is given in its environment, beside its port: a database, and a secret that tokens are signed with. */
export type Need = "database" | "tokens";

/** What a scenario demands, in words for people; its `mod.ts` checks it. */
export interface Contract {
  id: string;
  title: string;
  /** The job, in one sentence. */
  description: string;
  /** Method and path of what is loaded. */
  request: string;
  needs: Need[];
  /** Those that make sense for it: ceilings need the null server, a comparison needs the control. */
  protocols: Protocol[];
  /** What the answers come from, where that is a table. */
  table?: {
    name: string;
    rows: number;
    columns: { name: string; type: string; role: "primary key" | "may be NULL" }[];
  };
  rules: ContractRule[];
}

/** One thing that is demanded. */
export interface ContractRule {
  sent: string;
  answer: string;
  /** The names of its checks. */
  checks: string[];
}

/** Returns the contract of every scenario, in the order of {@linkcode scenarioIds}. */
export async function loadContracts(): Promise<Contract[]> {
  return await Promise.all(scenarioIds.map(async (id) => {
    const { contract }: { contract: Contract } = await import(scenarioFile(id, "contract.ts").href);
    return contract;
  }));
}

/** Returns the text of a scenario's page in Markdown, its contract and its plans aside. */
export async function pageText(id: string): Promise<string> {
  return await Deno.readTextFile(scenarioFile(id, "page.md"));
}
