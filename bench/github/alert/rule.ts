/**
 * Rule: what is a regression? Takes the followed figures of a result, of all published before and, after a suspicion,
 * of a second measurement on a fresh machine; returns which figures regressed, by how much, and whether the second
 * measurement confirms it.
 *
 * In simulated years of weekly runs on machines as they were seen to differ (`year_test.ts`), twenty implementations that
 * do not change have fewer than one issue a year. Within two runs, half of those that become 10 % slower have one, and
 * nearly all that become 20 % slower, where three machines measure each. A figure without an interval is judged by the spread of
 * its earlier values: see {@linkcode deviations}.
 */
import { median, ratioToEarlierRuns } from "../../statistics/mod.ts";
import type { Direction, Figure } from "../figure.ts";
import {
  type Baseline,
  baselineOf,
  type Earlier,
  earlierFigures,
  earlierOf,
  type Followed,
  historyLength,
  isSame,
  machineRatiosOf,
} from "../figures.ts";

/** Smallest difference that counts, as a share. */
export const smallestShare = 0.05;

/**
 * Threshold in median absolute deviations of twenty values: 5.4 standard deviations if values are normal. The deviation
 * of so few values is itself uncertain, and the same for both measurements, so that at four of them an implementation
 * with twelve figures that vary by 5 % had a false issue in one of a hundred weeks. With n values it is 20 / n times that,
 * because the deviation of few values is often near 0.
 */
export const deviations = 8;

/**
 * Confidence of the interval that a ratio must leave to be measured again: of a ratio that stays, one in a hundred runs
 * does so.
 */
export const suspectConfidence = 0.98;

/**
 * Confidence of the interval that both measurements together must leave. Hundreds of figures are judged every week, and
 * more than a false issue a year is too much: in six simulated years of 20 implementations, there were four, of all
 * figures together.
 */
export const confirmConfidence = 0.999;

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
  /** suspected: no second measurement of this figure can be judged, or it is worse, too, but not by enough to be sure. */
  state: "suspected" | "confirmed" | "dismissed";
}

/**
 * Returns by how much a figure may be worse than the median of its earlier values, as a share of it:
 * {@linkcode smallestShare}, or {@linkcode deviations} where that is more. Undefined with fewer than
 * {@linkcode fewestRuns} values, and where the median is 0: nothing is worse.
 */
export function alertThreshold(earlier: readonly number[]): number | undefined {
  if (earlier.length < fewestRuns) return undefined;
  const middle = median(earlier);
  if (middle === 0) return undefined;
  const deviation = median(earlier.map((value) => Math.abs(value - middle))) / middle;
  return Math.max(smallestShare, deviations * deviation * historyLength / earlier.length);
}

/** A figure, and the earlier ones on its kind of machine. */
export interface Stratum {
  /** Equal for measurements on one kind of machine. */
  kind: string;
  /** The run of the figure: equal on all kinds of machine that measured in it. */
  runId?: string;
  figure: Figure;
  earlier: readonly Earlier[];
}

/** Options for {@linkcode judgeFigure}. */
export interface JudgeOptions {
  /** The kind of machine, where there are others. */
  kind?: string;
  /** The run, where other kinds of machine measured in it, too. */
  runId?: string;
  /** The same figure of other measurements, each with the earlier ones on its own kind of machine. */
  others?: readonly Stratum[];
  /** Of the interval that a ratio must leave. The default is that of a suspicion. */
  confidence?: number;
}

/**
 * Judges one figure; undefined with fewer than five earlier values. A ratio has an interval in every run, and is compared
 * with the long-run ratio: it is worse if it leaves the interval of further measurements in the bad direction, together
 * with those on other kinds of machine, each compared with its own kind. A figure that can take few values only must be
 * worse by more than a step: a server that just sustains a rate, and now and then just does not, has not changed. One of
 * which nothing is left is worse whatever the spread, if no earlier run had nothing.
 */
export function judgeFigure(
  figure: Figure,
  earlier: readonly Earlier[],
  { kind = "", runId, others = [], confidence = suspectConfidence }: JudgeOptions = {},
): Judgement | undefined {
  const ofSpread = alertThreshold(earlier.map(({ value }) => value));
  if (ofSpread === undefined) return undefined;
  const before = baselineOf(earlier);
  const { direction, value, steps = [] } = figure;
  const change = before.interval &&
    changeOf([{ kind, runId, figure, earlier }, ...others], confidence);
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
  const worseBy = shareWorse(direction, before.value, value);
  if (value === 0 && earlier.every((run) => run.value > 0)) {
    return { figure, before, worseBy, threshold: smallestShare };
  }
  const worse = steps.map((step) => shareWorse(direction, before.value, step))
    .filter((by) => by > 0);
  const threshold = worse.length === 0 ? ofSpread : Math.max(ofSpread, Math.min(...worse));
  return { figure, before, worseBy, threshold };
}

/** Returns how ratios compare with earlier ones, each on its kind of machine. */
function changeOf(strata: readonly Stratum[], confidence: number) {
  // Two measurements may share a kind of machine, and then the earlier ones.
  const kinds = new Map(strata.map(({ kind, earlier }) => [kind, earlier]));
  return ratioToEarlierRuns(
    runsOf(strata.map(({ kind, runId, figure }) => ({ kind, runId, figure }))),
    runsOf(
      [...kinds].flatMap(([kind, earlier]) =>
        earlier.map((figure) => ({ kind, runId: figure.runId, figure }))
      ),
    ),
    confidence,
  );
}

/** Returns what the machines of each run found, of all kinds together: what makes a run deviate, they share. */
function runsOf(measured: readonly { kind: string; runId?: string; figure: Earlier }[]) {
  return [...Map.groupBy(measured, ({ runId }) => runId ?? Symbol()).values()].map((ofRun) =>
    ofRun.flatMap(({ kind, figure }) => machineRatiosOf(figure, kind))
  );
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
  const of = strataIn(now, history);
  const judgements = now.figures.flatMap(({ name }) => {
    const [{ kind, runId, figure, earlier }, ...others] = of(name) as [Stratum, ...Stratum[]];
    return judgeFigure(figure, earlier, { kind, runId, others }) ?? [];
  });
  return new Map(judgements.map((judgement) => [judgement.figure.name, judgement]));
}

/** Returns how to get a figure by its name from each kind of machine of a result, with the earlier ones. */
function strataIn(now: Followed, history: readonly Followed[]): (name: string) => Stratum[] {
  const kinds = [now, ...now.others ?? []].map((kind) => ({
    kind,
    earlier: earlierFigures(kind, history),
  }));
  return (name) =>
    kinds.flatMap(({ kind, earlier }) =>
      kind.figures.filter((figure) => figure.name === name)
        .map((figure) => ({
          kind: kind.comparableKey ?? "",
          runId: kind.runId,
          figure,
          earlier: earlier.get(name) ?? [],
        }))
    );
}

/**
 * Returns the regressions of a result. `rerun` is a second measurement of the same implementation at the same commit.
 * Its machine may have another processor: each is compared with its own baseline. It dismisses what is not worse in it. It
 * confirms the rest; a ratio only where both measurements together are worse, by an interval that is wide enough for all
 * figures of a year.
 */
export function findRegressions(
  now: Followed,
  history: readonly Followed[],
  rerun?: Followed,
): Regression[] {
  const second = rerun !== undefined && isRerun(now, rerun) ? rerun : undefined;
  const again = second === undefined ? new Map<string, Judgement>() : judgeFigures(second, history);
  const [first, then] = [now, second].map((run) => run && strataIn(run, history));
  return [...judgeFigures(now, history).values()].filter(isWorse).map((judgement) => {
    const { name } = judgement.figure;
    const repeated = again.get(name);
    if (repeated === undefined) return { ...judgement, state: "suspected" };
    if (!isWorse(repeated)) return { ...judgement, again: repeated, state: "dismissed" };
    const [{ kind, runId, figure, earlier }, ...others] = first!(name) as [Stratum, ...Stratum[]];
    const together = judgeFigure(figure, earlier, {
      kind,
      runId,
      others: [...others, ...then!(name)],
      confidence: confirmConfidence,
    })!;
    const isSure = together.before.interval === undefined || isWorse(together);
    return { ...judgement, again: repeated, state: isSure ? "confirmed" : "suspected" };
  });
}

function isRerun(now: Followed, rerun: Followed): boolean {
  return isSame(rerun, now) && rerun.runId > now.runId && rerun.commit === now.commit;
}
