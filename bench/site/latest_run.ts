/**
 * Which run is the current one of a scenario? The newest published full one that has at least two thirds of the
 * implementations of the largest recent one, so not a run of one changed implementation.
 */
import type { RunSummary } from "./run_summary.ts";

/** How many full runs are recent, so that implementations removed long ago do not count. */
const recent = 20;

/**
 * Returns the current run of a scenario; undefined without any. Takes all runs, the newest first. A run of fewer than two
 * thirds of the implementations completes an earlier one, and does not take its place.
 */
export function latestRun(index: RunSummary[], scenario: string): RunSummary | undefined {
  const ofScenario = index.filter((run) => run.scenario === scenario);
  const full = ofScenario.filter(({ local, profile }) => !local && profile === "full");
  const most = Math.max(...full.slice(0, recent).map(({ impls }) => impls.length));
  return full.find(({ impls }) => impls.length >= most * 2 / 3) ??
    ofScenario.find(({ local }) => !local) ?? ofScenario[0];
}
