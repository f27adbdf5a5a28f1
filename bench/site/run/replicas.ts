/**
 * Replicas on a run's page: on which machines an implementation was measured, what each found, and what that comes to
 * together. In: all results of a run, and what it found.
 */
import { type Qualifier, qualifierAt, ratioAt } from "../../results/compared.ts";
import type { ComparedRun } from "../../results/compared_run.ts";
import { missingOf, valueOf } from "../../results/known.ts";
import { type CitedRatio, ratioOverRuns } from "../../results/over_runs.ts";
import { seriesOf } from "../../results/series.ts";
import { shownLevel } from "../../results/profiles.ts";
import {
  numberOf,
  replicatedOf,
  type ShownReplica,
  shownReplicas,
} from "../../results/replicas.ts";
import { fileNameOf } from "../../results/store.ts";
import type { Result } from "../../results/result_schema.ts";
import { intervalName } from "../../results/words.ts";
import type { RatioInterval } from "../../statistics/mod.ts";

/** The measurements of one implementation in a run. */
export interface ReplicasOfImpl {
  name: string;
  /** The level of the ratios. */
  connections: number;
  rows: (ShownReplica & {
    /** The name of the file of this result. */
    file: string;
    /** To the control, with the interval of this machine. */
    ratio?: RatioInterval;
    /** How to read it; absent where the load generator limited neither of the two. */
    qualifier?: Qualifier;
  })[];
  /** Over the machines of one kind; absent with fewer than two. */
  pooled?: CitedRatio & { interval: string };
}

/** Returns the measurements of each implementation that has several. */
export function showReplicas(results: readonly Result[], run: ComparedRun): ReplicasOfImpl[] {
  return replicatedOf(results).flatMap((replicated) => {
    const { first, others } = replicated;
    const shown = shownReplicas(replicated);
    if (shown.length === 0) return [];
    const compared = first.comparison?.levels ?? [];
    const connections = shownLevel(compared.map((level) => level.connections));
    const all = [first, ...others].sort((a, b) => numberOf(a) - numberOf(b));
    const citedOrNot = ratioOverRuns(seriesOf(first.impl.id, [run]), connections);
    const [cited, notCited] = [valueOf(citedOrNot), missingOf(citedOrNot)];
    return [{
      name: first.impl.name,
      connections,
      rows: shown.map((replica, index) => ({
        ...replica,
        missing: replica.missing ?? missingOf(ratioAt(all[index]!, connections)) ?? notCited,
        file: fileNameOf(all[index]!),
        ratio: valueOf(ratioAt(all[index]!, connections)),
        qualifier: qualifierAt(all[index]!, connections),
      })),
      pooled: cited?.machines === undefined
        ? undefined
        : { ...cited, interval: intervalName(cited) },
    }];
  });
}
