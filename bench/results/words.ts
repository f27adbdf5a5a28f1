/** Lists and ratios in sentences: three digits where they tell enough, and the interval next to the estimate. */

import type { Percentiles } from "./values.ts";

type PercentileName = Exclude<keyof Percentiles, "atLeast">;

/** Returns names or numbers as a list in a sentence: `10, 50, and 100`. */
export function list(values: readonly (number | string)[]): string {
  return new Intl.ListFormat("en").format(values.map(String));
}

/** Names runs by their ids: `run 20260105T000000Z-0000005`. */
export function runsText(ids: readonly string[]): string {
  return `${ids.length === 1 ? "run" : "runs"} ${list(ids)}`;
}

/**
 * Returns short names of implementations: the part before the comma if it is unique, else with the rest in
 * parentheses: `Go` for `Go, net/http`, but `Spring MVC (virtual threads)`.
 */
export function proseNames(
  names: readonly string[],
  { isWhole = false }: {
    /** Whether no name loses its rest: where what is after the comma makes the difference. */
    isWhole?: boolean;
  } = {},
): Map<string, string> {
  const headOf = (name: string) => name.split(", ", 1)[0]!;
  const heads = [...new Set(names)].map(headOf);
  return new Map(names.map((name) => {
    const head = headOf(name);
    const isShared = isWhole || heads.indexOf(head) < heads.lastIndexOf(head);
    const rest = name.slice(head.length + 2);
    return [name, isShared && rest !== "" ? `${head} (${rest})` : head];
  }));
}

/** Returns a ratio for a sentence, with enough digits that it stays on its side of 1: `1.6`. */
export function ratioText(value: number, digits = 2): string {
  if (value >= 1e12) return value.toExponential(2);
  if (value >= 100) return Number(value.toPrecision(3)).toLocaleString("en");
  const rounded = Number(value.toPrecision(digits));
  return rounded === 1 && value !== 1 && digits < mostDigits
    ? ratioText(value, digits + 1)
    : rounded.toPrecision(digits);
}

/** What a number has at most: more would be errors of rounding. */
const mostDigits = 12;

/** A ratio with its interval. */
interface Estimated {
  estimate: number;
  low: number;
  high: number;
}

/**
 * Returns a ratio and its interval for a sentence, `1.05` and `1.02–1.09`: all with as many decimals as the one that needs most,
 * up to three where one is close to 1. An interval that excludes 1 stays on its side: `> 1.000–1.486`.
 */
export function ratioTexts(
  { estimate, low, high }: Estimated,
): { estimate: string; range: string } {
  const decimalsOf = (value: number) => {
    const decimals = ratioText(value).split(".")[1]?.length ?? 0;
    return Number(value.toFixed(3)) === 1 ? Math.min(3, decimals) : decimals;
  };
  const decimals = Math.max(...[estimate, low, high].map(decimalsOf));
  const format = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const one = (1).toLocaleString("en", format);
  const side = low > 1 ? "> " : high < 1 ? "< " : "";
  const [of, from, to] = [estimate, low, high].map((value) => {
    const text = value.toLocaleString("en", format);
    return text === one ? `${side}${text}` : text;
  });
  return { estimate: of!, range: `${from}–${to}` };
}

/** Returns the interval of a ratio beside it: `95 %: 1.4–2.2`; published intervals have 95 % confidence or more. */
export function intervalText(ratio: Estimated): string {
  return `95 %: ${ratioTexts(ratio).range}`;
}

/** Returns a ratio for a sentence, `1.4 times`; of one that is only a bound, the end of its interval that is known. */
export function timesText(ratio: Estimated, qualifier?: "at least" | "at most"): string {
  if (qualifier === undefined) return `${ratioTexts(ratio).estimate} times`;
  return `${qualifier} ${ratioText(knownEnd(ratio, qualifier), 3)} times`;
}

/** Returns of a ratio that is only a bound the end of its interval that is known; of any other its estimate. */
export function knownEnd(
  { estimate, low, high }: Estimated,
  qualifier?: "at least" | "at most",
): number {
  return qualifier === undefined ? estimate : qualifier === "at least" ? low : high;
}

/** Returns what stands behind a ratio in a sentence: ` (95 %: 1.4–2.2)`; nothing behind a bound, which names all that is known. */
export function behindRatio(ratio: Estimated, qualifier?: "at least" | "at most"): string {
  return qualifier === undefined ? ` (${intervalText(ratio)})` : "";
}

/** Names the interval of a ratio by what it is over: the rounds of a single run, its machines, or several runs. */
export function intervalName(
  { runs, machines = runs }: { runs: number; machines?: number },
): string {
  if (machines === 1) return "interval of this run";
  if (runs === 1) return `interval over ${machines} machines`;
  return `interval over ${runs} runs${machines === runs ? "" : ` on ${machines} machines`}`;
}

/** Returns what stands before a percentile of latency: `≥ ` where it falls among requests that were never answered. */
export function boundOf({ atLeast = [] }: Percentiles, name: PercentileName): "≥ " | "" {
  return atLeast.includes(name) ? "≥ " : "";
}

/** Returns a sentence with a capital letter at its start. */
export function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
