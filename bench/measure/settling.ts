/**
 * Settling: does a side hold back in the first part of its turns, which does not count, what it answers when it does? Takes a
 * side in all rounds of a level; returns what is wrong.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { sumOf } from "../lib/sum.ts";
import type { ComparedSide } from "../results/comparison_schema.ts";
import { limits } from "./limits.ts";
import { mergeSettling } from "./merge_facts.ts";

/** Says by how much fewer requests a side answered in the part of its turns that does not count. */
export function judgeSettling(sides: readonly ComparedSide[]): string[] {
  const settling = mergeSettling(sides);
  const [correct, seconds] = [
    sumOf(sides, (side) => side.correct),
    sumOf(sides, (side) => side.seconds),
  ];
  if (settling === undefined || settling.seconds === 0 || correct === 0) return [];
  const [before, after] = [settling.correct / settling.seconds, correct / seconds];
  if (before >= limits.settling * after) return [];
  const [slow, fast] = [before, after].map(formatInteger);
  return [
    `it answered ${slow} requests per second in the first part of its turns, which does not count, and ${fast} in the rest, ` +
    `expected at least ${100 * limits.settling} % of that`,
  ];
}
