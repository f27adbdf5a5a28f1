/**
 * Alert: did an implementation become worse? Takes a run, all that were published before and, where a first look
 * suspected something, a second run on a fresh machine; gives what became worse, by how much, and how sure that
 * is. A machine that is slow once is no regression: only what both runs show is confirmed.
 *
 * Where a run varies by 1.5 %, independently of the others, a figure that stays is measured again once in 40
 * years of weekly runs, and a false alarm comes less than once in 1,000. A regression of 5 % is confirmed in the
 * first week in 25 % of the cases (in 55 % within four), one of 8 % in 95 %, one of 10 % in more than 99 %.
 */
import { eraOf } from "../era.ts";
import type { Result } from "../schema.ts";
import { median } from "../statistics.ts";
import { type Direction, earlierValues, type Figure, figuresOf } from "./figures.ts";

/** A difference below this is none that anybody would act on, as a share. */
const smallestShare = 0.05;

/** How many median absolute deviations are beyond chance: 2.7 standard deviations, where values are normal. */
const deviations = 4;

/** With fewer earlier values, neither their median nor their spread is known. */
export const fewestRuns = 5;

/** One figure that became worse. */
export interface Regression {
  name: string;
  direction: Direction;
  unit: string;
  /** The median of the earlier values. */
  before: number;
  /** How many earlier values there are. */
  runs: number;
  now: number;
  /** By how much it is worse than the median, as a share of that. */
  worseBy: number;
  /** What it had to exceed. */
  threshold: number;
  /** suspected: no second run has this figure in the same era, yet. */
  state: "suspected" | "confirmed" | "dismissed";
}

/**
 * Returns by how much a figure may be worse than the median of its earlier values, as a share of it: 5 %, or
 * four median absolute deviations where that is more. Undefined with less than five earlier values.
 */
export function alertThreshold(earlier: readonly number[]): number | undefined {
  if (earlier.length < fewestRuns) return undefined;
  const middle = median(earlier);
  const deviation = median(earlier.map((value) => Math.abs(value - middle))) / middle;
  return Math.max(smallestShare, deviations * deviation);
}

/** Returns by how much a value is worse than another, as a share of that; negative where it is better. */
export function shareWorse(direction: Direction, before: number, now: number): number {
  return direction === "bigger" ? 1 - now / before : now / before - 1;
}

/** Judges one figure; undefined where it did not become worse. */
export function judgeFigure(
  { name, direction, unit, value: now }: Figure,
  earlier: readonly number[],
  again?: number,
): Regression | undefined {
  const threshold = alertThreshold(earlier);
  if (threshold === undefined) return undefined;
  const before = median(earlier);
  const worseBy = shareWorse(direction, before, now);
  if (worseBy <= threshold) return undefined;
  const state = again === undefined
    ? "suspected"
    : shareWorse(direction, before, again) > threshold
    ? "confirmed"
    : "dismissed";
  return { name, direction, unit, before, runs: earlier.length, now, worseBy, threshold, state };
}

/**
 * Returns what became worse in a result. `rerun` is the same implementation at the same commit, measured once
 * more; one of another era says nothing, as no earlier value can be held against it.
 */
export function findRegressions(
  result: Result,
  history: Result[],
  rerun?: Result,
): Regression[] {
  const earlier = earlierValues(result, history);
  const again = rerun !== undefined && isRerun(result, rerun) ? figuresOf(rerun) : [];
  return figuresOf(result).flatMap((figure) =>
    judgeFigure(
      figure,
      earlier.get(figure.name) ?? [],
      again.find(({ name }) => name === figure.name)?.value,
    ) ?? []
  );
}

function isRerun(result: Result, rerun: Result): boolean {
  return rerun.impl.id === result.impl.id && rerun.runId !== result.runId &&
    rerun.provenance.commit === result.provenance.commit && eraOf(rerun) === eraOf(result);
}
