/**
 * The confidence interval of a ratio. In: one log-ratio (natural logarithm, finite) per round. Out: the ratio with
 * its interval. The unit is the round, never the slice or the request, because slices of a round share a process and
 * a moment of the machine.
 */
import {
  mannWhitneyDistribution,
  signedRankDistribution,
  studentTWithin,
} from "./distributions.ts";
import { memo } from "../lib/memo.ts";
import { mean, medianOfSorted, variance } from "./descriptive.ts";

/** A ratio with an interval: above 1 is better of goodput, and worse of times and CPU time. From logarithms of one rate, it is that rate. */
export interface RatioInterval {
  estimate: number;
  low: number;
  high: number;
  /** That the method reaches: nominal for t; exact for ranks, on symmetric noise. */
  confidence: number;
  method: "t" | "hodges-lehmann";
  rounds: number;
  /** Of t, where these are not one fewer than rounds. */
  degreesOfFreedom?: number;
}

/** The fewest rounds with which ranks reach a confidence of 95 %: 1 - 2 / 2^6 is 0.969. */
const leastForRanks = 6;

/** The highest confidence for which two samples are compared by ranks. */
const mostForRanks = 0.95;

/**
 * Returns the interval of a ratio from one log-ratio for each round; undefined with fewer than three rounds,
 * which say next to nothing: with two, t is 12.7.
 *
 * - From six rounds, the Hodges–Lehmann estimate, the median of the means of all pairs of rounds (each paired
 *   with itself, too), and the interval of Tukey that inverts Wilcoxon's signed rank test, from its exact
 *   distribution (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods, 3rd edition, sections 3.2
 *   and 3.3). The distribution is discrete: of the intervals with at least the confidence asked for the
 *   narrowest is taken, and its own confidence is stated.
 * - With three to five, or where ranks cannot reach the confidence, Student's t interval of the mean.
 *
 * What is assumed: rounds that are independent; for ranks, symmetric about one value, as the noise of a thing
 * compared with itself is, however skewed the machine's own; for t, normal. Then, an interval holds the true
 * ratio as often as it states; symmetric noise with heavy tails only widens that by t. On skewed noise, the
 * estimate by ranks lies between the median and the mean, and an interval for 95 % held the median, or the ratio
 * of the rounds that nothing disturbed, in 93 % to 97 % of the cases (exponential, log-normal, and one round in
 * ten far off to one side; simulated in `coverage_test.ts`). It is none of the mean, which disturbed rounds pull.
 */
export function ratioInterval(
  logRatios: readonly number[],
  confidence = 0.95,
): RatioInterval | undefined {
  const rounds = logRatios.length;
  if (rounds < 3) return undefined;
  const limits = signedRankLimits(rounds, confidence);
  if (limits !== undefined) return intervalByRank(walshAverages(logRatios), limits, rounds);
  const margin = studentTWithin(confidence, rounds - 1) * Math.sqrt(variance(logRatios) / rounds);
  return intervalByT(mean(logRatios), margin, confidence, rounds);
}

/**
 * Returns the interval of the ratio of a to b, each of which was measured in rounds of its own against the same
 * reference: the log-ratios of both are to the reference, which cancels out. Undefined with fewer than three
 * rounds of either; `rounds` counts those of both.
 *
 * - From six rounds of each, and equally many, for at most 95 %, the Hodges–Lehmann estimate of shift, the median of all
 *   differences of a round of a and one of b, and the interval of Moses that inverts the Mann–Whitney test, from its exact
 *   distribution (Hollander, Wolfe and Chicken, sections 4.2 and 4.3).
 * - Else, Welch's t interval of the difference of means, degrees of freedom after Satterthwaite (Welch, "The Generalization
 *   of 'Student's' Problem when Several Different Population Variances are Involved" (1947), Biometrika 34).
 *
 * What is assumed: for ranks, that both samples have one shape, whichever, and differ by a shift; with four times the
 * spread in one of them, an interval for 95 % held in 93 % of the cases. Where the wider one had half as many rounds,
 * ranks held in 88 %; Welch's interval allows different spreads, of normal rounds, and held as often as it states
 * (`coverage_test.ts`). For the confidence that 55 pairs need to hold together, 99.91 %, ranks missed three to four times
 * as often as they state where spreads differ fourfold, Welch's interval at most twice, and less often on heavy tails and
 * skewed rounds of one shape; both were about as wide.
 */
export function twoSampleRatioInterval(
  a: readonly number[],
  b: readonly number[],
  confidence = 0.95,
): RatioInterval | undefined {
  const fewest = Math.min(a.length, b.length);
  const rounds = a.length + b.length;
  if (fewest < 3) return undefined;
  if (fewest >= leastForRanks && a.length === b.length && confidence <= mostForRanks) {
    const limits = mannWhitneyLimits(a.length, b.length, confidence);
    if (limits !== undefined) return intervalByRank(differences(a, b), limits, rounds);
  }
  const [squareA, squareB] = [variance(a) / a.length, variance(b) / b.length];
  const square = squareA + squareB;
  const estimate = mean(a) - mean(b);
  // Rounds without any spread, as no machine makes them, have no degrees of freedom either.
  if (square === 0) return intervalByT(estimate, 0, confidence, rounds);
  const [shareA, shareB] = [squareA / square, squareB / square];
  const degreesOfFreedom = 1 / (shareA ** 2 / (a.length - 1) + shareB ** 2 / (b.length - 1));
  const margin = studentTWithin(confidence, degreesOfFreedom) * Math.sqrt(square);
  return { ...intervalByT(estimate, margin, confidence, rounds), degreesOfFreedom };
}

/** How many of the ordered values an interval leaves out on either side, and the confidence that remains. */
export interface RankLimits {
  outside: number;
  confidence: number;
}

/**
 * Returns which means of pairs limit the interval of {@linkcode ratioInterval}; undefined where it is one by t.
 */
export const signedRankLimits = memo((
  rounds: number,
  confidence: number,
): RankLimits | undefined => {
  if (rounds < leastForRanks) return undefined;
  return limitsByRank(signedRankDistribution(rounds), confidence);
});

/** Returns which differences limit the interval of {@linkcode twoSampleRatioInterval}; undefined where it is one by t. */
const mannWhitneyLimits = memo((m: number, n: number, confidence: number) =>
  limitsByRank(mannWhitneyDistribution(m, n), confidence)
);

/**
 * Returns the narrowest limits with at least the confidence asked for; undefined where even the widest have
 * less. The statistic's distribution is symmetric, and its values count the ordered values on one side.
 */
function limitsByRank(distribution: number[], confidence: number): RankLimits | undefined {
  let limits: RankLimits | undefined;
  let below = 0;
  for (const [outside, chance] of distribution.entries()) {
    below += chance;
    // Sums of powers of two are exact, 1 - 0.9 is not.
    if (1 - 2 * below < confidence - 1e-12) break;
    limits = { outside, confidence: 1 - 2 * below };
  }
  return limits;
}

function intervalByRank(
  sorted: Float64Array,
  { outside, confidence }: RankLimits,
  rounds: number,
): RatioInterval {
  return {
    estimate: Math.exp(medianOfSorted(sorted)),
    low: Math.exp(sorted[outside]!),
    high: Math.exp(sorted[sorted.length - 1 - outside]!),
    confidence,
    method: "hodges-lehmann",
    rounds,
  };
}

function intervalByT(
  estimate: number,
  margin: number,
  confidence: number,
  rounds: number,
): RatioInterval {
  return {
    estimate: Math.exp(estimate),
    low: Math.exp(estimate - margin),
    high: Math.exp(estimate + margin),
    confidence,
    method: "t",
    rounds,
  };
}

/** Returns the means of all pairs of values, each also paired with itself, in ascending order. */
function walshAverages(values: readonly number[]): Float64Array {
  return Float64Array.from(
    values.flatMap((first, index) => values.slice(index).map((second) => (first + second) / 2)),
  ).sort();
}

function differences(a: readonly number[], b: readonly number[]): Float64Array {
  return Float64Array.from(a.flatMap((first) => b.map((second) => first - second))).sort();
}
