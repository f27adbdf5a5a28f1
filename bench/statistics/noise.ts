/** Noise: what comparisons of a program with itself say of the harness, one figure at a time. */
import { verdict } from "../../site/assets/verdict.js";
import { detectableDifference, shareInterval } from "./chance.ts";
import { studentTWithin } from "./distributions.ts";
import type { RatioInterval } from "./ratio.ts";
import { mean, median, standardDeviation } from "./descriptive.ts";

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
