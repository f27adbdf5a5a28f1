/**
 * Which run speaks for all of a scenario? The newest published full one. One of a few implementations, as
 * after a change to one of them, does not: it has fewer than half of those that the largest recent one has.
 */
import type { RunSummary } from "./run_summary.ts";

/** How many full runs are recent: implementations that went long ago are not waited for. */
const recent = 20;

/** Returns the run that speaks for a scenario; undefined without any. Takes all runs, the newest first. */
export function latestRun(index: RunSummary[], scenario: string): RunSummary | undefined {
  const ofScenario = index.filter((run) => run.scenario === scenario);
  const full = ofScenario.filter(({ local, profile }) => !local && profile === "full");
  const most = Math.max(...full.slice(0, recent).map(({ impls }) => impls.length));
  return full.find(({ impls }) => impls.length >= most / 2) ??
    ofScenario.find(({ local }) => !local) ?? ofScenario[0];
}
