/** Where values lie, and how far they spread. */

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
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Returns the unbiased variance of at least two values, with divisor n - 1. */
export function variance(values: readonly number[]): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** 2)) * values.length / (values.length - 1);
}

/** How far values spread, in their unit. */
export interface Spread {
  standardDeviation: number;
  /** Of one value far off, it knows nothing: up to half of them may be. */
  medianAbsoluteDeviation: number;
}

/**
 * Returns the spread of at least two values: the standard deviation (divisor n - 1), and the median absolute
 * deviation from the median times 1.4826, which makes it the standard deviation where values are normal
 * (Rousseeuw and Croux, "Alternatives to the Median Absolute Deviation" (1993), JASA 88, equations 1.1 to 1.3).
 */
export function spread(values: readonly number[]): Spread {
  const middle = median(values);
  return {
    standardDeviation: Math.sqrt(variance(values)),
    medianAbsoluteDeviation: 1.4826 * median(values.map((value) => Math.abs(value - middle))),
  };
}

/** Returns the median of |ratio - 1| over a non-empty list of ratios. */
export function medianAbsoluteDifference(ratios: readonly number[]): number {
  return median(ratios.map((ratio) => Math.abs(ratio - 1)));
}
