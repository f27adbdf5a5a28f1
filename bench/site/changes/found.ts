/**
 * Every regression and improvement since the first run: what runs found to differ measurably from the runs before them. In: what
 * changed in each run. Out: a line for each implementation and run, the newest first.
 */
import { implAddress } from "../addresses.ts";
import type { ChangedImpl, ChangedLevel, DerivedChanges } from "./changes.ts";
import type { ListedRun } from "../derived_run.ts";
import { intervalName, ratioTexts, timesText } from "../../results/words.ts";
import type { VersionChange } from "../../results/versions.ts";

/** A change that a run found: `data/changes.json` has all of them. */
export interface FoundChange extends Pick<ListedRun, "scenario" | "commit" | "startedAt"> {
  runId: string;
  /** The run before, and what was measured in it. */
  before: { runId: string; startedAt: string; commit: string };
  name: string;
  /** Of its page, relative to the site's. */
  address: string;
  kind: "regression" | "improvement";
  /** Those at which it differs; without an interval where the ratio is only a bound. */
  levels: { connections: number; ratio: string; interval?: string; over: string }[];
  /** Of the implementation, then of what is around it. */
  versions: VersionChange[];
}

/** A run, what changed in it, and the commit of the run before it. */
export interface ChangesOfRun {
  summary: ListedRun;
  changes: DerivedChanges;
  commitBefore?: string;
}

/** Returns the changes of runs; takes the newest run first. */
export function foundChanges(runs: readonly ChangesOfRun[]): FoundChange[] {
  return runs.flatMap(({ summary, changes, commitBefore }) => {
    const { before, environment, impls } = changes;
    if (before === undefined || commitBefore === undefined) return [];
    const { id: runId, scenario, commit, startedAt } = summary;
    return impls.flatMap((impl) =>
      (["slower", "faster"] as const).flatMap((verdict) => {
        const levels = levelsOf(impl, verdict);
        return levels.length === 0 ? [] : [{
          runId,
          scenario,
          commit,
          startedAt,
          name: impl.name,
          levels,
          before: { ...before, commit: commitBefore },
          address: implAddress(impl.id, scenario),
          kind: verdict === "slower" ? "regression" as const : "improvement" as const,
          versions: [...impl.versions, ...environment],
        }];
      })
    );
  });
}

function levelsOf({ levels }: ChangedImpl, wanted: ChangedLevel["verdict"]): FoundChange["levels"] {
  return levels.flatMap(({ connections, ratio, verdict, qualifier }) => {
    if (ratio === undefined || verdict !== wanted) return [];
    const interval = qualifier === undefined ? ratioTexts(ratio).range : undefined;
    const times = timesText(ratio, qualifier);
    return [{ connections, ratio: times, interval, over: intervalName(ratio) }];
  });
}
