/**
 * Which run is the current one of a scenario? The newest published full one that has, with those of the runs before it that
 * complete it, at least two thirds of the implementations of the largest recent one. So a run of one changed
 * implementation shows it among all others, where these were measured alike, and changes nothing where they were not.
 */
import type { RunSummary } from "./run_summary.ts";
import { sumOf } from "../lib/sum.ts";

/**
 * How many full runs are recent at least, and for how long runs are, so that implementations removed long ago do not count. Any
 * number of pushes may each have measured a single implementation since.
 */
const recent = { runs: 20, ms: 60 * 24 * 60 * 60 * 1000 };

/** The current run of a scenario. */
export interface LatestRun {
  run: RunSummary;
  /** Earlier ones that complete it, the newest first. */
  completedBy: Completing[];
}

/** An earlier run that completes another. */
export interface Completing {
  run: RunSummary;
  /** Ids of those that the other one lacks, as do the runs between the two. */
  impls: string[];
}

/** Returns the current run of a scenario; undefined without any. Takes all runs, the newest first. */
export function latestRun(index: RunSummary[], scenario: string): LatestRun | undefined {
  const ofScenario = index.filter((run) => run.scenario === scenario);
  const full = ofScenario.filter(({ local, profile }) => !local && profile === "full");
  const since = Date.parse(full[0]?.startedAt ?? "") - recent.ms;
  const most = Math.max(
    ...full.filter(({ startedAt }, index) => index < recent.runs || Date.parse(startedAt) > since)
      .map(({ impls }) => impls.length),
  );
  const isWhole = (count: number) => count >= most * 2 / 3;
  for (const [place, run] of full.entries()) {
    // One that was removed before the last whole run must not come back, so that run is the last that completes.
    const earlier = full.slice(place + 1);
    const whole = earlier.findIndex(({ impls }) => isWhole(impls.length));
    const completedBy = isWhole(run.impls.length)
      ? []
      : completing(run, earlier.slice(0, whole < 0 ? undefined : whole + 1));
    if (isWhole(run.impls.length + sumOf(completedBy, ({ impls }) => impls.length))) {
      return { run, completedBy };
    }
  }
  const run = ofScenario.find(({ local }) => !local) ?? ofScenario[0];
  return run && { run, completedBy: [] };
}

/** Returns which of these runs complete one, and with whom: each implementation with its newest result. */
function completing(run: RunSummary, earlier: readonly RunSummary[]): Completing[] {
  const taken = new Set(run.impls.map(({ id }) => id));
  return earlier.flatMap((other) => {
    if (run.completionKey === undefined || other.completionKey !== run.completionKey) return [];
    const impls = [...new Set(other.impls.map(({ id }) => id))].filter((id) => !taken.has(id));
    for (const id of impls) taken.add(id);
    return impls.length === 0 ? [] : [{ run: other, impls }];
  });
}
