/**
 * The machines, databases and tools of a run, each once, with the implementations measured on it: jobs may have got
 * different ones.
 */
import type { Result } from "../../results/result_schema.ts";

/** What results have in common, and which of them have it: names of implementations. */
export interface Shared<T> {
  value: T;
  names: string[];
}

/** Everything around the implementations of a run. */
export interface Environment {
  machines: Shared<Result["machine"]>[];
  /** None where the scenario needs none, or nobody got as far. */
  databases: Shared<NonNullable<Result["database"]>>[];
  tools: Shared<Result["provenance"]["tools"]>[];
}

/** Returns what results were measured with. */
export function environmentOf(results: Result[]): Environment {
  return {
    machines: shared(results, ({ machine }) => machine),
    databases: shared(results, ({ database }) => database),
    tools: shared(results, ({ provenance }) => provenance.tools),
  };
}

function shared<T>(results: Result[], valueOf: (result: Result) => T | undefined): Shared<T>[] {
  const groups = new Map<string, Shared<T>>();
  for (const result of results) {
    const value = valueOf(result);
    if (value === undefined) continue;
    const key = JSON.stringify(value);
    const group = groups.get(key) ?? { value, names: [] };
    group.names.push(result.impl.name);
    groups.set(key, group);
  }
  return [...groups.values()];
}
