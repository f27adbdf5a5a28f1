/**
 * Reads the current run of a scenario. In: which runs it is from. Out: their results as one run, each of which names the
 * run that it is from.
 */
import type { CurrentRun } from "./current_run.ts";
import { deriveOne } from "./derived_run.ts";
import type { LatestRun } from "./latest_run.ts";
import type { RunSummary } from "./run_summary.ts";
import type { ComparedRun } from "../results/compared_run.ts";
import type { Result } from "../results/result_schema.ts";

/**
 * Returns the current run, and the results of all its machines; `facts` is what each run found that may count for it, the newest
 * first.
 */
export async function readCurrent(
  { run, completedBy }: LatestRun,
  { facts, read }: {
    facts: readonly ComparedRun[];
    read: (run: RunSummary) => Promise<Result[]>;
  },
): Promise<CurrentRun & { all: Result[] }> {
  const own = await read(run);
  const others = await Promise.all(completedBy.map(async ({ run, impls }) => {
    const results = await read(run);
    return results.filter(({ impl }) => impls.includes(impl.id));
  }));
  const all = [...own, ...others.flat()];
  // Of each, only what was found before its own result is earlier: results that complete the run are part of it.
  const runOf = new Map(all.map(({ impl, runId }) => [impl.id, runId]));
  const earlier = facts.slice(1 + facts.findIndex(({ runId }) => runId === run.id)).map((fact) => ({
    ...fact,
    impls: fact.impls.filter(({ id }) => fact.runId < (runOf.get(id) ?? run.id)),
  }));
  const { exported, results, runs } = deriveOne(all, { local: run.local, earlier });
  return {
    api: exported,
    results,
    all,
    known: runs.filter(({ impls }) => impls[0]?.conditions.scenario === run.scenario),
  };
}
