/**
 * Which run speaks for all on the home page? The newest published full one. One of a few implementations, as
 * after a change to one of them, does not: it has fewer than half of those that the run chosen before it has.
 */
import type { RunSummary } from "./derive_summary.ts";

const homeScenario: RunSummary["scenario"] = "jwt-mysql";

/** Returns the run for the home page; undefined without any. Takes all runs, the newest first. */
export function latestRun(index: RunSummary[]): RunSummary | undefined {
  let chosen: RunSummary | undefined;
  for (const run of index.toReversed()) {
    if (run.local || run.profile !== "full" || run.scenario !== homeScenario) continue;
    if (chosen === undefined || run.impls.length >= chosen.impls.length / 2) chosen = run;
  }
  return chosen ?? index.find(({ local }) => !local) ?? index[0];
}
