/** Noise: what comparisons of a program with itself say of the harness, one figure at a time. */
import { verdict } from "../../site/assets/verdict.js";
import { sum } from "../lib/sum.ts";
import { detectableDifference, shareInterval } from "./chance.ts";
import { betaQuantile, studentTWithin } from "./distributions.ts";
import type { RatioInterval } from "./ratio.ts";
import { mean, median, standardDeviation, variance } from "./descriptive.ts";

/** The noise of one figure over comparisons of a program with itself. */
export interface Noise {
  comparisons: number;
  /** Geometric mean of the ratios, with its 95 % confidence interval: an interval without 1 is bias. */
  mean: { estimate: number; low: number; high: number };
  /** Of the natural logarithm of the ratios. */
  standardDeviation: number;
  /** Comparisons whose interval does not hold 1, as a number and as a share with its 95 % confidence interval. */
  falseAlarms: { count: number; share: number; low: number; high: number };
  /** The smallest difference, as a share, that one comparison detects with a power of 80 %. */
  detectableDifference: number;
}

/**
 * Returns the noise of one figure, from its ratio in each comparison; undefined with fewer than two. Comparisons must be
 * independent: levels that share processes are not, so give one ratio for each comparison.
 *
 * The interval of the mean is Student's. The detectable difference is that of {@linkcode detectableDifference} with the
 * standard deviation of the comparisons' log-ratios as the standard error of one, and the median number of rounds: it
 * goes by how far comparisons are apart, not by what their own intervals state, which false alarms put to the test.
 */
export function noiseOf(ratios: readonly RatioInterval[]): Noise | undefined {
  const comparisons = ratios.length;
  if (comparisons < 2) return undefined;
  const logRatios = ratios.map(({ estimate }) => Math.log(estimate));
  const [centre, deviation] = [mean(logRatios), standardDeviation(logRatios)];
  const margin = studentTWithin(0.95, comparisons - 1) * deviation / Math.sqrt(comparisons);
  const count = ratios.filter((ratio) => verdict(ratio) !== "tied").length;
  const rounds = Math.round(median(ratios.map((ratio) => ratio.rounds)));
  return {
    comparisons,
    mean: {
      estimate: Math.exp(centre),
      low: Math.exp(centre - margin),
      high: Math.exp(centre + margin),
    },
    standardDeviation: deviation,
    falseAlarms: { count, share: count / comparisons, ...shareInterval(count, comparisons) },
    detectableDifference: detectableDifference(deviation, rounds),
  };
}

/**
 * Returns how far apart the estimates of comparisons of a program with itself lie, divided by what their intervals imply, with a
 * 95 % confidence interval; of two comparisons or more. Above 1, intervals are too narrow; below 1, they are wider than needed. It does not see bias, as false
 * alarms do; of the width it tells more: where intervals are right, three or more of 20 comparisons give a false alarm
 * by chance in 8 % of the cases.
 *
 * The square is the variance of the log-ratios over the mean of the squared standard errors, F distributed with one degree
 * of freedom fewer than there are comparisons, and those of all intervals together (one-way analysis of variance: NIST/SEMATECH
 * e-Handbook of Statistical Methods, section 7.4.3.3). A standard error is half the interval over Student's t for its
 * confidence.
 *
 * What is assumed: intervals by t of normal rounds, equally many and equally noisy in all comparisons. Simulated where rounds are
 * the only noise, the interval for 95 % held 1 in 94 % to 95 % of the cases also for intervals by ranks of normal rounds; for
 * those of rounds with heavy tails in about three of four, because such intervals are wide, and so is 1 above nearly
 * all that miss it; where each comparison has a noise of its own (log-normal, σ 0.5), in 85 %, to either side.
 */
export function scatterOf(ratios: readonly RatioInterval[]): Noise["mean"] {
  const freedoms = ratios.map(({ rounds, degreesOfFreedom = rounds - 1 }) => degreesOfFreedom);
  const implied = ratios.map(({ low, high, confidence }, index) =>
    (Math.log(high / low) / 2 / studentTWithin(confidence, freedoms[index]!)) ** 2
  );
  const found = variance(ratios.map(({ estimate }) => Math.log(estimate)));
  const [between, within] = [ratios.length - 1, sum(freedoms)];
  /** F is a beta variable in other terms (Abramowitz and Stegun, 26.6.2). */
  const quantile = (probability: number) => {
    const share = betaQuantile(probability, between / 2, within / 2);
    return within * share / (between * (1 - share));
  };
  const square = found / mean(implied);
  return {
    estimate: Math.sqrt(square),
    low: Math.sqrt(square / quantile(0.975)),
    high: Math.sqrt(square / quantile(0.025)),
  };
}
