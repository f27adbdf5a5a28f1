/** Returns the sum of numbers; 0 of none. */
export function sum(values: readonly number[]): number {
  return sumOf(values, (value) => value);
}

/** Returns the sum of one number of each item; 0 of none. */
export function sumOf<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}
