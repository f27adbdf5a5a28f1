/**
 * The ranking of one run: at each level, who is faster than whom, who is tied, and who wins by how much. In: all
 * results of the run, and how much ratios differ between processors where it was measured on several. Out: what the site
 * shows of it; does no input or output.
 */
import { type Qualifier, qualifierAt, ratioAt } from "../results/compared.ts";
import { type ComparedRun, comparedRunOf } from "../results/compared_run.ts";
import {
  coldGoodputAt,
  type ColdStart,
  coldStartAt,
  type WarmGoodput,
  warmGoodputAt,
} from "../results/goodput.ts";
import { valueOf } from "../results/known.ts";
import { frameAt } from "../results/bottleneck.ts";
import { hasCeiling, isGeneratorBound } from "../results/outcome.ts";
import type { Frame } from "../results/protocols_schema.ts";
import { type Rank, rankAt, type RankedPair, tieLetters } from "../results/rank.ts";
import { seriesOf } from "../results/series.ts";
import { firstsOf } from "../results/replicas.ts";
import type { Result } from "../results/result_schema.ts";
import { machineNames } from "./run_summary.ts";
import type { BetweenProcessors, RatioInterval } from "../statistics/mod.ts";

/** Returns how much ratios to the control differ between processors at a level; undefined where nothing tells. */
type BetweenProcessorsAt = (connections: number) => BetweenProcessors | undefined;

/** What follows from one run. */
export interface DerivedRun {
  /** In ascending order of connections. */
  levels: DerivedLevel[];
}

export interface DerivedLevel {
  connections: number;
  /** In alphabetical order of ids, also those without a number. */
  impls: DerivedImpl[];
  /** All pairs of a class. Their intervals hold simultaneously, with 95 % confidence. */
  pairs: RankedPair[];
}

export interface DerivedImpl {
  id: string;
  class: Result["impl"]["class"];
  /** Of the cold load (protocol A); absent where the level is invalid or was not measured. */
  coldGoodputPerSecond?: number;
  /** Of the comparison (protocol B), with its interval. */
  warmGoodput?: WarmGoodput;
  coldStart?: ColdStart;
  isGeneratorBound?: boolean;
  bottleneck?: Frame["bottleneck"];
  /** Of warm goodput to the control's. */
  ratio?: RatioInterval;
  /** How to read the ratio; absent where the load generator limited neither of the two. */
  qualifier?: Qualifier;
  /** Ids of its class that nothing tells it apart from. */
  tiedWith: string[];
  /** Letters: two implementations that share one are tied. Empty where there is no ratio. */
  groups: string[];
}

/** Derives one run; pairs are over all machines that measured in it. */
export function deriveRun(
  all: Result[],
  betweenAt: BetweenProcessorsAt = () => undefined,
): DerivedRun {
  const results = firstsOf(all);
  const run = comparedRunOf(all);
  const connections = new Set(results.flatMap((result) => [
    ...result.levels.map((level) => level.connections),
    ...(result.comparison?.levels ?? []).map((level) => level.connections),
  ]));
  const isOneMachine = machineNames(results).length === 1;
  const levels = [...connections].sort((a, b) => a - b).map((connections) =>
    deriveLevel(results, connections, {
      run,
      between: isOneMachine ? undefined : betweenAt(connections),
    })
  );
  return { levels };
}

function deriveLevel(
  results: Result[],
  connections: number,
  { run, between }: { run: ComparedRun; between: BetweenProcessors | undefined },
): DerivedLevel {
  const series = results.map(({ impl }) => seriesOf(impl.id, [run]));
  const rank = rankAt(series, connections, between);
  return {
    connections,
    impls: results.map((result) => deriveImpl(result, connections, rank))
      .sort((a, b) => a.id < b.id ? -1 : 1),
    pairs: rank.pairs,
  };
}

function deriveImpl(
  result: Result,
  connections: number,
  { ties, pairs }: Rank,
): DerivedImpl {
  const { id, class: implClass } = result.impl;
  const frame = frameAt(result, connections);
  return {
    id,
    class: implClass,
    coldGoodputPerSecond: valueOf(coldGoodputAt(result, connections)),
    warmGoodput: valueOf(warmGoodputAt(result, connections)),
    coldStart: valueOf(coldStartAt(result, connections)),
    isGeneratorBound: hasCeiling(result, connections)
      ? isGeneratorBound(result, connections)
      : undefined,
    bottleneck: frame?.bottleneck,
    ratio: valueOf(ratioAt(result, connections)),
    qualifier: qualifierAt(result, connections),
    tiedWith: pairs.filter(({ a, b, verdict }) => verdict === "tied" && (a === id || b === id))
      .map(({ a, b }) => a === id ? b : a),
    groups: tieLetters(ties, id),
  };
}
