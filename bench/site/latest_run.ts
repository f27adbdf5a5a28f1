/**
 * Which run speaks for all on the home page? The newest published full one. One of a few implementations, as
 * after a change to one of them, does not: it has fewer than half of those that the largest recent one has.
 */
import type { RunSummary } from "./run_summary.ts";

const homeScenario: RunSummary["scenario"] = "jwt-mysql";

/** How many full runs are recent: implementations that went long ago are not waited for. */
const recent = 20;

/** Returns the run for the home page; undefined without any. Takes all runs, the newest first. */
export function latestRun(index: RunSummary[]): RunSummary | undefined {
  const full = index.filter(({ local, profile, scenario }) =>
    !local && profile === "full" && scenario === homeScenario
  );
  const most = Math.max(...full.slice(0, recent).map(({ impls }) => impls.length));
  return full.find(({ impls }) => impls.length >= most / 2) ??
    index.find(({ local }) => !local) ?? index[0];
}
