/**
 * Rule: what is a regression? Takes what is followed of a result, of all that were published before and, where a first
 * look suspected something, of a second measurement on a fresh machine; gives what became worse, by how much, and
 * whether the second measurement confirms it. A machine that is slow once is no regression.
 *
 * Simulated, with 20 earlier runs and figures that vary independently: of one that varies by 1.5 %, a drop of 5 % is
 * confirmed in the first week in 25 % of the cases (in 55 % within four), one of 10 % in more than 99 %; without
 * any, there is less than one false alarm in 1,000 years. An implementation has some twenty figures: where twelve
 * of them vary by 5 %, it is measured again in 15 % of the weeks in which nothing changed, and in 1 % there is a
 * false alarm, which the next good week takes back. With fewer earlier runs there are not many more.
 */
import { median } from "../../statistics/mod.ts";
import {
  type Direction,
  earlierValues,
  type Figure,
  type Followed,
  historyLength,
  isSame,
} from "../figures.ts";

/** Nobody would act on a smaller difference; a share. */
export const smallestShare = 0.05;

/**
 * How many median absolute deviations of twenty values are beyond chance: 2.7 standard deviations, where values
 * are normal. That of five values is often near 0: so with n, it takes 20 / n times as many, or a noisy figure
 * would be confirmed worse in every 36th week in which nothing changed.
 */
export const deviations = 4;

/** With fewer earlier values, neither their median nor their spread is known. */
export const fewestRuns = 5;

/** A figure, compared with its baseline. */
export interface Judgement {
  figure: Figure;
  /** The baseline: the median of the earlier values. */
  before: number;
  /** How many earlier values there are. */
  runs: number;
  /** By how much it is worse than the median, as a share of that; negative where it is better. */
  worseBy: number;
  /** What that has to exceed. */
  threshold: number;
}

/** One figure that became worse. */
export interface Regression extends Judgement {
  /** Of the second measurement, compared with the baseline of its own processor. */
  again?: Judgement;
  /** suspected: there is no second measurement of this figure that could be judged. */
  state: "suspected" | "confirmed" | "dismissed";
}

/**
 * Returns by how much a figure may be worse than the median of its earlier values, as a share of it: 5 %, or
 * four median absolute deviations where that is more, and 20 / n times four where there are n earlier values, from
 * five on. Undefined with less.
 */
export function alertThreshold(earlier: readonly number[]): number | undefined {
  if (earlier.length < fewestRuns) return undefined;
  const middle = median(earlier);
  const deviation = median(earlier.map((value) => Math.abs(value - middle))) / middle;
  return Math.max(smallestShare, deviations * deviation * historyLength / earlier.length);
}

/**
 * Judges one figure; undefined with less than five earlier values. One that can take few values only must be worse
 * by more than a step: a server that just holds a rate, and now and then just not, has not changed.
 */
export function judgeFigure(figure: Figure, earlier: readonly number[]): Judgement | undefined {
  const ofSpread = alertThreshold(earlier);
  if (ofSpread === undefined) return undefined;
  const { direction, value, steps = [] } = figure;
  const before = median(earlier);
  const worse = steps.map((step) => shareWorse(direction, before, step)).filter((by) => by > 0);
  const threshold = worse.length === 0 ? ofSpread : Math.max(ofSpread, Math.min(...worse));
  const worseBy = shareWorse(direction, before, value);
  return { figure, before, runs: earlier.length, worseBy, threshold };
}

function shareWorse(direction: Direction, before: number, now: number): number {
  return direction === "bigger" ? 1 - now / before : now / before - 1;
}

/** Tells whether a figure became worse. */
export function isWorse({ worseBy, threshold }: Judgement): boolean {
  return worseBy > threshold;
}

/** Judges the figures of a result, by name; those with too few earlier values are left out. */
export function judgeFigures(now: Followed, history: readonly Followed[]): Map<string, Judgement> {
  const earlier = earlierValues(now, history);
  const judgements = now.figures.flatMap((figure) =>
    judgeFigure(figure, earlier.get(figure.name) ?? []) ?? []
  );
  return new Map(judgements.map((judgement) => [judgement.figure.name, judgement]));
}

/**
 * Returns what became worse in a result. `rerun` is the same implementation at the same commit, measured once
 * more. A fresh machine may have another processor: each has the baseline of its own.
 */
export function findRegressions(
  now: Followed,
  history: readonly Followed[],
  rerun?: Followed,
): Regression[] {
  const second = rerun !== undefined && isRerun(now, rerun)
    ? judgeFigures(rerun, history)
    : new Map<string, Judgement>();
  return [...judgeFigures(now, history).values()].filter(isWorse).map((judgement) => {
    const again = second.get(judgement.figure.name);
    return again === undefined
      ? { ...judgement, state: "suspected" }
      : { ...judgement, again, state: isWorse(again) ? "confirmed" : "dismissed" };
  });
}

function isRerun(now: Followed, rerun: Followed): boolean {
  return isSame(rerun, now) && rerun.runId > now.runId && rerun.commit === now.commit;
}
