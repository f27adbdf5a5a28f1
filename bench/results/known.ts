/** What a run knows, or why it does not: the one word for "no number, because" is `missing`. */

/** A value, or in a clause without its period why there is none. */
export type Known<T> = { value: T } | { missing: string };

/** Returns the value; undefined where it is missing. */
export function valueOf<T>(known: Known<T>): T | undefined {
  return "value" in known ? known.value : undefined;
}

/** Returns why there is no value; undefined where there is one. */
export function missingOf(known: Known<unknown>): string | undefined {
  return "missing" in known ? known.missing : undefined;
}
