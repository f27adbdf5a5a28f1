/**
 * Bases: where a scenario has no comparison, the job measures the commit that a pull request changes, too, with the same
 * harness. In: the results of an artifact. Out: those of the pull request, each with that of its base.
 */
import type { Result } from "../../results/result_schema.ts";

/** Results of a pull request, and those of their bases. */
export interface WithBases {
  results: Result[];
  /** By the result of the pull request; it lacks those whose base was not measured. */
  bases: ReadonlyMap<Result, Result>;
}

/** Puts each result of a base with that of the pull request; one that has none stands for itself. */
export function withBases(all: readonly Result[]): WithBases {
  const results = all.filter(({ provenance }) => provenance.implCommit === undefined);
  const bases = new Map<Result, Result>();
  for (const base of all.filter(({ provenance }) => provenance.implCommit !== undefined)) {
    const head = results.find(({ impl, scenario, provenance }) =>
      impl.id === base.impl.id && scenario === base.scenario &&
      provenance.commit === base.provenance.commit
    );
    if (head === undefined || bases.has(head)) results.push(base);
    else bases.set(head, base);
  }
  return { results, bases };
}
