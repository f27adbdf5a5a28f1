/**
 * What changed from one run to the next? In: the ratios to the control in two runs. Out: for each implementation and
 * level, the ratio of both ratios with its interval, or why there is none, and changed versions. Intervals are over
 * rounds: they do not cover what affects all rounds of a run alike, such as another day.
 */
import { changesFinding } from "./finding.ts";
import { differenceOf } from "./choose_before.ts";
import type { ChangeFacts, ChangeFactsOfImpl, LevelFacts } from "./facts.ts";
import type { Known } from "../../results/known.ts";
import {
  ownParts,
  sharedParts,
  type VersionChange,
  versionChanges,
} from "../../results/versions.ts";
import {
  type RatioInterval,
  type Reading,
  readRatio,
  twoSampleRatioInterval,
} from "../../statistics/mod.ts";

/** What changed since the run before: `assets/changes/<run-id>.json`. */
export interface DerivedChanges {
  runId: string;
  /** The run that this one is compared with; absent where no earlier one is comparable. */
  before?: { runId: string; startedAt: string };
  /** Why none does, in a sentence without its period; present exactly where `before` is absent. */
  missing?: string;
  /** The environment: database, kernel and load generator. */
  environment: VersionChange[];
  /** What changed, in a sentence without its period; present exactly where `before` is. */
  finding?: string;
  /** The implementations of both runs, in alphabetical order of ids; none where `before` is absent. */
  impls: ChangedImpl[];
}

export interface ChangedImpl {
  id: string;
  /** From this run, else from the run before. */
  name: string;
  class: "standard" | "tuned";
  /** `only-now` and `only-before`: only one of the two runs has it. `unknown`: both do, but no level is comparable. */
  state: "compared" | "only-now" | "only-before" | "unknown";
  /** Why it is unknown, in a sentence without its period; present exactly there. */
  missing?: string;
  versions: VersionChange[];
  /** In ascending order of connections; none unless it is compared. */
  levels: ChangedLevel[];
}

export interface ChangedLevel {
  connections: number;
  /**
   * This run's ratio to the control over that of the run before; all intervals of a level hold simultaneously, with
   * 95 % confidence.
   */
  ratio?: RatioInterval;
  /** How to read the ratio if the load generator bounds one of the two. */
  qualifier?: Reading["qualifier"];
  /** Of this run against the one before; present exactly where the ratio is. */
  verdict?: Reading["verdict"];
  /** Ratios to the control, of this run and of the one before. */
  now?: RatioInterval;
  before?: RatioInterval;
  /** Why there is no ratio, in a sentence without its period; present exactly where there is none. */
  missing?: string;
}

/** Returns what changed since the run before, if there is one. */
export function deriveChanges(now: ChangeFacts, chosen: Known<ChangeFacts>): DerivedChanges {
  const { runId } = now;
  if ("missing" in chosen) return { runId, missing: chosen.missing, environment: [], impls: [] };
  const before = chosen.value;
  const pairs = pairUp(now, before);
  const compared = pairs.flatMap(([here, there]) =>
    here !== undefined && there !== undefined && differenceOf(here, there) === undefined
      ? [{ here, there }]
      : []
  );
  const impls = pairs.map(([here, there]): ChangedImpl => {
    if (there === undefined) return { ...describe(here!), state: "only-now" };
    if (here === undefined) return { ...describe(there), state: "only-before" };
    return { ...describe(here), ...changeOf(here, there, compared) };
  });
  return {
    runId,
    before: { runId: before.runId, startedAt: before.startedAt },
    environment: environmentChanges(compared),
    finding: changesFinding(impls),
    impls,
  };
}

type Pair = [now: ChangeFactsOfImpl | undefined, before: ChangeFactsOfImpl | undefined];

function pairUp(now: ChangeFacts, before: ChangeFacts): Pair[] {
  const ids = new Set([...now.impls, ...before.impls].map(({ id }) => id));
  const find = ({ impls }: ChangeFacts, wanted: string) => impls.find(({ id }) => id === wanted);
  return [...ids].sort().map((id) => [find(now, id), find(before, id)]);
}

function describe({ id, name, class: implClass }: ChangeFactsOfImpl) {
  return { id, name, class: implClass, versions: [], levels: [] };
}

/** One implementation in both runs, under the same conditions. */
export interface ComparedPair {
  here: ChangeFactsOfImpl;
  there: ChangeFactsOfImpl;
}

function changeOf(
  here: ChangeFactsOfImpl,
  there: ChangeFactsOfImpl,
  all: ComparedPair[],
): Pick<ChangedImpl, "state" | "missing" | "versions" | "levels"> {
  const versions = versionChanges(there.versions, here.versions, ownParts);
  const difference = differenceOf(here, there);
  if (difference !== undefined) {
    return { state: "unknown", missing: difference, versions, levels: [] };
  }
  const connections = new Set([...here.levels, ...there.levels].map((level) => level.connections));
  const levels = [...connections].sort((a, b) => a - b).map((connections) =>
    levelChange(connections, { here, there }, countAt(connections, all))
  );
  const [first] = levels;
  return levels.some(({ ratio }) => ratio !== undefined)
    ? { state: "compared", versions, levels }
    : {
      state: "unknown",
      missing: first?.missing ?? "no level was compared",
      versions,
      levels: [],
    };
}

/** Returns how many intervals of a level hold simultaneously. */
function countAt(connections: number, pairs: ComparedPair[]): number {
  return pairs.filter(({ here, there }) =>
    [here, there].every((side) => levelAt(side, connections).logRatios.length > 0)
  ).length;
}

function levelAt({ levels, missing }: ChangeFactsOfImpl, connections: number): LevelFacts {
  return levels.find((level) => level.connections === connections) ?? {
    connections,
    logRatios: [],
    isGeneratorBound: false,
    missing: missing ?? `it was not compared at ${connections} connections`,
  };
}

function levelChange(connections: number, pair: ComparedPair, together: number): ChangedLevel {
  const [now, before] = [levelAt(pair.here, connections), levelAt(pair.there, connections)];
  const ratios = { connections, now: now.ratio, before: before.ratio };
  if (now.missing !== undefined) return { ...ratios, missing: now.missing };
  if (before.missing !== undefined) {
    return { ...ratios, missing: `in the earlier run, ${before.missing}` };
  }
  if (now.isGeneratorBound && before.isGeneratorBound) {
    return { ...ratios, missing: "the load generator limited both" };
  }
  // Bonferroni, as within a run: with ten implementations at 95 % each, two runs in five would show a false change.
  const confidence = 1 - 0.05 / together;
  const ratio = twoSampleRatioInterval(now.logRatios, before.logRatios, confidence);
  if (ratio === undefined) return { ...ratios, missing: "an interval needs three rounds of each" };
  const { qualifier, verdict } = readRatio(ratio, {
    a: now.isGeneratorBound,
    b: before.isGeneratorBound,
  });
  return { ...ratios, ratio, qualifier, verdict };
}

/** Returns what changed around any of the implementations, each change once. */
function environmentChanges(pairs: ComparedPair[]): VersionChange[] {
  const changes = pairs.flatMap(({ here, there }) =>
    versionChanges(there.versions, here.versions, sharedParts)
  );
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
