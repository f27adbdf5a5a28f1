/**
 * What did an implementation come to, run after run, and where do its figures not compare? In: the entries of all
 * runs. Out: the history of each implementation, for its page, and one line of it for the list of all.
 */
import type { HistoryEntry, HistoryLevel } from "./entries.ts";
import { machineOf } from "../run_summary.ts";
import { type Era, type EraChange, eraChanges } from "../../results/era.ts";
import { comparedLevel } from "../../results/plan.ts";
import type { Result } from "../../results/result_schema.ts";

/** An entry beside those around it. */
export interface ShownEntry extends HistoryEntry {
  /** Not published: of this machine alone. */
  local: boolean;
  /** What differs from the entry before, so that figures do not compare; empty where they do. */
  eraChanges: EraChange[];
  versionChanges: VersionChange[];
}

/** A version that is not what was last known of it: texts like `koa 3.3.0`. */
export interface VersionChange {
  what: "runtime" | "framework" | "driver" | "jwt" | "database";
  before: string;
  now: string;
}

/** The history of one implementation: `assets/impls/<id>.json`. */
export interface DerivedHistory {
  id: string;
  /** The level that it is told at. */
  connections: number;
  /** How many entries there are in all. */
  runs: number;
  /** The newest {@linkcode shownEntries} of them, the newest first. */
  entries: ShownEntry[];
  /** Of the run that speaks for the implementation: the newest published full one, where there is one. */
  latest: ShownEntry;
  /** The newest of that kind that did not fail; absent where all did. */
  measured?: ShownEntry;
  /** How often a version changed in all. */
  versionChangeCount: number;
  /** The newest {@linkcode shownEntries} runs in which one did, the newest first. */
  versionChanges: Pick<ShownEntry, "runId" | "startedAt" | "versionChanges">[];
}

/** An implementation in `data/impls.json`. */
export interface ImplSummary extends
  Pick<
    Result["impl"],
    "id" | "name" | "class" | "language" | "website" | "runtime" | "framework" | "driver" | "jwt"
  >,
  Pick<HistoryEntry, "era" | "startedAt" | "status" | "failure" | "capacity" | "startupSeconds"> {
  runs: number;
  /** The run that its figures are of; versions are of the newest that it went through. */
  latest: string;
  /** Processor, and how many. */
  machine: string;
  local: boolean;
  connections: number;
  /** Of those connections; absent where there is nothing of them. */
  level?: HistoryLevel;
}

/** How many entries of a history a page shows. */
export const shownEntries = 100;

/** Returns the history of every implementation, by its id; takes the entries of runs, the oldest run first. */
export function joinHistories(
  runs: { local: boolean; entries: HistoryEntry[] }[],
): DerivedHistory[] {
  const all = runs.flatMap(({ local, entries }) => entries.map((entry) => ({ ...entry, local })));
  return [...Map.groupBy(all, ({ impl }) => impl.id)]
    .sort(([a], [b]) => a < b ? -1 : 1)
    .map(([id, entries]) => joinHistory(id, entries));
}

/** Returns what the list of implementations shows of one. */
export function summariseHistory(
  { id, connections, runs, latest, measured = latest }: DerivedHistory,
): ImplSummary {
  const { impl, runId, local, era, startedAt, status, failure, capacity, startupSeconds } = latest;
  const { name, class: implClass, language, website } = impl;
  const { runtime, framework, driver, jwt } = measured.impl;
  const level = latest.levels.find((level) => level.connections === connections);
  return {
    ...{ id, name, class: implClass, language, website, runtime, framework, driver, jwt },
    ...{ runs, latest: runId, machine: machineOf(era), local, era, startedAt, status, connections },
    ...(failure === undefined ? {} : { failure }),
    ...(level === undefined ? {} : { level }),
    ...(capacity === undefined ? {} : { capacity }),
    ...(startupSeconds === undefined ? {} : { startupSeconds }),
  };
}

function joinHistory(
  id: string,
  oldestFirst: (HistoryEntry & { local: boolean })[],
): DerivedHistory {
  const entries: ShownEntry[] = [];
  let known: Versions = {};
  for (const entry of oldestFirst) {
    const before = entries.at(-1)?.era;
    const era = eraAfter(before, entry);
    const versions = versionsOf(entry);
    entries.push({
      ...entry,
      era,
      eraChanges: before === undefined ? [] : eraChanges(before, era),
      versionChanges: versionChanges(known, versions),
    });
    known = { ...known, ...versions };
  }
  entries.reverse();
  const published = entries.filter(({ local }) => !local);
  const ofOneKind = published.length > 0 ? published : entries;
  const full = ofOneKind.filter(({ era }) => era.profile === "full");
  const telling = full.length > 0 ? full : ofOneKind;
  const measured = telling.find(({ status }) => status !== "failed");
  const changed = entries.filter((entry) => entry.versionChanges.length > 0);
  return {
    id,
    connections: levelToTell(measured?.levels ?? []),
    runs: entries.length,
    entries: entries.slice(0, shownEntries),
    latest: telling[0]!,
    ...(measured === undefined ? {} : { measured }),
    versionChangeCount: changed.length,
    versionChanges: changed.slice(0, shownEntries)
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

type Versions = Partial<Record<VersionChange["what"], string>>;

/** Returns the versions of an entry; what could not be read is left out. */
function versionsOf({ impl, database }: HistoryEntry): Versions {
  const parts: [VersionChange["what"], { name: string; version?: string } | undefined][] = [
    ["runtime", impl.runtime],
    ["framework", impl.framework],
    ["driver", impl.driver],
    ["jwt", impl.jwt],
    ["database", database && { name: database.engine, version: database.version }],
  ];
  return Object.fromEntries(
    parts.flatMap(([what, part]) =>
      part?.version === undefined ? [] : [[what, `${part.name} ${part.version}`]]
    ),
  );
}

function versionChanges(known: Versions, versions: Versions): VersionChange[] {
  const parts: VersionChange["what"][] = ["runtime", "framework", "driver", "jwt", "database"];
  return parts.flatMap((what) => {
    const [before, now] = [known[what], versions[what]];
    return before === undefined || now === undefined || before === now
      ? []
      : [{ what, before, now }];
  });
}
