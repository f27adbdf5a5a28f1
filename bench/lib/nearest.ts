import { closestString, levenshteinDistance } from "@std/text";

/**
 * Returns the known word that was probably meant; undefined where none is near: it differs in at most half of its
 * letters, or is longer by what follows.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const closest = known.find((one) => one.startsWith(word)) ?? closestString(word, known);
  const isNear = closest.startsWith(word) ||
    levenshteinDistance(word, closest) <= closest.length / 2;
  return isNear ? closest : undefined;
}

/** The same as a question at the end of a message, `; did you mean "deno"?`; empty where none is near. */
export function suggestion(word: string, known: readonly string[]): string {
  const meant = nearest(word, known);
  return meant === undefined ? "" : `; did you mean "${meant}"?`;
}

/** The same as the help of an error, which has none where none is near. */
export function helpToFind(word: string, known: readonly string[]): { help?: string } {
  const meant = nearest(word, known);
  return meant === undefined ? {} : { help: `Did you mean "${meant}"?` };
}
