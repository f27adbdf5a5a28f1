/** What later, smaller runs have that the current run of a scenario lacks: implementations, and newer figures. */
import { list, proseNames } from "../../results/words.ts";
import type { CurrentRun } from "../current_run.ts";
import type { RunSummary } from "../run_summary.ts";

/**
 * Names those that only later full runs of the scenario have, because an answer on who leads could be read as one on them,
 * too, and counts those that such runs measured again. Takes all runs; returns a fact for each of the two that is so.
 */
export function laterOf(
  { scenario, startedAt, impls }: Pick<CurrentRun["api"], "scenario" | "startedAt"> & {
    impls: readonly { id: string }[];
  },
  index: readonly RunSummary[],
): string[] {
  const later = index.filter((run) =>
    run.scenario === scenario && !run.local && run.profile === "full" && run.startedAt > startedAt
  ).flatMap((run) => run.impls);
  const again = impls.filter(({ id }) => later.some((impl) => impl.id === id)).length;
  const others = later.filter(({ id }) => !impls.some((impl) => impl.id === id));
  const names = [...new Map(others.map(({ id, name }) => [id, name])).values()];
  return [
    ...(names.length === 0
      ? []
      : [`not in this run, measured later: ${list([...proseNames(names).values()].sort())}`]),
    ...(again === 0
      ? []
      : [`${again} of the run’s ${impls.length} implementations measured again later`]),
  ];
}
