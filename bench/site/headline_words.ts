/** Implementations in words: `rust is faster than every other`, `deno and node are tied, faster than php`. */
import { list } from "./claims/verdict.ts";
import type { HeadlineEntry } from "./headline.ts";
import { verdict } from "../statistics/mod.ts";

/** Whom an implementation is tied with, faster and slower than: ids, the fastest first. */
export interface Standing {
  tiedWith: string[];
  fasterThan: string[];
  slowerThan: string[];
}

/** How many others there are in a class, and how many of them have a ratio to the control. */
export interface Others {
  all: number;
  compared: number;
}

/**
 * Returns a sentence without its period for each tie group of one class, the fastest first. Takes all entries
 * of the class, the highest ratio first. One can be in several groups: what it alone is faster than stays unsaid.
 */
export function groupSentences(entries: HeadlineEntry[]): string[] {
  const ranked = entries.filter(({ ratio }) => ratio !== undefined);
  const letters = [...new Set(ranked.flatMap(({ groups }) => groups))];
  return letters.map((letter) =>
    sentenceOf(ranked.filter(({ groups }) => groups.includes(letter)), entries)
  );
}

/** Returns how one stands among the others of its class, as short as it can be said. */
export function standingWords(standing: Standing, others: Others): string {
  const { tiedWith, fasterThan, slowerThan } = standing;
  const isKnown = tiedWith.length + fasterThan.length + slowerThan.length === others.compared;
  const rest = others.compared < others.all ? "the rest of those compared" : "the rest";
  const sides = [{ word: "faster", ids: fasterThan }, { word: "slower", ids: slowerThan }]
    .filter(({ ids }) => ids.length > 0)
    // The shorter list in full; the longer one is the rest.
    .sort((a, b) => a.ids.length - b.ids.length);
  const clauses = tiedWith.length === 0 ? [] : [`tied with ${listOf(tiedWith, others)}`];
  for (const [index, { word, ids }] of sides.entries()) {
    const isRest = isKnown && clauses.length > 0 && index === sides.length - 1 && ids.length > 1;
    clauses.push(`${word} than ${isRest ? rest : listOf(ids, others)}`);
  }
  return clauses.join(", ");
}

function sentenceOf(group: HeadlineEntry[], entries: HeadlineEntry[]): string {
  const rest = entries.filter((entry) => !group.includes(entry));
  const compared = rest.filter(({ ratio }) => ratio !== undefined);
  const others = { all: rest.length, compared: compared.length };
  const everyIs = (than: "fasterThan" | "slowerThan") =>
    compared.map(({ id }) => id).filter((id) => group.every((entry) => entry[than].includes(id)));
  const [faster, slower] = [everyIs("fasterThan"), everyIs("slowerThan")];
  const standing = faster.length > 0
    ? `faster than ${listOf(faster, others)}`
    : slower.length > 0
    ? `slower than ${listOf(slower, others)}`
    : undefined;
  const ids = list(group.map(({ id }) => id));
  if (group.length > 1) return `${ids} are tied${standing === undefined ? "" : `, ${standing}`}`;
  return `${ids} is ${standing ?? againstControl(group[0]!)}`;
}

function againstControl({ ratio }: HeadlineEntry): string {
  const found = ratio && verdict(ratio);
  return found === "faster" || found === "slower"
    ? `${found} than the control`
    : "tied with the control";
}

function listOf(ids: string[], { all, compared }: Others): string {
  if (ids.length < compared || compared < 2) return list(ids);
  return compared < all ? "every other that was compared" : "every other";
}
