/**
 * The place of an implementation in words, for its badge and its card: by pairs, or where there are none, what bursts or
 * deliveries came to.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { mayBeHigher } from "../results/deliveries.ts";
import { placeWords } from "../results/standing.ts";
import type { CurrentRun } from "./current_run.ts";
import type { Headline, HeadlineClass, HeadlineEntry } from "./headline.ts";
import type { CardContent } from "./pictures/card.ts";

/** Returns what bursts or deliveries came to, in a few words; undefined where they have no such figure. */
export function stepsWords(
  { bursts = [], deliveries = [], sustainablePerSecond }: CurrentRun["api"]["impls"][number],
): string | undefined {
  const [most] = bursts.filter(({ answered }) => answered !== undefined)
    .toSorted((a, b) => b.users - a.users || a.delaySeconds - b.delaySeconds);
  if (most !== undefined) {
    return `${formatInteger(most.answered!.mean)} of ${
      formatInteger(most.users)
    } users, ${most.delaySeconds} s`;
  }
  if (sustainablePerSecond === undefined) return undefined;
  const steps = deliveries.map(({ missing, ...step }) => ({ ...step, problem: missing }));
  const bound = mayBeHigher({ sustainablePerSecond, steps }) ? "at least " : "";
  return `${bound}${formatInteger(sustainablePerSecond)} notifications a second`;
}

/** A class of a run with the level that it is ranked at. */
export type RankedClass = HeadlineClass & Pick<Headline, "scenario" | "connections" | "failed">;

/** Returns the words of a badge: `tied for 1st of 11, jwt-mysql, 50 connections`. */
export function badgeWords(entry: HeadlineEntry, among: RankedClass): string {
  const place = placeOf(entry, among) ?? "not ranked";
  return `${place}, ${among.scenario}, ${formatInteger(among.connections)} connections`;
}

/** Returns the place of an implementation as a title, and who it is tied with, faster and slower than. */
export function implFinding(
  entry: HeadlineEntry,
  among: RankedClass,
): Pick<CardContent, "title" | "question"> {
  const { scenario, connections } = among;
  const place = placeOf(entry, among);
  return {
    title: place === undefined
      ? `${entry.name} is not ranked in ${scenario}`
      : `${entry.name} is ${place} in ${scenario}`,
    question: `${scenario}, ${connections} connections: ${
      entry.words || entry.missing || "compared with the control only"
    }`,
  };
}

/**
 * Returns the place among those of the class that have one, `1st of 11`; where it is not known, how many of them are slower,
 * or else faster: `faster than 6 of 8 compared`. Undefined for one that was compared with no other.
 */
function placeOf(entry: HeadlineEntry, among: RankedClass): string | undefined {
  const place = placeWords(entry);
  if (place === undefined) return undefined;
  const tuned = among.class === "tuned" ? " tuned" : "";
  const ranked = among.entries.filter((it) => placeWords(it) !== undefined).length;
  if (isPlaceKnown(entry, among)) return `${place} of ${ranked}${tuned}`;
  const others = `${ranked - 1}${tuned} compared`;
  const { fasterThan, slowerThan } = entry;
  if (fasterThan.length > 0) return `faster than ${fasterThan.length} of ${others}`;
  return slowerThan.length > 0
    ? `slower than ${slowerThan.length} of ${others}`
    : `not told apart from ${others}`;
}

/**
 * Tells whether a place is known: not where the load generator limited both of two that nothing tells apart, and not where one
 * without a place may be ahead. That is one whose cold goodput is no lower, or not known though the implementation did not fail.
 */
function isPlaceKnown(entry: HeadlineEntry, { entries, failed }: RankedClass): boolean {
  const isHidden = entry.isGeneratorBound &&
    entries.some(({ id, isGeneratorBound }) => isGeneratorBound && entry.tiedWith.includes(id));
  const own = entry.coldGoodputPerSecond ?? 0;
  return !isHidden && !entries.some((other) => {
    if (placeWords(other) !== undefined || failed.includes(other.id)) return false;
    return (other.coldGoodputPerSecond ?? Infinity) >= own;
  });
}
