/** A figure, or why there is none: `missing` is the one word for that. */

/** A value, or why there is none, as a clause without a period. */
export type Known<T> = { value: T } | { missing: string };

/** Returns the value; undefined where it is missing. */
export function valueOf<T>(known: Known<T>): T | undefined {
  return "value" in known ? known.value : undefined;
}

/** Returns why there is no value; undefined where there is one. */
export function missingOf(known: Known<unknown>): string | undefined {
  return "missing" in known ? known.missing : undefined;
}
