/** The current run of a scenario, with what its views are made from. */
import type { ApiRun } from "./api/schema.ts";
import type { ComparedRun } from "../results/compared_run.ts";
import type { Result } from "../results/result_schema.ts";

/** Returns the ids of the runs that implementations or results are from, the newest first. */
export function runIdsOf(measured: readonly { runId: string }[]): string[] {
  return [...new Set(measured.map(({ runId }) => runId))].sort().reverse();
}

/** The current run of a scenario, with the implementations of earlier runs that complete it. */
export interface CurrentRun {
  /** Its id and commit are those of the newest run. */
  api: ApiRun;
  /** Of the first machine of each implementation. */
  results: readonly Result[];
  /** It and the runs of its scenario before it, the newest first. */
  known: readonly ComparedRun[];
}
