/**
 * What does the history of an implementation need of one run? In: all results of the run. Out: an entry for each,
 * derived once with the run, so that the entries of a thousand runs can be joined in a moment.
 */
import type { DerivedImpl, DerivedRun } from "../ranking.ts";
import { comparedAt } from "../../results/compared.ts";
import { type Era, eraFactsOf } from "../../results/era.ts";
import { lastRepetition, type Result } from "../../results/result_schema.ts";
import { median } from "../../statistics/mod.ts";

/** One result, as a history needs it: in `entries/<run-id>.json`. */
export interface HistoryEntry {
  runId: string;
  startedAt: string;
  commit: string;
  impl: Result["impl"];
  era: Era;
  /** Absent where it was not reached. */
  database?: Pick<NonNullable<Result["database"]>, "engine" | "version">;
  status: Result["status"];
  failure?: Pick<NonNullable<Result["failure"]>, "stage" | "message">;
  /** In ascending order of connections. */
  levels: HistoryLevel[];
  /** Of the ladder; absent where no rate held. */
  capacity?: { perSecond: number; isHighestOffered: boolean };
  /** Median of all starts. */
  startupSeconds?: number;
}

/** One level of an entry. */
export interface HistoryLevel
  extends Omit<DerivedImpl, "id" | "class" | "bottleneck" | "tiedWith"> {
  connections: number;
  cpuSecondsPerAnswer?: number;
  peakMemoryBytes?: number;
  /** Why its load gave no figures; absent where it did. */
  invalid?: string[];
  /** Why there is no ratio although one was to be measured. */
  notCompared?: string;
}

/** Returns the entries of one run; `levels` are what was derived from it. */
export function historyEntries(
  results: Result[],
  { levels }: Pick<DerivedRun, "levels">,
): HistoryEntry[] {
  return results.map((result) => {
    const { runId, startedAt, provenance, impl, database, status, failure, ladder } = result;
    const { capacityPerSecond: perSecond } = ladder ?? {};
    const starts = result.startup?.subject.seconds ?? [];
    return {
      runId,
      startedAt,
      commit: provenance.commit,
      impl,
      era: eraFactsOf(result),
      ...(database === undefined
        ? {}
        : { database: { engine: database.engine, version: database.version } }),
      status,
      ...(failure === undefined
        ? {}
        : { failure: { stage: failure.stage, message: failure.message } }),
      levels: levels.flatMap(({ connections, impls }) => {
        const derived = impls.find(({ id }) => id === impl.id);
        const done = [...result.levels, ...result.comparison?.levels ?? []];
        return derived === undefined || !done.some((level) => level.connections === connections)
          ? []
          : [levelOf(result, connections, derived)];
      }),
      ...(perSecond === undefined ? {} : {
        capacity: {
          perSecond,
          isHighestOffered: perSecond >= Math.max(...ladder!.plan.ratesPerSecond),
        },
      }),
      ...(starts.length === 0 ? {} : { startupSeconds: median(starts) }),
    };
  });
}

function levelOf(result: Result, connections: number, derived: DerivedImpl): HistoryLevel {
  const { id: _, class: __, bottleneck: ___, tiedWith: ____, ...figures } = derived;
  const level = result.levels.find((level) => level.connections === connections);
  const last = level && lastRepetition(level);
  const subject = last?.validity.valid ? last.observation?.resources?.subject : undefined;
  const wasCompared = result.comparison?.levels.some((level) => level.connections === connections);
  const compared = comparedAt(result, connections);
  return {
    ...figures,
    connections,
    ...(subject === undefined ? {} : {
      ...(subject.cpuSecondsPerAnswer === undefined
        ? {}
        : { cpuSecondsPerAnswer: subject.cpuSecondsPerAnswer }),
      peakMemoryBytes: subject.peakMemoryBytes,
    }),
    ...(last?.validity.valid === false
      ? { invalid: last.validity.reasons.map(({ message }) => message) }
      : {}),
    ...(wasCompared && "missing" in compared ? { notCompared: compared.missing } : {}),
  };
}
