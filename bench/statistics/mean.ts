/** The mean of repeated measurements, with an interval. */
import { studentTWithin } from "./distributions.ts";
import { standardDeviation } from "./spread.ts";

/**
 * Returns the half-width of the 95 % confidence interval of a mean: t times the standard error (NIST/SEMATECH e-Handbook
 * of Statistical Methods, section 1.3.5.2). Undefined for fewer than three values, whose interval says nothing.
 */
export function meanMargin(values: readonly number[]): number | undefined {
  if (values.length < 3) return undefined;
  return studentTWithin(0.95, values.length - 1) * standardDeviation(values) /
    Math.sqrt(values.length);
}
