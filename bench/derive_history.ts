/**
 * What an implementation came to, run after run. `historyEntries()` takes one run and gives an entry for each of
 * its results, which is derived once with the run; `joinHistories()` takes the entries of all runs and gives the
 * history of each implementation. Neither reads or writes anything.
 */
import type { DerivedImpl, DerivedRun } from "./derive_run.ts";
import { comparedAt } from "./derive_ratio.ts";
import { type Era, eraChanges, eraFactsOf } from "./era.ts";
import { comparedLevel } from "./plan.ts";
import { lastRepetition, type Result } from "./schema.ts";
import { median } from "./statistics.ts";

/** One result, as a history needs it. */
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
export interface HistoryLevel extends Omit<DerivedImpl, "id" | "class" | "bottleneck"> {
  connections: number;
  cpuSecondsPerAnswer?: number;
  peakMemoryBytes?: number;
  /** Why its load gave no figures; absent where it did. */
  invalid?: string[];
  /** Why there is no ratio although one was to be measured. */
  notCompared?: string;
}

/** An entry beside those around it. */
export interface ShownEntry extends HistoryEntry {
  /** Not published: of this machine alone. */
  local: boolean;
  /** What differs from the entry before, so that figures do not compare; empty where they do. */
  eraChanges: string[];
  /** Versions that differ from those of the entry before. */
  versionChanges: string[];
}

/** The history of one implementation: `impls/<id>.json`. */
export interface DerivedHistory {
  id: string;
  /** The level that it is told at. */
  connections: number;
  /** All entries there are; {@linkcode shownEntries} of them are here. */
  runs: number;
  /** The newest first. */
  entries: ShownEntry[];
  /** The run whose figures are the implementation's: the newest published full one, where there is one. */
  latest: ShownEntry;
  /** The newest of its kind that did not fail; absent where all did. */
  measured?: ShownEntry;
  /** The newest first, of all runs. */
  versionChanges: Pick<ShownEntry, "runId" | "startedAt" | "versionChanges">[];
}

/** How many entries of a history a page shows. */
export const shownEntries = 100;

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
  const { id: _, class: __, bottleneck: ___, ...figures } = derived;
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

/** Returns the history of every implementation, by its id; takes the entries of runs, the oldest run first. */
export function joinHistories(
  runs: { local: boolean; entries: HistoryEntry[] }[],
): DerivedHistory[] {
  const all = runs.flatMap(({ local, entries }) => entries.map((entry) => ({ ...entry, local })));
  return [...Map.groupBy(all, ({ impl }) => impl.id)]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([id, entries]) => joinHistory(id, entries));
}

function joinHistory(
  id: string,
  oldestFirst: (HistoryEntry & { local: boolean })[],
): DerivedHistory {
  const entries: ShownEntry[] = [];
  for (const entry of oldestFirst) {
    const before = entries.at(-1);
    const era = eraAfter(before?.era, entry);
    entries.push({
      ...entry,
      era,
      eraChanges: before === undefined ? [] : eraChanges(before.era, era),
      versionChanges: before === undefined ? [] : versionChanges(before, entry),
    });
  }
  entries.reverse();
  const published = entries.filter(({ local }) => !local);
  const ofOneKind = published.length > 0 ? published : entries;
  const full = ofOneKind.filter(({ era }) => era.profile === "full");
  const telling = full.length > 0 ? full : ofOneKind;
  const measured = telling.find(({ status }) => status !== "failed");
  return {
    id,
    connections: levelToTell(measured?.levels ?? []),
    runs: entries.length,
    entries: entries.slice(0, shownEntries),
    latest: telling[0]!,
    ...(measured === undefined ? {} : { measured }),
    versionChanges: entries.filter((entry) => entry.versionChanges.length > 0)
      .map(({ runId, startedAt, versionChanges }) => ({ runId, startedAt, versionChanges })),
  };
}

/** One that failed before it was compared says nothing of the control: it begins no era of its own. */
function eraAfter(before: Era | undefined, { era, status }: HistoryEntry): Era {
  if (before?.control === undefined || era.control !== undefined || status !== "failed") return era;
  return { ...era, control: before.control };
}

function levelToTell(levels: HistoryLevel[]): number {
  const connections = levels.map((level) => level.connections);
  return connections.includes(comparedLevel) ? comparedLevel : connections[0] ?? comparedLevel;
}

/** Returns a line for each version that differs; one that could not be read is no change. */
function versionChanges(before: HistoryEntry, after: HistoryEntry): string[] {
  const of = ({ impl, database }: HistoryEntry) => ({
    runtime: impl.runtime,
    framework: impl.framework,
    driver: impl.driver,
    "JWT library": impl.jwt,
    database: database && { name: database.engine, version: database.version },
  });
  const [was, is] = [Object.entries(of(before)), Object.values(of(after))];
  return was.flatMap(([part, old], index) => {
    const now = is[index];
    if (old === undefined || now === undefined) return [];
    if (old.name !== now.name) return [`${part} ${nameOf(now)}, ${nameOf(old)} before`];
    if (old.version === undefined || now.version === undefined) return [];
    return old.version === now.version ? [] : [`${part} ${nameOf(now)}, ${old.version} before`];
  });
}

function nameOf({ name, version }: { name: string; version?: string }): string {
  return version === undefined ? name : `${name} ${version}`;
}
