/**
 * Which ratio may be cited? From two comparable runs on, the long-run ratio over them, whose interval has the variation
 * between runs in it; of a single run, its ratio, whose interval is over its rounds, or over its machines where there are
 * several, and called that. In: what runs found, the newest first. Ratios of several processors are put together only
 * with how much ratios differ between processors in the interval.
 */
import type { Qualifier } from "./compared.ts";
import type { ComparedImpl, ComparedRun } from "./compared_run.ts";
import { type Known, missingOf, valueOf } from "./known.ts";
import {
  alikeIn,
  type Found,
  isSameProcessor,
  levelIn,
  processorOf,
  programRuns,
  qualifiersIn,
  ratiosByProcessor,
  ratiosByRun,
  ratiosIn,
  replicasOf,
  runRatios,
  type Series,
  seriesOf,
  sharedRuns,
} from "./series.ts";
import {
  acrossRuns,
  type BetweenProcessors,
  betweenProcessors,
  type LongRunRatio,
  longRunRatio,
  meanOfMachines,
  pooledRunVariance,
  type RatioInterval,
  ratioToEarlierRuns,
  twoSampleRatioInterval,
  type Variance,
  widened,
} from "../statistics/mod.ts";

/** A ratio with the interval that may be cited. */
export interface CitedRatio
  extends Pick<RatioInterval, "estimate" | "low" | "high" | "confidence"> {
  /** How many runs the interval is over; 1 for that of a single run. Of a pair that fewer than two have both of, the fewer of its two, or 2. */
  runs: number;
  /** How many machines measured in them; absent where it was one in each run. */
  machines?: number;
  /** How to read a ratio to the control where the load generator limited one of the two in any of these runs. */
  qualifier?: Qualifier;
}

/** Tells whether an interval covers how far runs differ, or the machines of one. */
export function isOverRuns({ runs, machines = runs }: CitedRatio): boolean {
  return machines > 1;
}

/** Options for ratios of pairs. */
export interface PairOptions {
  /** A share; 0.95 by default. */
  confidence?: number;
  /** How much ratios differ between processors, for pairs that were measured on two. */
  between?: BetweenProcessors;
  /** How far runs differ, over all pairs that are ranked together: see {@linkcode pairVarianceOf}. */
  pooled?: Variance;
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

/** Returns how far runs differ, of the ratios of all pairs of implementations; undefined where nothing tells. */
export function pairVarianceOf(all: readonly Series[], connections: number): Variance | undefined {
  const pairs = all.flatMap((a, index) => all.slice(index + 1).map((b) => [a, b] as const));
  const ratios = pairs.map(([a, b]) =>
    runRatios(
      sharedRuns(a, b).flatMap(([impl, other]): Found[] => {
        const [one, two] = [impl, other].map((it) => valueOf(levelIn(it, connections).ratio));
        if (one === undefined || two === undefined) return [];
        // Only how far runs differ is asked, which the quotient of both ratios to the control tells as well.
        const ratio = { ...one, estimate: one.estimate / two.estimate };
        return [{ runId: impl.runId, ratio: { ratio, processor: processorOf(impl) } }];
      }),
    )
  );
  return pooledRunVariance(ratios, "of all pairs");
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
 * Returns the ratio of a's warm goodput to b's that may be cited, over the runs that both are in. Where these are fewer than
 * two, it is over the runs of each, with the variation between runs in its interval; if nothing tells of that, of the one that
 * both are in, or of their newest. Replicas of a run are paired in their order: which machine measures which is chance.
 */
export function pairOverRuns(
  a: Series,
  b: Series,
  connections: number,
  { confidence = 0.95, between, pooled }: PairOptions = {},
): Known<CitedRatio> {
  const [[ofA], [ofB]] = [a, b];
  if (ofA === undefined || ofB === undefined) return { missing: "one of them was not measured" };
  const missing = whyNoPair(ofA, ofB, connections);
  if (missing !== undefined) return { missing };
  const found = sharedRuns(a, b).flatMap(([impl, other]): Found[] => {
    const [{ runId }, ratio] = [impl, pairIn(impl, other, connections, confidence)];
    return ratio === undefined ? [] : [{ runId, ratio: { ratio, processor: processorOf(impl) } }];
  });
  const shared = new Set(found.map(({ runId }) => runId)).size;
  const ratio = pairIn(ofA, ofB, connections, confidence);
  // Within a run, this limits both ratios alike.
  const limited = [a, b].find((series) => qualifiersIn(series, connections).includes("at most"));
  const isEachKnown = ratio !== undefined && limited === undefined && isSameProcessor(ofA, ofB);
  if (shared < 2 && pooled !== undefined && isEachKnown) {
    const [allOfA, allOfB] = [a, b].map((series) =>
      ratiosByRun(ratiosIn(series, connections)).map(meanOfMachines)
    );
    const [fewer, more] = [allOfA!.length, allOfB!.length].toSorted((one, other) => one - other);
    if (fewer! > 0 && fewer! + more! - shared > 1) {
      const value = acrossRuns(allOfA!, allOfB!, { pooled, confidence, shared });
      // Of each; together they are two at least.
      return { value: { ...value, confidence, runs: Math.max(2, fewer!) } };
    }
  }
  if (shared > 0) return { value: cite(found, { confidence, pooled }) };
  if (limited !== undefined) {
    const { name } = limited[0]!;
    return {
      missing: `the load generator limited the control beside ${name}, and no run has both`,
    };
  }
  if (ratio === undefined) return { missing: "an interval needs three rounds of each" };
  if (isSameProcessor(ofA, ofB)) return { value: { ...cited(ratio), runs: 1 } };
  return between === undefined
    ? { missing: whyNotBetween(ofA, ofB) }
    : { value: { ...widened(cited(ratio), between, confidence), runs: 1 } };
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
const leastOnTwo = 3;

/** Says why two ratios of different processors are not compared, in a clause. */
function whyNotBetween(a: ComparedImpl, b: ComparedImpl): string {
  return `${a.name} was measured on ${processorOf(a)}, ${b.name} on ${
    processorOf(b)
  }, and fewer than ` +
    `${leastOnTwo} implementations on both, so nothing tells how much ratios differ between them`;
}

function whyNoPair(a: ComparedImpl, b: ComparedImpl, connections: number): string | undefined {
  for (const impl of [a, b]) {
    const { logRatios, ratio } = levelIn(impl, connections);
    if (logRatios.length > 0) continue;
    const missing = missingOf(ratio);
    // Of two, the reason has to say which.
    return missing?.startsWith(impl.name)
      ? missing
      : `${impl.name}: ${missing ?? "it was not compared"}`;
  }
  if (a.conditions.idle !== b.conditions.idle) {
    return `${a.name} was measured on ${processorOf(a)}; ${b.name} on ${processorOf(b)}; ` +
      "how much polling changes ratios is not known";
  }
  return a.conditions.control === b.conditions.control
    ? undefined
    : `${a.name} was compared with version ${a.conditions.control} of the control, ` +
      `${b.name} with version ${b.conditions.control}`;
}

function pairIn(
  a: ComparedImpl,
  b: ComparedImpl,
  connections: number,
  confidence: number,
): RatioInterval | undefined {
  const [ofA, ofB] = [a, b].map((impl) => levelIn(impl, connections).logRatios);
  return twoSampleRatioInterval(ofA!, ofB!, confidence);
}

function cite(
  found: readonly Found[],
  { confidence = 0.95, pooled }: Pick<PairOptions, "confidence" | "pooled">,
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
  { pooled, confidence }: Pick<PairOptions, "confidence" | "pooled">,
): LongRunRatio | undefined {
  const runs = runRatios(found);
  return runs.length > 0
    ? longRunRatio(runs, { pooled, confidence })
    : longRunRatio(found.map(({ ratio }) => ratio), { confidence });
}

/** Counts runs, and machines where that is not the same. */
function countsOf(found: readonly Found[]): Pick<CitedRatio, "runs" | "machines"> {
  const runs = new Set(found.map(({ runId }) => runId)).size;
  return runs === found.length ? { runs } : { runs, machines: found.length };
}

function cited({ estimate, low, high, confidence }: Omit<RatioInterval, "method">) {
  return { estimate, low, high, confidence };
}
