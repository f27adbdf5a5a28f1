/**
 * Which ratio may be cited? From two comparable runs on, the long-run ratio over them, whose interval has the variation
 * between runs in it; of a single run, its ratio, whose interval is over its rounds, or over its machines where there are
 * several, and called that. In: what runs found, the newest first. Ratios of several processors are put together only
 * with how much ratios differ between processors in the interval.
 */
import type { Qualifier } from "./compared.ts";
import type { ComparedRun } from "./compared_run.ts";
import type { Known } from "./known.ts";
import {
  alikeIn,
  type Found,
  levelIn,
  programRuns,
  qualifiersIn,
  ratiosByProcessor,
  ratiosByRun,
  ratiosIn,
  replicasOf,
  runRatios,
  type Series,
  seriesOf,
} from "./series.ts";
import {
  type BetweenProcessors,
  betweenProcessors,
  type LongRunOptions,
  type LongRunRatio,
  longRunRatio,
  pooledRunVariance,
  type RatioInterval,
  ratioToEarlierRuns,
  type Variance,
} from "../statistics/mod.ts";

/** A ratio with the interval that may be cited. */
export interface CitedRatio
  extends Pick<RatioInterval, "estimate" | "low" | "high" | "confidence"> {
  /**
   * How many runs the interval is over; 1 for that of a single run. Of a pair over the runs of each, those of the one with
   * fewer, at least 2.
   */
  runs: number;
  /** How many machines measured in them; absent where it was one in each run, and of a pair over the runs of each. */
  machines?: number;
  /** How to read a ratio to the control where the load generator limited one of the two in any of these runs. */
  qualifier?: Qualifier;
}

/** Tells whether an interval covers how far runs differ, or the machines of one. */
export function isOverRuns({ runs, machines = runs }: CitedRatio): boolean {
  return machines > 1;
}

/**
 * Returns the ratio to the control that may be cited of an implementation; `pooled` is how far runs differ, of all
 * implementations of the level: see {@linkcode ratioVarianceIn}. Where it is at least that in some runs and at most that in
 * others, no ratio over them is known, and that of the newest run stands alone.
 */
export function ratioOverRuns(
  series: Series,
  connections: number,
  pooled?: Variance,
): Known<CitedRatio> {
  const [newest] = series;
  if (newest === undefined) return { missing: "it was not measured" };
  const { ratio } = levelIn(newest, connections);
  if ("missing" in ratio) return ratio;
  const isKnown = qualifiersIn(series, connections).length < 2;
  const runs = isKnown ? series : series.filter(({ runId }) => runId === newest.runId);
  const [qualifier] = qualifiersIn(runs, connections);
  const value = cite(ratiosIn(runs, connections), { pooled });
  return { value: qualifier === undefined ? value : { ...value, qualifier } };
}

/**
 * Returns how far runs differ at a level, of the ratios to the control of all implementations, each in its newest runs that are
 * of the first one's scenario, profile and control; undefined where nothing tells.
 */
export function ratioVarianceIn(
  runs: readonly ComparedRun[],
  connections: number,
): Variance | undefined {
  const alike = alikeIn(runs);
  const ids = new Set(alike.flatMap(({ impls }) => impls.map(({ id }) => id)));
  const ratios = [...ids].map((id) => runRatios(ratiosIn(seriesOf(id, alike), connections)));
  return pooledRunVariance(ratios, "to the control");
}

/**
 * Returns the long-run ratio to the control over the comparable measurements of an implementation; undefined with fewer
 * than two runs. `pooled` is as in {@linkcode ratioOverRuns}.
 */
export function longRunOf(
  series: Series,
  connections: number,
  pooled?: Variance,
): LongRunRatio | undefined {
  const runs = runRatios(ratiosIn(series, connections));
  return runs.length === 0 ? undefined : longRunRatio(runs, { pooled });
}

/**
 * Returns how an implementation's ratio in its newest run compares with the long-run ratio of two or more runs before it,
 * the machines of each together; undefined where the newest run has no ratio, or there are fewer.
 */
export function changeOverRuns(
  series: Series,
  connections: number,
  confidence = 0.95,
): CitedRatio | undefined {
  const found = ratiosIn(series, connections);
  const isNow = ({ runId }: Found) => runId === series[0]?.runId;
  const [now, earlier] = [found.filter(isNow), found.filter((it) => !isNow(it))];
  const change = ratioToEarlierRuns(ratiosByRun(now), ratiosByRun(earlier), confidence);
  return change && { ...change, ...countsOf(earlier), confidence };
}

/**
 * Returns how much ratios to the control differ between processors at a level, from all runs of the first one's scenario,
 * profile and control in which an implementation is the program that it is in the newest; machines of one run and processor
 * count together. Undefined where fewer than three implementations were measured on two: the deviation of fewer is often 0 by
 * chance, and an interval that includes it then no wider than without.
 */
export function betweenProcessorsIn(
  runs: readonly ComparedRun[],
  connections: number,
): BetweenProcessors | undefined {
  // Those whose idle processors poll are left out: with the same processors otherwise, they would make these look alike.
  const alike = alikeIn(runs).map(({ impls, ...run }) => ({
    ...run,
    impls: impls.flatMap((impl) => {
      const [first, ...replicas] = replicasOf([impl])
        .filter(({ conditions }) => conditions.idle === undefined);
      return first === undefined ? [] : [{ ...first, replicas }];
    }),
  }));
  const ids = new Set(alike.flatMap(({ impls }) => impls.map(({ id }) => id)));
  const between = betweenProcessors(
    [...ids].map((id) => ratiosByProcessor(ratiosIn(programRuns(id, alike), connections))),
  );
  return between !== undefined && between.impls >= leastOnTwo ? between : undefined;
}

/** How many implementations on two processors tell how much ratios differ between them: see `coverage_over_runs_test.ts`. */
export const leastOnTwo = 3;

/** Returns the ratio that may be cited of what runs found: over them, or of the newest if it is the only one. */
export function cite(
  found: readonly Found[],
  { confidence = 0.95, pooled }: LongRunOptions,
): CitedRatio {
  const over = overRuns(found, { pooled, confidence });
  if (over === undefined) return { ...cited(found[0]!.ratio.ratio), runs: 1 };
  const { estimate, low, high } = over;
  return { estimate, low, high, confidence, ...countsOf(found) };
}

/**
 * Returns the ratio over runs, in which the machines of each count together; over the machines of a single run, whose
 * interval does not cover what further runs find, and for which nothing is pooled.
 */
function overRuns(
  found: readonly Found[],
  { pooled, confidence }: LongRunOptions,
): LongRunRatio | undefined {
  const runs = runRatios(found);
  return runs.length > 0
    ? longRunRatio(runs, { pooled, confidence })
    : longRunRatio(found.map(({ ratio }) => ratio), { confidence });
}

/** Counts runs, and machines where that is not the same. */
export function countsOf(found: readonly Found[]): Pick<CitedRatio, "runs" | "machines"> {
  const runs = new Set(found.map(({ runId }) => runId)).size;
  return runs === found.length ? { runs } : { runs, machines: found.length };
}

/** Returns the ends of an interval alone. */
export function cited({ estimate, low, high, confidence }: Omit<RatioInterval, "method">) {
  return { estimate, low, high, confidence };
}
