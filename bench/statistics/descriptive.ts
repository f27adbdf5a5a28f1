/** Where values lie, and how far they spread. */
import { sum } from "../lib/sum.ts";

/** Returns the median of a non-empty list. */
export function median(values: readonly number[]): number {
  return medianOfSorted(values.toSorted((a, b) => a - b));
}

/** Returns the median of a non-empty list in ascending order. */
export function medianOfSorted(sorted: ArrayLike<number>): number {
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Returns the arithmetic mean of a non-empty list. */
export function mean(values: readonly number[]): number {
  return sum(values) / values.length;
}

/** Returns the unbiased variance of at least two values, with divisor n - 1. */
export function variance(values: readonly number[]): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** 2)) * values.length / (values.length - 1);
}

/** Returns the standard deviation of at least two values, with divisor n - 1. */
export function standardDeviation(values: readonly number[]): number {
  return Math.sqrt(variance(values));
}
