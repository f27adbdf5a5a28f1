/**
 * In step: had the database done its part for the answers that had come, whenever it was read during a load? A server that
 * sends statements for the count alone can do so while nothing is measured: before the first answers, or after the last.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { countBelow } from "../lib/sorted.ts";
import { alwaysAllowed, limits } from "./limits.ts";

/** A reading of the database's counters during a load. */
export interface Reading {
  /** Between which moments of `performance.now()` it was taken. */
  beginMs: number;
  endMs: number;
  /** Executions of prepared statements since the load began. */
  executes: number;
}

/** Options for {@linkcode outOfStep}. */
export interface InStepOptions {
  /** When the answers of the load came, in milliseconds of `performance.now()`, in any order. */
  endMs: Float64Array;
  /** How far these may be off. */
  toleranceMs: number;
  /** How many statements all answers together need. */
  expected: number;
  /** How many requests may be under way at one time. */
  connections: number;
  /** Requests without a right answer: nobody knows whether their statements were sent. */
  failed: number;
}

/**
 * Says at which reading executions were too few for the answers until then, or too many for these and what was under way, by
 * over 1 % (and over 64); the first of them. Undefined where there is none.
 */
export function outOfStep(
  readings: readonly Reading[],
  { endMs, toleranceMs, expected, connections, failed }: InStepOptions,
): string | undefined {
  const ends = endMs.toSorted();
  const perAnswer = expected / Math.max(1, ends.length);
  for (const { executes, ...reading } of readings) {
    const fewest = countBelow(ends, reading.beginMs - toleranceMs);
    const most = countBelow(ends, reading.endMs + toleranceMs);
    const least = Math.ceil(perAnswer * fewest - failed - allowedFor(fewest));
    if (executes < least) return message(fewest, executes, "at least", least);
    const greatest = Math.floor(perAnswer * most + connections + failed + allowedFor(most));
    if (executes > greatest) return message(most, executes, "at most", greatest);
  }
  return undefined;
}

function allowedFor(answers: number): number {
  return Math.max(limits.queries * answers, alwaysAllowed.statements);
}

function message(answers: number, executes: number, bound: string, expected: number): string {
  const [came, done, wanted] = [answers, executes, expected].map(formatInteger);
  return `when ${came} answers had come, the database had executed ${done} statements, expected ${bound} ${wanted}`;
}
