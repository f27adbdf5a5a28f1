/** The answer of `delay`: what is right for a path, and when it may come at the soonest. */
import type { Problem } from "../../results/result_schema.ts";

/**
 * How early an answer may seem, in milliseconds: timers count whole milliseconds of a clock that is read once per turn
 * of an event loop, so that an honest one may fire a millisecond or two early.
 */
const toleranceMs = 3;

/** Returns the path that asks for a delay. */
export function pathOf(delayMs: number): string {
  return `/delay/${delayMs}`;
}

/** Returns the delay that a path asks for, in milliseconds. */
export function delayOf(path: string): number {
  return Number(path.slice(pathOf(0).length - 1));
}

/** Returns the right body. */
export function bodyOf(delayMs: number): string {
  return JSON.stringify({ delayed: delayMs });
}

/** Says what is wrong with the time of an answer, given since when its request was on its way; undefined if nothing is. */
export function judgeTime(delayMs: number, afterMs: number): Omit<Problem, "check"> | undefined {
  if (afterMs >= delayMs - toleranceMs) return undefined;
  return {
    sent: `GET ${pathOf(delayMs)}`,
    came: `an answer after ${afterMs.toFixed(1)} ms`,
    expected: `none before ${delayMs} ms`,
  };
}
