/**
 * The headline: at one level of a run, who is faster than whom, who is tied, and by how much. In: a run from the API.
 * Out: what the home page and the feed show of it, as sentences and as numbers, of warm goodput. If nothing was
 * compared, cold goodput of single loads stands in, and says so.
 */
import type { ApiImpl, ApiLevel, ApiRun } from "./api/schema.ts";
import { runIdsOf } from "./current_run.ts";
import { machineNames } from "./run_summary.ts";
import { shownLevel } from "../results/profiles.ts";
import type { ComparedRun } from "../results/compared_run.ts";
import {
  betweenProcessorsIn,
  type CitedRatio,
  ratioOverRuns,
  ratioVarianceIn,
} from "../results/over_runs.ts";
import { seriesOf } from "../results/series.ts";
import { pairOf, rankAt, type RankedPair, tieLetters } from "../results/rank.ts";
import {
  groupSentences,
  orderValue,
  type Ranked,
  standingOf,
  standingWords,
} from "../results/standing.ts";
import { intervalName, intervalText, proseNames, timesText } from "../results/words.ts";

/** Where implementations stand at a level, over runs or in one. */
export interface HeadlineStanding {
  /** Ratio to the control by id. */
  ratios: ReadonlyMap<string, CitedRatio>;
  /** Letters by id: two that share one are tied. */
  groups: ReadonlyMap<string, string[]>;
  pairs: readonly Omit<RankedPair, "points">[];
}

export interface Headline extends
  Pick<
    ApiRun,
    "id" | "startedAt" | "scenario" | "profile" | "marks"
  > {
  /** Processors, and how many; several where implementations were measured on different ones. */
  machines: string[];
  /** The runs that it is of: several where earlier ones complete the newest, which comes first. */
  runIds: string[];
  /** Ids of those that failed, wherever that was. */
  failed: string[];
  connections: number;
  /** How many have a ratio to the control. */
  ratios: { count: number };
  /** How many runs intervals are over, the most of any; 1 where each is of one run. */
  runs: number;
  /** Which intervals these are: `interval of this run`, `interval over rounds, not runs`, `interval over 3 runs`. */
  interval: string;
  /** Those that have an implementation, standard first. */
  classes: HeadlineClass[];
  /** What a scenario without levels came to, in a sentence without its period. */
  withoutLevels?: string;
}

export interface HeadlineClass {
  class: ApiImpl["class"];
  /** One for each group of implementations that are tied, the fastest first; none without ratios. */
  sentences: string[];
  /** How much faster the first is than the first that it is sure to be faster than, in a sentence, with which interval. */
  lead?: string;
  /** The highest first; without a figure in the end. */
  entries: HeadlineEntry[];
}

export interface HeadlineEntry extends Omit<Ranked, "ratio">, Pick<ApiImpl, "runId"> {
  /** To the control, with the interval that may be cited. */
  ratio?: CitedRatio;
  /** To the first of its class, with the interval of that pair; absent for the first, and where they are no pair. */
  toLeader?: CitedRatio & Pick<RankedPair, "hiddenBy">;
  /** Absent where the run has several kinds of processor, as is cold goodput. */
  warmGoodput?: ApiLevel["warm"]["goodputPerSecond"];
  coldGoodputPerSecond?: number;
  coldStart?: ApiLevel["coldStart"];
  /** Its standing; empty where it is in no pair. */
  words: string;
  /** Why there is no figure. */
  missing?: string;
}

/**
 * Returns the headline of a run, at the level that is shown first if none is named; `standingAt` is of several runs,
 * where there are comparable ones.
 */
export function headlineOf(
  run: ApiRun,
  standingAt: (connections: number) => HeadlineStanding = (connections) =>
    standingInRun(run, connections),
  connections = headlineLevel(run),
): Headline {
  const { id, startedAt, scenario, profile, marks } = run;
  const machines = machineNames(run.impls);
  const standing = standingAt(connections);
  const ratios = [...standing.ratios.values()];
  const { runs } = mostOf(ratios);
  const runIds = runIdsOf(run.impls);
  const classes = (["standard", "tuned"] as const).flatMap((name) => {
    const ofClass = run.impls.filter((impl) => impl.class === name);
    if (ofClass.length === 0) return [];
    const entries = ofClass.map((impl) => entryOf(impl, run, { connections, standing })).sort(
      (a, b) => valueOf(b, ratios.length > 0) - valueOf(a, ratios.length > 0),
    );
    // A ratio is over all runs of one, a pair over those of both: who is slower than another does not lead.
    const leader = entries.findIndex(({ slowerThan }) => slowerThan.length === 0);
    if (leader > 0) entries.unshift(...entries.splice(leader, 1));
    return [{
      class: name,
      sentences: groupSentences(entries),
      lead: leadOf(entries, run, standing),
      entries: entries.map((entry) => {
        const pair = pairOf(standing.pairs, entry.id, entries[0]!.id);
        return {
          ...entry,
          toLeader: pair &&
            { ...pair.ratio, qualifier: pair.qualifier, hiddenBy: pair.hiddenBy },
          words: standingWords(entry, entries),
        };
      }),
    }];
  });
  return {
    id,
    startedAt,
    scenario,
    profile,
    machines,
    runIds,
    marks,
    failed: run.impls.filter(({ status }) => status === "failed").map(({ id }) => id),
    ratios: { count: ratios.length },
    runs,
    interval: intervalsName(ratios, runIds),
    connections,
    classes,
  };
}

/** Returns of ratios the one over most runs, and of these over most machines. */
function mostOf(ratios: readonly CitedRatio[]): { runs: number; machines?: number } {
  const machinesIn = ({ runs, machines = runs }: CitedRatio) => machines;
  const sorted = ratios.toSorted((a, b) => b.runs - a.runs || machinesIn(b) - machinesIn(a));
  return sorted[0] ?? { runs: 1 };
}

/** Names the intervals of ratios, of which some may be over fewer runs than most; takes the runs that they are from. */
export function intervalsName(
  ratios: readonly CitedRatio[],
  runIds: readonly string[],
): string {
  const most = mostOf(ratios);
  const fewest = Math.min(most.runs, ...ratios.map(({ runs }) => runs));
  // Where earlier runs complete the newest, the two of a pair may be of different ones.
  if (most.runs === 1 && most.machines === undefined && runIds.length > 1) {
    return "interval over rounds, not runs";
  }
  return fewest === most.runs ? intervalName(most) : `interval over ${fewest} to ${most.runs} runs`;
}

/** Returns where implementations stand in a run alone. */
function standingInRun({ impls, pairs = [] }: ApiRun, connections: number): HeadlineStanding {
  const warm = impls.flatMap((impl) => {
    const level = levelOf(impl, connections);
    return level === undefined ? [] : [{ id: impl.id, ...level.warm }];
  });
  return {
    ratios: new Map(
      warm.flatMap(({ id, ratio, qualifier }) =>
        ratio === undefined ? [] : [[id, { ...ratio, runs: 1, qualifier }]]
      ),
    ),
    groups: new Map(warm.map(({ id, tieGroups }) => [id, tieGroups])),
    pairs: pairs.filter((pair) => pair.connections === connections)
      .map(({ ratio, ...pair }) => ({ ...pair, ratio: { ...ratio, runs: 1 } })),
  };
}

/** Returns where the implementations of a run stand over it and the comparable runs before it; the newest first. */
export function standingOverRuns(
  runs: readonly ComparedRun[],
  connections: number,
): HeadlineStanding {
  const series = (runs[0]?.impls ?? []).map(({ id }) => ({ id, series: seriesOf(id, runs) }));
  const { ties, pairs } = rankAt(
    series.map(({ series }) => series),
    connections,
    betweenProcessorsIn(runs, connections),
  );
  const pooled = ratioVarianceIn(runs, connections);
  return {
    ratios: new Map(series.flatMap(({ id, series }) => {
      const ratio = ratioOverRuns(series, connections, pooled);
      return "value" in ratio ? [[id, ratio.value]] : [];
    })),
    groups: new Map(series.map(({ id }) => [id, tieLetters(ties, id)])),
    pairs,
  };
}

/** The level that is shown first of those with a ratio; where none has one, of those with cold goodput, else of all. */
function headlineLevel({ impls }: ApiRun): number {
  const levels = impls.flatMap((impl) => impl.levels);
  const known = [
    levels.filter(({ warm }) => warm.ratio !== undefined),
    levels.filter(({ cold }) => cold.goodputPerSecond !== undefined),
  ].find((some) => some.length > 0) ?? levels;
  return shownLevel(known.map(({ connections }) => connections));
}

function levelOf(impl: ApiImpl, connections: number): ApiLevel | undefined {
  return impl.levels.find((level) => level.connections === connections);
}

interface At {
  connections: number;
  standing: HeadlineStanding;
}

function entryOf(
  impl: ApiImpl,
  run: ApiRun,
  { connections, standing }: At,
): Omit<HeadlineEntry, "words"> {
  const { id, name, runId } = impl;
  const level = levelOf(impl, connections);
  const order = run.impls.map((impl) => ({
    id: impl.id,
    ...rankedOf(impl, { connections, standing }),
  }))
    .sort((a, b) => orderValue(b) - orderValue(a)).map(({ id }) => id);
  return {
    id,
    name,
    runId,
    ...rankedOf(impl, { connections, standing }),
    // Rates of different processors do not compare: not in one table either.
    ...(machineNames(run.impls).length === 1
      ? {
        warmGoodput: level?.warm.goodputPerSecond,
        coldGoodputPerSecond: level?.cold.goodputPerSecond,
      }
      : {}),
    coldStart: level?.coldStart,
    ...standingOf(id, standing.pairs, order),
    missing: missingOf(level),
  };
}

/** Returns why there is no figure: a ratio stands, whatever disturbed the cold load. */
function missingOf(level: ApiLevel | undefined): string | undefined {
  if (level === undefined) return "not measured at this level";
  const { warm, cold } = level;
  return warm.ratio === undefined ? cold.missing ?? warm.ratioMissing : undefined;
}

function rankedOf(impl: ApiImpl, { connections, standing: { ratios, groups } }: At) {
  return {
    ratio: ratios.get(impl.id),
    isGeneratorBound: levelOf(impl, connections)?.isGeneratorBound ?? false,
    groups: groups.get(impl.id) ?? [],
  };
}

function valueOf(
  entry: Omit<HeadlineEntry, "words">,
  isCompared: boolean,
): number {
  return isCompared ? orderValue(entry) : entry.coldGoodputPerSecond ?? 0;
}

/** Warm goodput over warm goodput; over machines that differ, only the ratios to the control. */
function leadOf(
  entries: Omit<HeadlineEntry, "words">[],
  run: ApiRun,
  standing: HeadlineStanding,
): string | undefined {
  const [first] = entries;
  const over = entries.find(({ id }) => id === first?.fasterThan[0]);
  if (first === undefined || over === undefined) return undefined;
  const pair = pairOf(standing.pairs, first.id, over.id);
  if (pair === undefined) return undefined;
  const { ratio } = pair;
  const qualifier = pair.qualifier ?? (first.isGeneratorBound ? "at least" : undefined);
  const times = timesText(ratio, qualifier);
  const names = proseNames(entries.map(({ name }) => name));
  const [winner, loser] = [first, over].map(({ name }) => names.get(name));
  // Rates of several machines or runs do not compare: only the ratios to the control do.
  return (machineNames(run.impls).length > 1 || first.runId !== over.runId
    ? `${winner}’s warm ratio to the control is ${times} that of ${loser}`
    : `${winner}, warm, answered ${times} as many requests as ${loser}`) +
    ` (${qualifier === undefined ? `${intervalText(ratio)}; ` : ""}${
      intervalsName([ratio], runIdsOf(run.impls))
    }).`;
}
