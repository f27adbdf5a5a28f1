/** Whether the figures of a load fit together. */
import { seriesIntervalSeconds } from "./series.ts";

/** Figures of one closed-loop load. */
export interface ClosedLoop {
  /** Each has one request open at any time. */
  connections: number;
  /** Requests that ended, whichever way, per second. */
  endedPerSecond: number;
  /** Mean latency of the answers, in seconds. */
  meanSeconds: number;
}

/**
 * Returns the mean latency as a share of what Little's law expects: in a closed loop, connections divided by requests
 * per second (Little, "A Proof for the Queuing Formula: L = λW" (1961), Operations Research 9). 1 where latency holds
 * all of the time that connections waited; less where time is missing: requests that were never answered, or a load
 * generator that is slow to send the next request.
 */
export function littlesLawRatio({ connections, endedPerSecond, meanSeconds }: ClosedLoop): number {
  return meanSeconds * endedPerSecond / connections;
}

/** Times without any answer. */
export interface Silence {
  /** Intervals of {@linkcode seriesIntervalSeconds} without an answer. */
  intervals: number;
  /** The longest uninterrupted time of them, in seconds. */
  longestSeconds: number;
}

/**
 * Returns how long a load went without an answer, right or wrong: from answers per interval of
 * {@linkcode seriesIntervalSeconds}. The unfinished last interval does not count.
 */
export function silenceOf(answers: readonly number[], durationSeconds: number): Silence {
  const whole = answers.slice(0, Math.floor(durationSeconds / seriesIntervalSeconds));
  let [intervals, length, longest] = [0, 0, 0];
  for (const count of whole) {
    length = count === 0 ? length + 1 : 0;
    longest = Math.max(longest, length);
    if (count === 0) intervals++;
  }
  return { intervals, longestSeconds: longest * seriesIntervalSeconds };
}

/** One step of a rate sweep. */
export interface Step {
  ratePerSecond: number;
  holds: boolean;
}

/**
 * Returns the first step that missed the objective although a higher one met it, with the highest that did; undefined
 * where there is no such step.
 */
export function nonMonotone(
  steps: readonly Step[],
): { missedPerSecond: number; metPerSecond: number } | undefined {
  const ascending = steps.toSorted((a, b) => a.ratePerSecond - b.ratePerSecond);
  const missed = ascending.find(({ holds }) => !holds)?.ratePerSecond ?? Infinity;
  const met = ascending.findLast(({ holds }) => holds)?.ratePerSecond ?? 0;
  return missed < met ? { missedPerSecond: missed, metPerSecond: met } : undefined;
}
