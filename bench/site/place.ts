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

/** Returns the words of a badge. */
export function badgeWords(
  entry: HeadlineEntry,
  scenario: string,
  implClass: HeadlineClass["class"],
): string {
  const place = placeWords(entry) ?? "not ranked";
  return `${place}, ${scenario}${implClass === "tuned" ? ", tuned" : ""}`;
}

/** Returns the place of an implementation as a title, and who it is tied with, faster and slower than. */
export function implFinding(
  entry: HeadlineEntry,
  { scenario, connections }: Headline,
  { class: implClass, entries }: Pick<HeadlineClass, "class" | "entries">,
): Pick<CardContent, "title" | "question"> {
  const place = placeWords(entry);
  const ranked = entries.filter((it) => placeWords(it) !== undefined).length;
  const among = implClass === "tuned" ? `${ranked} tuned` : `${ranked}`;
  return {
    title: place === undefined
      ? `${entry.name} is not ranked in ${scenario}`
      : `${entry.name} is ${place} of ${among} in ${scenario}`,
    question: `${scenario}, ${connections} connections: ${
      entry.words || entry.missing || "compared with the control only"
    }`,
  };
}
