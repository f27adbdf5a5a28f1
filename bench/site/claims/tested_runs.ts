/** Which runs test claims? In: summaries of runs, the newest first, and the claims. Out: those of one scenario. */
import { mostTesting, neededBy } from "./claims.ts";
import type { ClaimsFile } from "./file.ts";
import { latestRun } from "../latest_run.ts";
import type { RunSummary } from "../run_summary.ts";
import { isStepsQuery } from "./steps.ts";

/**
 * Returns the runs that test claims about a scenario: the current one first, without those that complete it, then the newest
 * for each claim whose implementations it lacks, and for a claim about steps, the newest few that have all of them.
 */
export function testedRuns(
  index: readonly RunSummary[],
  scenario: string,
  { claims }: Pick<ClaimsFile, "claims">,
): RunSummary[] {
  const full = index.filter((run) =>
    run.scenario === scenario && run.profile === "full" && !run.local
  );
  const testing = full.filter(({ tests }) => tests);
  const current = latestRun(testing, scenario)?.run ?? full[0];
  if (current === undefined) return [];
  const runs = [current, ...testing.filter(({ id }) => id !== current.id)];
  const needed = claims.flatMap(({ query }) => {
    const { scenarios, impls } = neededBy(query);
    if (!scenarios.includes(scenario)) return [];
    // A failed one has no step, and would take the place of a run that has.
    const hasAll = (run: RunSummary) =>
      impls.every((id) =>
        run.impls.some((impl) =>
          impl.id === id && (!isStepsQuery(query) || impl.status === "complete")
        )
      );
    return runs.filter(hasAll).slice(0, isStepsQuery(query) ? mostTesting : 1);
  });
  return runs.filter((run) => run === current || needed.includes(run));
}
