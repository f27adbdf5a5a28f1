/** The current run of a scenario, with what its views are made from. */
import type { ApiRun } from "./api/schema.ts";
import type { ComparedRun } from "../results/compared_run.ts";
import type { Result } from "../results/result_schema.ts";

/** The current run of a scenario. */
export interface CurrentRun {
  api: ApiRun;
  results: readonly Result[];
  /** It and the runs of its scenario before it, the newest first. */
  known: readonly ComparedRun[];
}
