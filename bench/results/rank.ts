/**
 * Who is ahead of whom at a level, who is tied, and by how much one wins: each class apart. In: implementations, each
 * in one run or over several. Out: every pair with its ratio and verdict, and the groups that nothing tells apart.
 */
import type { ComparedImpl } from "./compared_run.ts";
import type { CitedRatio } from "./over_runs.ts";
import { pairOverRuns, pairVarianceOf } from "./pairs_over_runs.ts";
import { isBoundIn, levelIn, type Series } from "./series.ts";
import { machineOf } from "./comparable.ts";
import { valueOf } from "./known.ts";
import { oppositeVerdict } from "./standing.ts";
import {
  type BetweenProcessors,
  comparePairs,
  inverse,
  median,
  type Reading,
  readRatio,
  tieGroups,
  winPoints,
} from "../statistics/mod.ts";

/** The verdict on a pair; the intervals of all pairs of a class hold simultaneously, with 95 % confidence. */
export interface RankedPair extends Omit<Reading, "range"> {
  a: string;
  b: string;
  /** Of a's warm goodput to b's. */
  ratio: CitedRatio;
  /**
   * That the faster one wins by at this level, as the article's scorecard gives them for each pair and measurement;
   * they are never summed.
   */
  points: number;
}

/** The ranking of a level. */
export interface Rank {
  /** Ids that nothing tells apart, the fastest first. */
  ties: string[][];
  pairs: RankedPair[];
}

/** Ranks implementations at a level; `between` is how much ratios differ between processors, without which these stay apart. */
export function rankAt(
  all: readonly Series[],
  connections: number,
  between?: BetweenProcessors,
): Rank {
  const entries = all.flatMap((series) => {
    const [newest] = series;
    if (newest === undefined) return [];
    const { logRatios, ratio } = levelIn(newest, connections);
    if (logRatios.length < 3) return [];
    const estimate = valueOf(ratio)?.estimate ?? Math.exp(median(logRatios));
    return [{ id: newest.id, estimate, newest, series }];
  });
  const groups = Map.groupBy(entries, ({ newest }) => rankKey(newest, between));
  const ranks = [...groups.values()].map((group) => rankGroup(group, connections, between));
  return { ties: ranks.flatMap(({ ties }) => ties), pairs: ranks.flatMap(({ pairs }) => pairs) };
}

/** Returns the letters of the groups that an implementation is in: two that share one are tied. */
export function tieLetters(ties: readonly string[][], id: string): string[] {
  return ties.flatMap((group, index) => group.includes(id) ? [letterOf(index)] : []);
}

const opposite = {
  verdict: oppositeVerdict,
  qualifier: { "at least": "at most", "at most": "at least" },
  hiddenBy: { a: "b", b: "a", both: "both" },
} as const;

/** Returns the pair of a and b from those of a level, a first; undefined where the two are no pair. */
export function pairOf<Pair extends Omit<RankedPair, "points">>(
  pairs: readonly Pair[],
  a: string,
  b: string,
): Pair | undefined {
  const pair = pairs.find((pair) => [a, b].includes(pair.a) && [a, b].includes(pair.b));
  if (pair === undefined || pair.a === a) return pair;
  const { ratio, verdict, qualifier, hiddenBy } = pair;
  return {
    ...pair,
    a,
    b,
    ratio: inverse(ratio),
    verdict: opposite.verdict[verdict],
    qualifier: qualifier && opposite.qualifier[qualifier],
    hiddenBy: hiddenBy && opposite.hiddenBy[hiddenBy],
  };
}

interface Entry {
  id: string;
  estimate: number;
  newest: ComparedImpl;
  series: Series;
}

function rankGroup(group: Entry[], connections: number, between?: BetweenProcessors): Rank {
  const seriesOf = new Map(group.map(({ id, series }) => [id, series]));
  const pooled = pairVarianceOf([...seriesOf.values()], connections);
  const pairs = comparePairs(group.map(({ id }) => id), (a, b, confidence) => {
    const [ofA, ofB] = [seriesOf.get(a)!, seriesOf.get(b)!];
    return valueOf(pairOverRuns(ofA, ofB, connections, { confidence, between, pooled }));
  });
  const read = pairs.map((pair) => {
    const [a, b] = [pair.a, pair.b].map((id) => isBoundIn(seriesOf.get(id)!, connections));
    const { range, ...reading } = readRatio(pair.ratio, { a: a!, b: b! });
    return { pair, reading, known: { ...pair.ratio, ...range } };
  });
  return {
    ties: tieGroups(group, read.map(({ pair, known }) => ({ ...pair, ratio: known }))),
    pairs: read.map(({ pair, reading, known }) => ({
      ...pair,
      ...reading,
      points: Math.max(winPoints(known), winPoints(inverse(known))),
    })),
  };
}

/** Returns the same text for implementations that may be ranked together. */
function rankKey(impl: ComparedImpl, between: BetweenProcessors | undefined): string {
  const { control, idle } = impl.conditions;
  const processor = between === undefined ? [machineOf(impl.conditions)] : [];
  return JSON.stringify([impl.class, control, idle, ...processor]);
}

/** Returns a, b, … z, a1, b1, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode("a".charCodeAt(0) + index % 26);
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}
