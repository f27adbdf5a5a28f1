/**
 * The ranking of one run: at each level, who is faster than whom, who is tied, and who wins by how much. In: all
 * results of the run. Out: what the site shows of it; does no input or output.
 */
import { comparedAt, logRatiosOf, ratioAt } from "../results/compared.ts";
import { valueOf } from "../results/known.ts";
import { isGeneratorBound, levelAt, outcomeAt } from "../results/outcome.ts";
import type { Frame } from "../results/protocols_schema.ts";
import type { Result } from "../results/result_schema.ts";
import {
  comparePairs,
  inverse,
  type RankPair,
  type RatioInterval,
  type Reading,
  readRatio,
  tieGroups,
  winPoints,
} from "../statistics/mod.ts";

/** What follows from one run. */
export interface DerivedRun {
  runId: string;
  profile: Result["plan"]["profile"];
  /** In ascending order of connections. */
  levels: DerivedLevel[];
  /** Most points first, each class apart; absent where the run has no pairs. */
  scorecard?: DerivedScore[];
}

export interface DerivedLevel {
  connections: number;
  /** In alphabetical order of ids, also those without a number. */
  impls: DerivedImpl[];
  /** Ids that nothing tells apart, the fastest first; each class apart. Absent where the run has no ratios. */
  ties?: string[][];
  /** All pairs of a class. Their intervals hold simultaneously, with 95 % confidence. */
  pairs: DerivedPair[];
}

export interface DerivedImpl {
  id: string;
  class: Result["impl"]["class"];
  /** Of protocol A; absent where the level is invalid or was not measured. */
  goodputPerSecond?: number;
  isGeneratorBound?: boolean;
  bottleneck?: Frame["bottleneck"];
  /** To the control, of protocol B. */
  ratio?: RatioInterval;
  /** Ids of its class that nothing tells it apart from. */
  tiedWith: string[];
  /** Letters: two implementations that share one are tied. Empty where there is no ratio. */
  groups: string[];
}

export interface DerivedPair extends RankPair, Omit<Reading, "range"> {
  /** That the faster one wins. */
  points: number;
}

export interface DerivedScore {
  id: string;
  class: Result["impl"]["class"];
  /** Over all levels and opponents. */
  points: number;
  /** Points over all levels, for each opponent. */
  against: { id: string; points: number }[];
}

/** Derives one run. */
export function deriveRun(results: Result[]): DerivedRun {
  const [first] = results;
  if (first === undefined) throw new RangeError("deriveRun() needs at least one result");
  const connections = new Set(results.flatMap((result) => [
    ...result.levels.map((level) => level.connections),
    ...(result.comparison?.levels ?? []).map((level) => level.connections),
  ]));
  const levels = [...connections].sort((a, b) => a - b)
    .map((connections) => deriveLevel(results, connections));
  const scorecard = scoresOf(results, levels.flatMap(({ pairs }) => pairs));
  return {
    runId: first.runId,
    profile: first.plan.profile,
    levels,
    scorecard: scorecard.length === 0 ? undefined : scorecard,
  };
}

function deriveLevel(results: Result[], connections: number): DerivedLevel {
  const ties: string[][] = [];
  const pairs: DerivedPair[] = [];
  for (const group of Map.groupBy(results, comparability).values()) {
    const entries = group.flatMap((result) => {
      const level = valueOf(comparedAt(result, connections));
      if (level?.goodput === undefined) return [];
      const { estimate } = level.goodput;
      return [{ id: result.impl.id, estimate, logRatios: logRatiosOf(level) }];
    });
    const bound = new Set(
      group.filter((result) => isGeneratorBound(result, connections)).map(({ impl }) => impl.id),
    );
    const compared = comparePairs(entries).map((pair) => {
      const { range, ...reading } = readRatio(pair.ratio, {
        a: bound.has(pair.a),
        b: bound.has(pair.b),
      });
      return { pair, reading, known: { ...pair.ratio, ...range } };
    });
    ties.push(
      ...tieGroups(entries, compared.map(({ pair, known }) => ({ ...pair, ratio: known }))),
    );
    pairs.push(...compared.map(({ pair, reading, known }) => ({
      ...pair,
      ...reading,
      points: Math.max(winPoints(known), winPoints(inverse(known))),
    })));
  }
  return {
    connections,
    impls: results.map((result) => deriveImpl(result, connections, { ties, pairs }))
      .sort((a, b) => a.id < b.id ? -1 : 1),
    ties: ties.length === 0 ? undefined : ties,
    pairs,
  };
}

/** Returns the same text for results that may be ranked together. */
function comparability({ impl, control }: Result): string {
  return `${impl.class} ${control?.version}`;
}

function deriveImpl(
  result: Result,
  connections: number,
  { ties, pairs }: { ties: string[][]; pairs: DerivedPair[] },
): DerivedImpl {
  const { id, class: implClass } = result.impl;
  const frame = levelAt(result, connections)?.frame;
  return {
    id,
    class: implClass,
    goodputPerSecond: valueOf(outcomeAt(result, connections))?.figures.goodputPerSecond,
    isGeneratorBound: frame?.isGeneratorBound,
    bottleneck: frame?.bottleneck,
    ratio: valueOf(ratioAt(result, connections)),
    tiedWith: pairs.filter(({ a, b, verdict }) => verdict === "tied" && (a === id || b === id))
      .map(({ a, b }) => a === id ? b : a),
    groups: ties.flatMap((group, index) => group.includes(id) ? [letterOf(index)] : []),
  };
}

/** Returns a, b, … z, a1, b1, … */
function letterOf(index: number): string {
  const letter = String.fromCharCode("a".charCodeAt(0) + index % 26);
  return index < 26 ? letter : `${letter}${Math.floor(index / 26)}`;
}

function scoresOf(results: Result[], pairs: DerivedPair[]): DerivedScore[] {
  return results.flatMap(({ impl }) => {
    const points = new Map<string, number>();
    for (const { a, b, verdict, points: won } of pairs) {
      if (impl.id !== a && impl.id !== b) continue;
      const [opponent, wins] = impl.id === a
        ? [b, verdict === "faster"]
        : [a, verdict === "slower"];
      points.set(opponent, (points.get(opponent) ?? 0) + (wins ? won : 0));
    }
    if (points.size === 0) return [];
    const against = [...points].map(([id, points]) => ({ id, points }))
      .sort((a, b) => a.id < b.id ? -1 : 1);
    const sum = against.reduce((total, { points }) => total + points, 0);
    return [{ id: impl.id, class: impl.class, points: sum, against }];
  }).sort((a, b) => a.class === b.class ? b.points - a.points : a.class === "standard" ? -1 : 1);
}
