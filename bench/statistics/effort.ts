/** How much must be measured for an interval of a given width. */
import { studentTWithin } from "./distributions.ts";
import { signedRankLimits } from "./ratio.ts";
import { mean, standardDeviation } from "./spread.ts";

const confidence = 0.95;

/**
 * Returns the number of rounds, three or more, after which the 95 % interval of a ratio has at most the given half-width,
 * as a share of the ratio, on average: t times the standard error (NIST/SEMATECH e-Handbook of Statistical Methods,
 * section 7.2.2.2). `roundDeviation` is the standard deviation of single rounds' log-ratios, as earlier runs found it:
 * a number that is fixed before the first round leaves the interval valid.
 *
 * An interval by ranks enters with the confidence that it reaches, and with a standard error greater by the square root
 * of π / 3, what ranks cost where rounds are normal (Hollander, Wolfe and Chicken, Nonparametric Statistical Methods,
 * 3rd edition, section 3.11). Half of the intervals come out wider than that.
 *
 * @throws {RangeError} when the half-width is not above 0.
 */
export function roundsForHalfWidth(roundDeviation: number, halfWidth: number): number {
  if (!(halfWidth > 0)) throw new RangeError(`a half-width of ${halfWidth}, expected more than 0`);
  const margin = Math.log1p(halfWidth);
  // No interval is narrower than that of infinitely many degrees of freedom.
  let rounds = Math.max(3, Math.floor((1.95 * roundDeviation / margin) ** 2));
  while (expectedMargin(roundDeviation, rounds) > margin) rounds++;
  return rounds;
}

function expectedMargin(roundDeviation: number, rounds: number): number {
  const ranks = signedRankLimits(rounds, confidence);
  const standardError = roundDeviation *
    Math.sqrt((ranks === undefined ? 1 : Math.PI / 3) / rounds);
  return studentTWithin(ranks?.confidence ?? confidence, rounds - 1) * standardError;
}

/** The loads of the first stage of {@linkcode twoStageMean}. */
export const firstStageLoads = 5;

/** A mean with its 95 % confidence interval. */
export interface TwoStageMean {
  estimate: number;
  low: number;
  high: number;
  /** How many values there must be in all for the half-width to be within the limit. */
  needed: number;
}

/**
 * Returns the mean of repeated measurements, such as a ceiling, and how many of them its 95 % interval needs to be
 * within ± `within` of it, a share; undefined with fewer than {@linkcode firstStageLoads}.
 *
 * Stein's two stages ("A Two-Sample Test for a Linear Hypothesis Whose Power is Independent of the Variance" (1945),
 * Annals of Mathematical Statistics 16): the first five values fix the number, by their standard deviation alone, and
 * the interval keeps that standard deviation and t with 4 degrees of freedom. Nobody looks at the mean or at the interval
 * before the end, so there is no optional stopping: the interval is exact for normal values, also where whoever measures
 * stops at a maximum known in advance. (Stopping at the first interval that is narrow enough would hold in 92 % to 95 %.)
 */
export function twoStageMean(
  values: readonly number[],
  within: number,
): TwoStageMean | undefined {
  if (values.length < firstStageLoads) return undefined;
  const first = values.slice(0, firstStageLoads);
  const spread = studentTWithin(confidence, firstStageLoads - 1) * standardDeviation(first);
  const estimate = mean(values);
  const margin = spread / Math.sqrt(values.length);
  return {
    estimate,
    low: estimate - margin,
    high: estimate + margin,
    needed: Math.max(firstStageLoads, Math.ceil((spread / (within * mean(first))) ** 2)),
  };
}
