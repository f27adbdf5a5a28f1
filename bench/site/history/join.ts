/**
 * The history of each implementation, and where its figures stop being comparable. In: the entries of all runs. Out:
 * each history, for its page, and a line for the list of implementations.
 */
import type { HistoryEntry, HistoryLevel } from "./entries.ts";
import { historyFinding } from "./finding.ts";
import { implAddress } from "../addresses.ts";
import {
  type ConditionChange,
  conditionChanges,
  type Conditions,
  machineOf,
} from "../../results/comparable.ts";
import { shownLevel } from "../../results/profiles.ts";
import type { Result } from "../../results/result_schema.ts";
import {
  ownParts,
  type VersionChange,
  versionChanges,
  type Versions,
} from "../../results/versions.ts";

/** An entry in its history. */
export interface ShownEntry extends HistoryEntry {
  /** Not published: of this machine alone. */
  local: boolean;
  /** The conditions that differ from the entry before, so that figures are not comparable; empty if they are. */
  conditionChanges: ConditionChange[];
  versionChanges: VersionChange[];
}

/** The history of one implementation in one scenario: `assets/<address without its slash>.json`. */
export interface DerivedHistory {
  id: string;
  scenario: Result["scenario"];
  /** Of its page, below the site's: `impls/rust/`, and `impls/rust/hello/` in another scenario. */
  address: string;
  /** The other scenarios that it was measured in. */
  others: { scenario: Result["scenario"]; address: string }[];
  /** The level that it shows. */
  connections: number;
  /** What the newest comparable runs show, in a sentence without its period. */
  finding: string;
  /** Its scenario has bursts or deliveries in place of levels. */
  isWithoutLevels: boolean;
  /** How many entries there are in all. */
  runs: number;
  /** The newest {@linkcode shownEntries} of them, the newest first. */
  entries: ShownEntry[];
  /** The implementation's current run: the newest published full one, if there is one. */
  latest: ShownEntry;
  /** The newest of that kind that did not fail; absent where all did. */
  measured?: ShownEntry;
  /** How often a version changed in all. */
  versionChangeCount: number;
  /** The newest {@linkcode shownEntries} runs in which one did, the newest first. */
  versionChanges: Pick<ShownEntry, "runId" | "startedAt" | "versionChanges">[];
}

/** An implementation in one scenario, in `data/impls.json`. */
export interface ImplSummary extends
  Pick<
    Result["impl"],
    | "id"
    | "name"
    | "class"
    | "language"
    | "website"
    | "runtime"
    | "framework"
    | "driver"
    | "jwt"
    | "client"
  >,
  Pick<DerivedHistory, "scenario" | "address">,
  Pick<
    HistoryEntry,
    | "conditions"
    | "startedAt"
    | "status"
    | "failure"
    | "sustainableRate"
    | "sustainableRateMissing"
    | "startup"
    | "steps"
  > {
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

/** Returns the history of every implementation in every scenario; takes the entries of runs, the oldest run first. */
export function joinHistories(
  runs: { local: boolean; entries: HistoryEntry[] }[],
): DerivedHistory[] {
  const all = runs.flatMap(({ local, entries }) => entries.map((entry) => ({ ...entry, local })));
  const groups = Map.groupBy(
    all,
    ({ impl, conditions }) => implAddress(impl.id, conditions.scenario),
  );
  const histories = [...groups].sort(([a], [b]) => a < b ? -1 : 1)
    .map(([address, entries]) => joinHistory(address, entries));
  return histories.map((history) => ({
    ...history,
    others: histories.filter(({ id, address }) => id === history.id && address !== history.address)
      .map(({ scenario, address }) => ({ scenario, address })),
  }));
}

/** Returns what the list of implementations shows of one. */
export function summariseHistory(
  { id, scenario, address, connections, runs, latest, measured = latest }: DerivedHistory,
): ImplSummary {
  const { impl, runId, local, conditions, startedAt, status, failure } = latest;
  const { sustainableRate, sustainableRateMissing, startup, steps } = latest;
  const { name, class: implClass, language, website } = impl;
  const { runtime, framework, driver, jwt, client } = measured.impl;
  return {
    id,
    scenario,
    address,
    name,
    class: implClass,
    language,
    website,
    runtime,
    framework,
    driver,
    jwt,
    client,
    runs,
    latest: runId,
    machine: machineOf(conditions),
    local,
    conditions,
    startedAt,
    status,
    failure,
    connections,
    sustainableRate,
    sustainableRateMissing,
    startup,
    steps,
    level: latest.levels.find((level) => level.connections === connections),
  };
}

function joinHistory(
  address: string,
  oldestFirst: (HistoryEntry & { local: boolean })[],
): Omit<DerivedHistory, "others"> {
  const entries: ShownEntry[] = [];
  let known: Versions = {};
  for (const entry of oldestFirst) {
    const before = entries.at(-1)?.conditions;
    const conditions = conditionsAfter(before, entry);
    entries.push({
      ...entry,
      conditions,
      conditionChanges: before === undefined ? [] : conditionChanges(before, conditions),
      versionChanges: versionChanges(known, entry.versions, shownParts),
    });
    known = { ...known, ...readable(entry.versions) };
  }
  entries.reverse();
  const published = entries.filter(({ local }) => !local);
  const ofOneKind = published.length > 0 ? published : entries;
  const full = ofOneKind.filter(({ conditions }) => conditions.profile === "full");
  const telling = full.length > 0 ? full : ofOneKind;
  const measured = telling.find(({ status }) => status !== "failed");
  const changed = entries.filter((entry) => entry.versionChanges.length > 0);
  const latest = telling[0]!;
  const connections = shownLevel((measured?.levels ?? []).map((level) => level.connections));
  return {
    id: latest.impl.id,
    scenario: latest.conditions.scenario,
    address,
    connections,
    finding: measured?.steps ?? historyFinding(entries.slice(0, shownEntries), connections),
    isWithoutLevels: latest.conditions.control === "none",
    runs: entries.length,
    entries: entries.slice(0, shownEntries),
    latest,
    measured,
    versionChangeCount: changed.length,
    versionChanges: changed.slice(0, shownEntries)
      .map(({ runId, startedAt, versionChanges }) => ({ runId, startedAt, versionChanges })),
  };
}

/** A run that failed has no control version and no settings of the kernel: it keeps those of the run before it. */
function conditionsAfter(
  before: Conditions | undefined,
  { conditions, status }: HistoryEntry,
): Conditions {
  if (before === undefined || status !== "failed") return conditions;
  return {
    ...conditions,
    control: conditions.control ?? before.control,
    kernelSettings: conditions.kernelSettings ?? before.kernelSettings,
  };
}

/** What a history shows changes of: a machine's kernel is none of them. */
const shownParts = [...ownParts, "database"] as const;

/** Returns the parts whose version could be read. */
function readable(versions: Versions): Versions {
  return Object.fromEntries(
    Object.entries(versions).filter(([, part]) => part?.version !== undefined),
  );
}
