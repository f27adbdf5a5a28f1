/**
 * The history entries of one run. In: all results of the run. Out: an entry for each.
 */
import type { DerivedImpl, DerivedRun } from "../ranking.ts";
import { comparedLevels, ratioAt } from "../../results/compared.ts";
import { type Conditions, conditionsOf } from "../../results/comparable.ts";
import { missingOf, valueOf } from "../../results/known.ts";
import { levelAt, outcomeAt, whyFailed } from "../../results/outcome.ts";
import type { RateSweep } from "../../results/protocols_schema.ts";
import { isHighestOffered, sweepProblem } from "../../results/rate_sweep.ts";
import type { Result } from "../../results/result_schema.ts";
import { startsOf } from "../../results/startup.ts";
import { type Versions, versionsOf } from "../../results/versions.ts";
import { median, type RatioInterval } from "../../statistics/mod.ts";

/** One result, as a history needs it. */
export interface HistoryEntry {
  runId: string;
  /** Which of several machines it is of; absent for the first. */
  replica?: number;
  startedAt: string;
  commit: string;
  impl: Result["impl"];
  conditions: Conditions;
  versions: Versions;
  status: Result["status"];
  /** At which stage it failed, and why; absent where it did not. */
  failure?: string;
  /** In ascending order of connections. */
  levels: HistoryLevel[];
  /** Highest sustainable rate, with the range of its processes; absent if no rate was sustained. */
  sustainableRate?: { perSecond: number; isHighestOffered: boolean; range?: RateSweep["range"] };
  /** Why a rate sweep gave no figure; absent where it gave one, and where there was none. */
  sustainableRateMissing?: string;
  startup?: ShownStart;
  /** What a scenario without levels came to, in a sentence without its period. */
  steps?: string;
}

/** Startup, as a history shows it. */
export interface ShownStart {
  /** Median of all starts. */
  seconds: number;
  /** To the control's; absent with too few blocks of starts. */
  ratio?: RatioInterval;
}

/** One level of an entry. */
export interface HistoryLevel
  extends Omit<DerivedImpl, "id" | "class" | "bottleneck" | "tiedWith"> {
  connections: number;
  /** Of the cold load, as is its memory. */
  coldCpuSecondsPerAnswer?: number;
  coldPeakMemoryBytes?: number;
  /** Why the cold load gave no figures; absent where it did, and where there was none. */
  missing?: string;
  /** Why there is no ratio although one was to be measured. */
  ratioMissing?: string;
}

/**
 * Returns the entries of one run; `levels` are what was derived from it, and `stepsFinding` says what a scenario without
 * levels came to.
 */
export function historyEntries(
  results: Result[],
  { levels }: Pick<DerivedRun, "levels">,
  stepsFinding: (result: Result) => string | undefined = () => undefined,
): HistoryEntry[] {
  return results.map((result) => {
    const { runId, replica, startedAt, provenance, impl, status, rateSweep, startup } = result;
    const { sustainablePerSecond: perSecond, range } = rateSweep ?? {};
    return {
      runId,
      replica,
      startedAt,
      commit: provenance.commit,
      impl,
      conditions: conditionsOf(result),
      versions: versionsOf(result),
      status,
      failure: whyFailed(result),
      levels: levels.flatMap(({ connections, impls }) => {
        const derived = impls.find(({ id }) => id === impl.id);
        const done = [...result.levels, ...result.comparison?.levels ?? []];
        return derived === undefined || !done.some((level) => level.connections === connections)
          ? []
          : [levelOf(result, connections, derived)];
      }),
      sustainableRate: perSecond === undefined ? undefined : {
        perSecond,
        isHighestOffered: isHighestOffered(rateSweep!),
        range,
      },
      sustainableRateMissing: rateSweep && sweepProblem(rateSweep),
      startup: startup && {
        seconds: median(startsOf(startup, "subject").seconds),
        ratio: startup.ratio,
      },
      steps: stepsFinding(result),
    };
  });
}

function levelOf(result: Result, connections: number, derived: DerivedImpl): HistoryLevel {
  const { id: _, class: __, bottleneck: ___, tiedWith: ____, ...figures } = derived;
  const outcome = outcomeAt(result, connections);
  const subject = valueOf(outcome)?.observation.resources?.subject;
  return {
    ...figures,
    connections,
    coldCpuSecondsPerAnswer: subject?.cpuSecondsPerAnswer,
    coldPeakMemoryBytes: subject?.peakMemoryBytes,
    missing: levelAt(result, connections) && missingOf(outcome),
    ratioMissing: comparedLevels(result).includes(connections)
      ? missingOf(ratioAt(result, connections))
      : undefined,
  };
}
