/**
 * Were all rounds of a comparison made with warm processes? Published comparisons whose rounds were warmed up by
 * different numbers of requests can tell. Takes the rounds of one level; gives the problem, where there is one.
 */
import { goodputOf } from "../measure/compare.ts";
import type { ComparedLevel, ComparedRound } from "./comparison_schema.ts";
import { median } from "../statistics/mod.ts";

/** The least rounds whose median is worth comparing. */
const fewestRounds = 3;

/** By so much must the rounds with more requests exceed the others: far beyond what medians of few rounds differ by. */
const exceedsBy = 1.5;

/** Returns why no number of a level may be shown: what was written down with it, or that its warm-ups were uneven. */
export function problemOf({ problem, rounds }: ComparedLevel): string | undefined {
  return problem ?? unevenWarmUp(rounds);
}

/**
 * Returns the problem of rounds that differ by how long the subject was warmed up: by twice as many requests or more
 * up to the most of any round, or by fewer.
 */
export function unevenWarmUp(rounds: ComparedRound[]): string | undefined {
  const requestsOf = ({ warmUpRequests }: ComparedRound) => warmUpRequests?.subject ?? 0;
  const most = Math.max(...rounds.map(requestsOf));
  const isShort = (round: ComparedRound) => requestsOf(round) <= most / 2;
  const [short, long] = [rounds.filter(isShort), rounds.filter((round) => !isShort(round))];
  if (short.length < fewestRounds || long.length < fewestRounds) return undefined;
  const ratio = medianRatio(long) / medianRatio(short);
  if (ratio < exceedsBy) return undefined;
  const requests = (most / 2).toLocaleString("en-US");
  return `in ${short.length} of ${rounds.length} rounds its process was cold: the others, after more than ` +
    `${requests} requests, gave ${ratio.toFixed(1)} times as much`;
}

function medianRatio(rounds: ComparedRound[]): number {
  return median(rounds.map(({ subject, reference }) => goodputOf(subject) / goodputOf(reference)));
}
