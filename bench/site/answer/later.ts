/** What later, smaller runs have that the current run of a scenario lacks: implementations, and newer figures. */
import { list, proseNames } from "../../results/words.ts";
import type { CurrentRun } from "../current_run.ts";
import type { RunSummary } from "../run_summary.ts";

interface Run extends Pick<CurrentRun["api"], "scenario"> {
  impls: readonly { id: string; runId: string }[];
}

/**
 * Names those that only later full runs of the scenario have: an answer on who leads could be read as one on them, too. Takes
 * all runs; returns one fact, or none.
 */
export function laterOf(run: Run, index: readonly RunSummary[]): string[] {
  const [first = ""] = run.impls.map(({ runId }) => runId).sort();
  const later = fullRunsOf(run, index).filter(({ id }) => id > first)
    .flatMap(({ impls }) => impls).filter(({ id }) => !run.impls.some((impl) => impl.id === id));
  const names = [...new Map(later.map(({ id, name }) => [id, name])).values()];
  return names.length === 0
    ? []
    : [`not in this run, measured later: ${list([...proseNames(names).values()].sort())}`];
}

/** Counts in words those of a run that later full runs of the scenario have, too; undefined where there are none. */
export function measuredAgain(run: Run, index: readonly RunSummary[]): string | undefined {
  const full = fullRunsOf(run, index);
  const again =
    run.impls.filter(({ id, runId }) =>
      full.some((later) => later.id > runId && later.impls.some((impl) => impl.id === id))
    ).length;
  return again === 0
    ? undefined
    : `${again} of these ${run.impls.length} implementations measured again later`;
}

function fullRunsOf({ scenario }: Run, index: readonly RunSummary[]): RunSummary[] {
  return index.filter((run) => run.scenario === scenario && !run.local && run.profile === "full");
}
