/** Implementations in words: `rust is faster than every other`, `deno and node are tied, faster than php`. */
import type { HeadlineEntry } from "./derive_headline.ts";
import { verdict } from "./statistics.ts";

/**
 * Returns a sentence without its period for each tie group of one class, the fastest first. Takes all entries
 * of the class, the highest ratio first. One can be in several groups: what it alone is faster than stays unsaid.
 */
export function groupSentences(entries: HeadlineEntry[]): string[] {
  const ranked = entries.filter(({ ratio }) => ratio !== undefined);
  const letters = [...new Set(ranked.flatMap(({ groups }) => groups))];
  return letters.map((letter) =>
    sentenceOf(ranked.filter(({ groups }) => groups.includes(letter)), ranked)
  );
}

function sentenceOf(group: HeadlineEntry[], ranked: HeadlineEntry[]): string {
  const others = ranked.filter((entry) => !group.includes(entry));
  const everyIs = (than: "fasterThan" | "slowerThan") =>
    others.map(({ id }) => id).filter((id) => group.every((entry) => entry[than].includes(id)));
  const [faster, slower] = [everyIs("fasterThan"), everyIs("slowerThan")];
  const standing = faster.length > 0
    ? `faster than ${listOf(faster, others.length)}`
    : slower.length > 0
    ? `slower than ${listOf(slower, others.length)}`
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

function listOf(ids: string[], all: number): string {
  return ids.length === all && all > 1 ? "every other" : list(ids);
}

function list(ids: string[]): string {
  const last = ids.at(-1) ?? "";
  return ids.length < 2 ? last : `${ids.slice(0, -1).join(", ")} and ${last}`;
}
