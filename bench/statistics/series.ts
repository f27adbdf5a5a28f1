/** Goodput over time, and the warm-up that it shows. */
import { sum } from "../lib/sum.ts";
import { median } from "./descriptive.ts";

/** Width of one interval of a goodput series, in seconds. */
export const seriesIntervalSeconds = 0.25;

/**
 * Counts events, by their times in seconds, into intervals of {@linkcode seriesIntervalSeconds}, from 0 to `durationSeconds`; what lies
 * outside goes to the nearest interval.
 */
export function countPerInterval(times: Iterable<number>, durationSeconds: number): number[] {
  const counts = new Array<number>(Math.max(1, Math.ceil(durationSeconds / seriesIntervalSeconds)))
    .fill(0);
  for (const time of times) {
    const index = Math.min(
      counts.length - 1,
      Math.max(0, Math.floor(time / seriesIntervalSeconds)),
    );
    counts[index] = counts[index]! + 1;
  }
  return counts;
}

/** Warm-up as a series of goodput shows it. Absent members could not be told from so short a load. */
export interface WarmUpFigures {
  firstSecondPerSecond?: number;
  steadyPerSecond?: number;
  secondsToSteady?: number;
  requestsToSteady?: number;
}

/**
 * Tells warm-up from a series of correct answers per interval.
 *
 * - *first second*: answers in the first second.
 * - *steady*: the median interval of the second half of the load, as a rate. The median does not follow a
 *   single stall, as a mean would. Absent where the third and the fourth quarter differ by more than 10 %: a
 *   JVM that is still compiling when the load ends (after 50,000 requests and more) has shown no steady state.
 * - *time to steady*: the start of the first second in which goodput was at least 95 % of steady; *requests to
 *   steady*: the answers before it. A whole second, so that one lucky interval does not count.
 *
 * Only whole intervals count. A load under 1 s has no first second, one under 2 s no steady state.
 * Barrett et al., "Virtual Machine Warmup Blows Hot and Cold" (OOPSLA 2017), is why no
 * load is simply presumed to become steady.
 */
export function warmUpFigures(correct: number[], durationSeconds: number): WarmUpFigures {
  const whole = correct.slice(0, Math.floor(durationSeconds / seriesIntervalSeconds));
  const perSecond = Math.round(1 / seriesIntervalSeconds);
  const figures: WarmUpFigures = {};
  if (whole.length < perSecond) return figures;
  figures.firstSecondPerSecond = sum(whole.slice(0, perSecond));
  if (whole.length < 2 * perSecond) return figures;
  const secondHalf = whole.slice(Math.floor(whole.length / 2));
  const middle = Math.floor(secondHalf.length / 2);
  const [third, fourth] = [secondHalf.slice(0, middle), secondHalf.slice(middle)].map(median);
  if (Math.abs(fourth! - third!) > 0.1 * third!) return figures;
  figures.steadyPerSecond = median(secondHalf) * perSecond;
  for (let start = 0; start + perSecond <= whole.length; start++) {
    if (sum(whole.slice(start, start + perSecond)) < 0.95 * figures.steadyPerSecond) continue;
    figures.secondsToSteady = start * seriesIntervalSeconds;
    figures.requestsToSteady = sum(whole.slice(0, start));
    break;
  }
  return figures;
}
