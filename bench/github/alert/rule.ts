/**
 * Rule: what is a regression? Takes the followed figures of a result, of all published before and, after a suspicion,
 * of a second measurement on a fresh machine; returns which figures regressed, by how much, and whether the second
 * measurement confirms it.
 *
 * Simulated with 20 earlier runs and independent figures: for a figure that varies by 1.5 %, a drop of 5 % is
 * confirmed in the first week in 25 % of cases (in 55 % within four), a drop of 10 % in over 99 %; without a drop,
 * there is less than one false alarm in 1,000 years. An implementation has about twenty figures: if twelve of them
 * vary by 5 %, it is measured again in 15 % of weeks without a change, and 1 % of them have a false alarm, which the
 * next good week withdraws. Fewer earlier runs hardly add false alarms.
 */
import { median, ratioToEarlierRuns } from "../../statistics/mod.ts";
import {
  type Baseline,
  baselineOf,
  type Direction,
  type Earlier,
  earlierFigures,
  earlierOf,
  type Figure,
  type Followed,
  historyLength,
  isSame,
  runRatiosOf,
} from "../figures.ts";

/** Smallest difference that counts, as a share. */
export const smallestShare = 0.05;

/**
 * Threshold in median absolute deviations of twenty values: 2.7 standard deviations if values are normal. With n
 * values it is 20 / n times that, because the deviation of few values is often near 0, and a noisy figure would be
 * confirmed worse in one of 36 weeks without a change.
 */
export const deviations = 4;

/**
 * Confidence of the interval that a ratio must leave: 2.7 standard deviations, as for other figures. At 95 %, one ratio in
 * forty would be measured again every week, and one in 1,600 confirmed.
 */
export const ratioConfidence = 0.993;

/** With fewer earlier values, median and spread are too uncertain. */
export const fewestRuns = 5;

/** A figure, compared with its baseline. */
export interface Judgement {
  figure: Figure;
  before: Baseline;
  /** By how much it is worse than the baseline, as a share of it; negative if it is better. */
  worseBy: number;
  /** The threshold for that. */
  threshold: number;
}

/** One figure that regressed. */
export interface Regression extends Judgement {
  /** The second measurement, compared with the baseline of its own processor. */
  again?: Judgement;
  /** suspected: no second measurement of this figure can be judged. */
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
 * Judges one figure; undefined with less than five earlier values. A ratio has an interval in every run, and is held
 * against the long-run ratio: it is worse where it leaves the interval of a further run in the bad direction. One that
 * can take few values only must be worse by more than a step: a server that just holds a rate, and now and then just
 * not, has not changed.
 */
export function judgeFigure(figure: Figure, earlier: readonly Earlier[]): Judgement | undefined {
  const ofSpread = alertThreshold(earlier.map(({ value }) => value));
  if (ofSpread === undefined) return undefined;
  const before = baselineOf(earlier);
  const change = before.interval &&
    ratioToEarlierRuns(runRatiosOf([figure]), runRatiosOf(earlier), ratioConfidence);
  const { direction, value, steps = [] } = figure;
  if (change !== undefined) {
    const { estimate, low, high } = change;
    const threshold = shareWorse(direction, direction === "bigger" ? high : low, estimate);
    return {
      figure,
      before,
      worseBy: shareWorse(direction, 1, estimate),
      threshold: Math.max(smallestShare, threshold),
    };
  }
  const worse = steps.map((step) => shareWorse(direction, before.value, step))
    .filter((by) => by > 0);
  const threshold = worse.length === 0 ? ofSpread : Math.max(ofSpread, Math.min(...worse));
  return { figure, before, worseBy: shareWorse(direction, before.value, value), threshold };
}

function shareWorse(direction: Direction, before: number, now: number): number {
  return direction === "bigger" ? 1 - now / before : now / before - 1;
}

/** Says how many runs are missing until a result can be judged; undefined where none is, and without a control. */
export function missingRuns(now: Followed, history: readonly Followed[]): string | undefined {
  const runs = earlierOf(now, history).length;
  if (now.comparableKey === undefined || runs >= fewestRuns) return undefined;
  return `no alerts yet: ${runs} of the ${fewestRuns} comparable runs that a baseline takes, on ${now.cpuModel}`;
}

/** Tells whether a figure regressed. */
export function isWorse({ worseBy, threshold }: Judgement): boolean {
  return worseBy > threshold;
}

/** Judges the figures of a result, by name, except those with too few earlier values. */
export function judgeFigures(now: Followed, history: readonly Followed[]): Map<string, Judgement> {
  const earlier = earlierFigures(now, history);
  const judgements = now.figures.flatMap((figure) =>
    judgeFigure(figure, earlier.get(figure.name) ?? []) ?? []
  );
  return new Map(judgements.map((judgement) => [judgement.figure.name, judgement]));
}

/**
 * Returns the regressions of a result. `rerun` is a second measurement of the same implementation at the same commit.
 * Its machine may have another processor: each is compared with its own baseline.
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
