/** Who is missing: implementations that the current run of a scenario lacks, and a later, smaller one has. */
import { list, proseNames } from "../../results/words.ts";
import type { CurrentRun } from "../current_run.ts";
import type { RunSummary } from "../run_summary.ts";

/**
 * Names those that only later full runs of the scenario have: an answer on who leads could be read as one on them, too. Takes
 * all runs; returns one fact, or none.
 */
export function laterOf(
  { scenario, startedAt, impls }: Pick<CurrentRun["api"], "scenario" | "startedAt"> & {
    impls: readonly { id: string }[];
  },
  index: readonly RunSummary[],
): string[] {
  const later = index.filter((run) =>
    run.scenario === scenario && !run.local && run.profile === "full" && run.startedAt > startedAt
  ).flatMap((run) => run.impls).filter(({ id }) => !impls.some((impl) => impl.id === id));
  const names = [...new Map(later.map(({ id, name }) => [id, name])).values()];
  return names.length === 0
    ? []
    : [`not in this run, measured later: ${list([...proseNames(names).values()].sort())}`];
}
