/** The mean of repeated measurements, and one more of them, each with an interval. */
import { standardDeviation } from "./descriptive.ts";
import { studentTWithin } from "./distributions.ts";

/**
 * Returns the half-width of the 95 % confidence interval of a mean: t times the standard error (NIST/SEMATECH e-Handbook
 * of Statistical Methods, section 1.3.5.2). Undefined for fewer than three values, whose interval says nothing.
 */
export function meanMargin(values: readonly number[]): number | undefined {
  if (values.length < 3) return undefined;
  return spreadOf(values) / Math.sqrt(values.length);
}

/**
 * Returns how far one more value lies from the mean, 19 times in 20: the half-width of the 95 % prediction interval of one
 * future normal value (Hahn and Meeker, "Statistical Intervals" (1991), chapter 4). Undefined for fewer than three.
 */
export function predictionMargin(values: readonly number[]): number | undefined {
  if (values.length < 3) return undefined;
  return spreadOf(values) * Math.sqrt(1 + 1 / values.length);
}

/** Returns their standard deviation, times t of 95 %. */
function spreadOf(values: readonly number[]): number {
  return studentTWithin(0.95, values.length - 1) * standardDeviation(values);
}
