/**
 * Ratios over runs and processors: what stays of a ratio when it is measured again, on another day or another machine.
 * In: the ratio that each run published, with its interval over rounds. Out: the long-run ratio, whose interval has the
 * variation between runs in it, and how far ratios carry from one processor to another.
 *
 * The model, on the scale of natural logarithms: a run finds the long-run ratio, plus the deviation of its processor,
 * plus that of the run (random effects), plus the error that its own interval states; all independent and normal.
 */
import { chiSquareQuantile, studentTWithin } from "./distributions.ts";
import type { Drift } from "./drift.ts";
import type { RatioInterval } from "./ratio.ts";
import { sum } from "../lib/sum.ts";
import {
  byProcessor,
  logRatioOf,
  marginOf,
  observedVariance,
  type RunRatio,
  statedVariance,
  sumOfSquares,
  type Variance,
} from "./run_variance.ts";
import { mean } from "./descriptive.ts";

const usualConfidence = 0.95;

/** A ratio over runs, with its confidence interval: what further runs find on average. */
export interface LongRunRatio {
  estimate: number;
  low: number;
  high: number;
  runs: number;
  /** By how much runs differ beyond their own intervals: of the natural logarithm of the ratio. */
  runStandardDeviation: number;
  /**
   * Ends of its 95 % confidence interval, by the chi-square distribution as in {@linkcode betweenProcessors}: of two runs,
   * that of the variance reaches from a fifth to a thousand times what was observed.
   */
  runStandardDeviationWithin: { low: number; high: number };
}

/** How far ratios carry between processors. */
export interface BetweenProcessors {
  /**
   * By how much a ratio differs from processor to processor beyond what runs differ: of the natural logarithm of the
   * ratio. The difference between two processors has the square root of 2 times that.
   */
  standardDeviation: number;
  /** Ends of its 95 % confidence interval. */
  low: number;
  high: number;
  degreesOfFreedom: number;
  impls: number;
  processors: number;
}

/** Options for {@linkcode longRunRatio}. */
export interface LongRunOptions {
  /** The variance of single runs, pooled over the ratios measured in the same runs; see `pooledRunVariance()`. */
  pooled?: Variance;
  /** A share; 0.95 by default. */
  confidence?: number;
}

/**
 * Returns the long-run ratio over two or more runs of one pair at one level; undefined for one run, because nothing tells
 * how far runs differ, and where they are of several processors.
 *
 * It is the mean of the runs' log-ratios with Student's t interval, one degree of freedom fewer than
 * runs: the interval of Hartung and Knapp ("A Refined Method for the Meta-Analysis of Controlled Clinical Trials with
 * Binary Outcome" (2001), Statistics in Medicine 20) and of Sidik and Jonkman with equal weights. Runs of one plan are
 * about equally exact, and weights from intervals over few rounds would be chance: with the variance of Paule and
 * Mandel and its weights, intervals for 95 % held in 91 % to 95 % of the cases. The interval is never narrower than the
 * runs' own intervals make it, as if runs did not differ: two runs that agree by chance do not make a ratio exact.
 *
 * By themselves, two runs have one degree of freedom, and t is 12.7: at 4.7 % between runs, the interval reaches from
 * 0.67 to 1.5 times the ratio on average, for five runs from 0.94 to 1.07. With `pooled`, the variance of runs is that
 * of all ratios together, with their degrees of freedom; where the runs of this one differ by more, theirs is taken,
 * with the degrees of freedom of all. The intervals of all pairs of eleven implementations after two runs then held
 * together in 97 % of the cases where all vary alike (4.7 %), in 95 % where four vary three times as much as the others,
 * and in some 85 % where one varies five times as much.
 *
 * Without it, in simulations with 2 to 10 runs and half-widths of 3 % to 10 %, intervals held the ratio in 95 % to 98 %
 * of the cases where runs differ by 4.7 %, and in 97 % to 99 % where they do not differ; the interval of a single run
 * held it in 70 % (`coverage_over_runs_test.ts`).
 */
export function longRunRatio(
  runs: readonly RunRatio[],
  { pooled, confidence = usualConfidence }: LongRunOptions = {},
): LongRunRatio | undefined {
  const groups = byProcessor(runs);
  if (runs.length < 2 || groups.length > 1) return undefined;
  const [own, stated] = [observedVariance(groups), statedVariance(runs)];
  const observed = pooled === undefined
    ? own
    : { ...pooled, variance: Math.max(own.variance, pooled.variance) };
  const value = mean(runs.map(logRatioOf));
  const marginWith = ({ variance, degreesOfFreedom }: Variance) =>
    marginOf([{ variance: variance / runs.length, degreesOfFreedom }], confidence);
  const margin = Math.max(marginWith(observed), marginWith(stated));
  const deviationFor = (probability: number) => {
    const { variance, degreesOfFreedom } = own;
    const factor = degreesOfFreedom / chiSquareQuantile(probability, degreesOfFreedom);
    return Math.sqrt(Math.max(0, variance * factor - stated.variance));
  };
  return {
    estimate: Math.exp(value),
    low: Math.exp(value - margin),
    high: Math.exp(value + margin),
    runs: runs.length,
    runStandardDeviation: Math.sqrt(Math.max(0, own.variance - stated.variance)),
    runStandardDeviationWithin: {
      low: deviationFor((1 + usualConfidence) / 2),
      high: deviationFor((1 - usualConfidence) / 2),
    },
  };
}

/**
 * Returns how far ratios carry between processors, from the runs of several implementations at one level; undefined
 * where no implementation was measured on two processors.
 *
 * Analysis of variance: the variance of an implementation's means on its processors, less what runs and their errors
 * make of it, not below 0. The interval is that of the variance of means, by the chi-square distribution, less the
 * same, with the variation of runs taken as known: that of Williams ("A Confidence Interval for Variance Components" (1962),
 * Biometrika 49) with infinite degrees of freedom of the error. Simulated with three runs on each processor, it held in 93 %
 * or more (`coverage_over_runs_test.ts`).
 *
 * All ratios are to one control: where a processor suits it, all of them fall. Half of the variance is then common,
 * and m implementations tell as much as 4 m / (m + 3) independent ones (Satterthwaite's degrees of freedom for
 * correlations of a half): with two processors, one implementation gives 1 degree of freedom, six give 2.7, and none
 * can give more than 4. Of an implementation with a single run on each processor, the variation between runs counts
 * as one between processors.
 */
export function betweenProcessors(
  impls: readonly (readonly RunRatio[])[],
): BetweenProcessors | undefined {
  const known = impls.map(byProcessor).filter((groups) => groups.length > 1);
  if (known.length === 0) return undefined;
  const freedom = sum(known.map((groups) => groups.length - 1));
  const ofMeans = sum(known.map(sumOfSquaresOfMeans)) / freedom;
  const ofRuns = sum(known.map(expectedFromRuns)) / freedom;
  const degreesOfFreedom = freedom * 4 / (known.length + 3);
  const deviationFor = (probability: number) => {
    const factor = degreesOfFreedom / chiSquareQuantile(probability, degreesOfFreedom);
    return Math.sqrt(Math.max(0, ofMeans * factor - ofRuns));
  };
  return {
    standardDeviation: Math.sqrt(Math.max(0, ofMeans - ofRuns)),
    low: deviationFor((1 + usualConfidence) / 2),
    high: deviationFor((1 - usualConfidence) / 2),
    degreesOfFreedom,
    impls: known.length,
    processors: new Set(known.flat(2).map(({ processor }) => processor)).size,
  };
}

/**
 * Widens the interval of a ratio by two independent deviations: for another processor than that of its runs, as the
 * quotient of two ratios from two processors, or of two rates that drifted. The square of each half-width, on
 * the scale of logarithms, gets the square of t times the standard deviation of a difference between two such deviations.
 */
export function widened<T extends Pick<RatioInterval, "estimate" | "low" | "high">>(
  ratio: T,
  { standardDeviation, degreesOfFreedom }: Drift,
  confidence = usualConfidence,
): T {
  const { estimate, low, high } = ratio;
  const margin = studentTWithin(confidence, degreesOfFreedom) * Math.SQRT2 * standardDeviation;
  const wider = (factor: number) => Math.exp(Math.hypot(Math.log(factor), margin));
  return {
    ...ratio,
    low: estimate / wider(estimate / low),
    high: estimate * wider(high / estimate),
  };
}

/**
 * Returns the ratio of two of which at most one run has both, from the ratio of each to the control in each of its own
 * runs, with the variation between runs in its interval. `pooled` is the variance of pairs that runs have both of, `shared`
 * the number of runs that have both of these two.
 *
 * What the control does in a run cancels in pairs of that run, and does not across runs. It is taken for half of what a
 * ratio to it varies by, as in `pooledRunVariance()`: then a ratio to the control has the variance of pairs, and the
 * quotient of the means of m and n runs, s of them shared, has 1 / m + 1 / n - s / (m n) of it; if the control varies less,
 * it has less. Where the runs of one differ by more, theirs is taken, with the degrees of freedom of all, as in
 * {@linkcode longRunRatio}. Never narrower than the runs' own intervals make it.
 *
 * Simulated with 3 to 10 implementations, intervals of 95 % held in 95 % of the cases or more where the control varies as
 * much as the programs do, and in 81 % or more where it varies twice as much (`coverage_to_control_test.ts`).
 */
export function acrossRuns(
  a: readonly RunRatio[],
  b: readonly RunRatio[],
  { pooled, confidence = usualConfidence, shared }: LongRunOptions & {
    pooled: Variance;
    shared: number;
  },
): Pick<RatioInterval, "estimate" | "low" | "high"> {
  const sides = [a, b];
  const varianceOf = (runs: readonly RunRatio[]) =>
    Math.max(pooled.variance, runs.length < 2 ? 0 : observedVariance([[...runs]]).variance) /
    runs.length;
  const common = pooled.variance * shared / (a.length * b.length);
  const between = { ...pooled, variance: sum(sides.map(varianceOf)) - common };
  const stated = sides.map((runs) => {
    const { variance, degreesOfFreedom } = statedVariance(runs);
    return { variance: variance / runs.length, degreesOfFreedom };
  });
  const margin = Math.max(marginOf([between], confidence), marginOf(stated, confidence));
  const [ofA, ofB] = sides.map((runs) => mean(runs.map(logRatioOf)));
  const value = ofA! - ofB!;
  const [low, estimate, high] = [value - margin, value, value + margin].map(Math.exp);
  return { estimate: estimate!, low: low!, high: high! };
}

function sumOfSquaresOfMeans(groups: readonly RunRatio[][]): number {
  return sumOfSquares(groups.map((runs) => mean(runs.map(logRatioOf))));
}

/** Returns what {@linkcode sumOfSquaresOfMeans} is on average where processors do not differ. */
function expectedFromRuns(groups: readonly RunRatio[][]): number {
  const stated = statedVariance(groups.flat());
  const observed = groups.every((runs) => runs.length === 1) ? stated : observedVariance(groups);
  const variance = Math.max(observed.variance, stated.variance);
  return (1 - 1 / groups.length) * sum(groups.map((runs) => variance / runs.length));
}
