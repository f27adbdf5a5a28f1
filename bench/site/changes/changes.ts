/**
 * What changed from earlier runs to one? In: the ratios to the control in that run and in those before it. Out: for
 * each implementation and level, the run's ratio over the long-run ratio of the comparable runs before it, with an
 * interval that has the variation between runs in it. One earlier run does not tell how far runs differ: then both
 * ratios stand beside each other with the intervals of their runs, and there is no verdict.
 */
import { sumOf } from "../../lib/sum.ts";
import { changesFinding } from "./finding.ts";
import { differenceOf } from "./choose_before.ts";
import type { ComparedImpl, ComparedRun } from "../../results/compared_run.ts";
import type { Known } from "../../results/known.ts";
import { changeOverRuns, type CitedRatio, ratioOverRuns } from "../../results/over_runs.ts";
import { isBoundIn, levelIn, replicasOf, type Series, seriesOf } from "../../results/series.ts";
import {
  ownParts,
  sharedParts,
  type VersionChange,
  versionChanges,
} from "../../results/versions.ts";
import { type Reading, readRatio } from "../../statistics/mod.ts";

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
   * This run's ratio to the control over the long-run ratio of `ratio.runs` comparable runs before it; all intervals of a
   * run hold simultaneously, with 95 % confidence. Absent with fewer than two such runs.
   */
  ratio?: CitedRatio;
  /** How to read the ratio if the load generator bounds one of the two. */
  qualifier?: Reading["qualifier"];
  /** Of this run against those before; present exactly where the ratio is. */
  verdict?: Reading["verdict"];
  /** Ratio to the control in this run, and that which may be cited of the runs before it. */
  now?: CitedRatio;
  before?: CitedRatio;
  /** Why there is no ratio, in a sentence without its period; present exactly where there is none. */
  missing?: string;
}

/** Returns what changed since the run before, if there is one; takes all earlier runs, the newest first. */
export function deriveChanges(
  now: ComparedRun,
  chosen: Known<ComparedRun>,
  earlier: readonly ComparedRun[],
): DerivedChanges {
  const { runId } = now;
  if ("missing" in chosen) return { runId, missing: chosen.missing, environment: [], impls: [] };
  const before = chosen.value;
  const pairs = pairUp(now, before);
  const compared = pairs.flatMap(([here, there]) =>
    here !== undefined && there !== undefined && differenceOf(here, there) === undefined
      ? [{
        here,
        there,
        series: [...replicasOf([here]), ...seriesOf(here.id, earlier, here.conditions)],
      }]
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

type Pair = [now: ComparedImpl | undefined, before: ComparedImpl | undefined];

function pairUp(now: ComparedRun, before: ComparedRun): Pair[] {
  const ids = new Set([...now.impls, ...before.impls].map(({ id }) => id));
  const find = ({ impls }: ComparedRun, wanted: string) => impls.find(({ id }) => id === wanted);
  return [...ids].sort().map((id) => [find(now, id), find(before, id)]);
}

function describe({ id, name, class: implClass }: ComparedImpl) {
  return { id, name, class: implClass, versions: [], levels: [] };
}

/** One implementation in both runs, under the same conditions. */
interface ComparedPair {
  here: ComparedImpl;
  there: ComparedImpl;
  /** What it came to in this run, on all machines, then in the comparable ones before it that are of one program. */
  series: Series;
}

function changeOf(
  here: ComparedImpl,
  there: ComparedImpl,
  compared: ComparedPair[],
): Pick<ChangedImpl, "state" | "missing" | "versions" | "levels"> {
  const versions = versionChanges(there.versions, here.versions, ownParts);
  const difference = differenceOf(here, there);
  if (difference !== undefined) {
    return { state: "unknown", missing: difference, versions, levels: [] };
  }
  const { series } = compared.find((pair) => pair.here === here)!;
  const connections = new Set([...here.levels, ...there.levels].map((level) => level.connections));
  const together = countTogether(compared);
  const levels = [...connections].sort((a, b) => a - b).map((connections) =>
    levelChange(series, connections, together)
  );
  return levels.some(({ now, before }) => now !== undefined && before !== undefined)
    ? { state: "compared", versions, levels }
    : {
      state: "unknown",
      missing: reasonOf(levels),
      versions,
      levels: [],
    };
}

/** Returns why no level is comparable: the reason of all, or that of the first with its level. */
function reasonOf([first, ...others]: ChangedLevel[]): string {
  if (first?.missing === undefined) return "no level was compared";
  return others.every(({ missing }) => missing === first.missing)
    ? first.missing
    : `at ${first.connections} connections, ${first.missing}`;
}

/** Returns how many intervals of a run hold simultaneously: one for each level that has earlier ratios to compare with. */
function countTogether(pairs: ComparedPair[]): number {
  return sumOf(
    pairs,
    ({ here, series }) =>
      here.levels.filter(({ connections }) => changeOverRuns(series, connections) !== undefined)
        .length,
  );
}

function levelChange(series: Series, connections: number, together: number): ChangedLevel {
  const earlier = series.filter(({ runId }) => runId !== series[0]!.runId);
  const newest = series.slice(0, series.length - earlier.length);
  const known = earlier.filter((impl) => "value" in levelIn(impl, connections).ratio);
  const now = ratioOverRuns(newest, connections);
  const before = ratioOverRuns(known.length > 0 ? known : earlier, connections);
  if ("missing" in now) return { connections, missing: now.missing };
  const ratios = { connections, now: now.value };
  if ("missing" in before) return { ...ratios, missing: `in the earlier run, ${before.missing}` };
  const both = { ...ratios, before: before.value };
  const isBound = { a: isBoundIn(newest, connections), b: isBoundIn(known, connections) };
  if (isBound.a && isBound.b) return { ...ratios, missing: "the load generator limited both" };
  // Bonferroni, as within a run: with ten implementations at 95 % each, two runs in five would show a false change.
  const ratio = changeOverRuns(series, connections, 1 - 0.05 / together);
  if (ratio === undefined) {
    return { ...both, missing: "not decided: one earlier run does not tell how far runs differ" };
  }
  const { qualifier, verdict } = readRatio(ratio, isBound);
  return { ...both, ratio, qualifier, verdict };
}

/** Returns what changed around any of the implementations, each change once. */
function environmentChanges(pairs: ComparedPair[]): VersionChange[] {
  const changes = pairs.flatMap(({ here, there }) =>
    versionChanges(there.versions, here.versions, sharedParts)
  );
  return [...new Map(changes.map((change) => [JSON.stringify(change), change])).values()];
}
