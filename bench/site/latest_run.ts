/**
 * Which run is the current one of a scenario? The newest published full one that has at least two thirds of the
 * implementations of the largest recent one, so not a run of one changed implementation.
 */
import type { RunSummary } from "./run_summary.ts";

/**
 * How many full runs are recent at least, and for how long runs are, so that implementations removed long ago do not count. Any
 * number of pushes may each have measured a single implementation since.
 */
const recent = { runs: 20, ms: 60 * 24 * 60 * 60 * 1000 };

/**
 * Returns the current run of a scenario; undefined without any. Takes all runs, the newest first. A run of fewer than two
 * thirds of the implementations completes an earlier one, and does not take its place.
 */
export function latestRun(index: RunSummary[], scenario: string): RunSummary | undefined {
  const ofScenario = index.filter((run) => run.scenario === scenario);
  const full = ofScenario.filter(({ local, profile }) => !local && profile === "full");
  const since = Date.parse(full[0]?.startedAt ?? "") - recent.ms;
  const most = Math.max(
    ...full.filter(({ startedAt }, index) => index < recent.runs || Date.parse(startedAt) > since)
      .map(({ impls }) => impls.length),
  );
  return full.find(({ impls }) => impls.length >= most * 2 / 3) ??
    ofScenario.find(({ local }) => !local) ?? ofScenario[0];
}
