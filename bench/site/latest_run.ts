/**
 * Which run is the current one of a scenario? The newest published full one that is whole, with at least two thirds of the
 * implementations of the largest recent one, or is completed: runs before it, measured alike, have all others of the last whole
 * one. So a run of one changed implementation shows it among the others, or changes nothing.
 */
import type { RunSummary } from "./run_summary.ts";

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
  /** Ids of those that it gives. */
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
  const isWhole = (run: RunSummary) => run.impls.length >= most * 2 / 3;
  for (const [place, run] of full.entries()) {
    if (isWhole(run)) return { run, completedBy: [] };
    // One that was removed before the last whole run does not come back, so that run is the last that completes.
    const earlier = full.slice(place + 1);
    const last = earlier.findIndex(isWhole);
    const completedBy = completing(run, earlier.slice(0, last + 1));
    const given = [...run.impls.map(({ id }) => id), ...completedBy.flatMap(({ impls }) => impls)];
    if (earlier[last]?.impls.every(({ id }) => given.includes(id))) return { run, completedBy };
  }
  const run = ofScenario.find(({ local }) => !local) ?? ofScenario[0];
  return run && { run, completedBy: [] };
}

/**
 * Returns which of these runs complete one, and with whom: each implementation with its newest result that was measured alike.
 * A failure comes before an older success, and has no figures that could be measured otherwise.
 */
function completing(run: RunSummary, earlier: readonly RunSummary[]): Completing[] {
  const taken = new Set(run.impls.map(({ id }) => id));
  if (run.completionKey === undefined) return [];
  return earlier.filter(({ machine }) => machine === run.machine).flatMap((other) => {
    const isAlike = other.completionKey === run.completionKey;
    const given = other.impls.filter(({ id, status }) =>
      !taken.has(id) && (isAlike || status === "failed")
    );
    const impls = [...new Set(given.map(({ id }) => id))];
    for (const id of impls) taken.add(id);
    return impls.length === 0 ? [] : [{ run: other, impls }];
  });
}
