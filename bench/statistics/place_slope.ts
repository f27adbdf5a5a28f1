/** Whether a ratio changes with its place in the round: the mark of a process that still warms up. */
import { studentTWithin } from "./distributions.ts";
import { sum } from "../lib/sum.ts";
import { mean } from "./descriptive.ts";

const confidence = 0.99;

/** One load of a round. */
export interface PlacedLoad {
  /** Open connections. */
  level: number;
  logRatio: number;
}

/** The change of the log-ratio from one place in the round to the next. */
export interface PlaceSlope {
  /** Of the natural logarithm of the ratio, per place: 0.06 is 6 %. */
  slope: number;
  /** Ends of its 99 % confidence interval. */
  low: number;
  high: number;
  degreesOfFreedom: number;
}

/**
 * Returns the slope over places; each round lists its loads in the order of measuring, the levels in an order of its own.
 * Undefined where the rounds are too few, or all have the same order, which leaves place and level indistinguishable.
 *
 * Least squares with an effect of its own for every round (rounds are blocks: their processes differ) and every level:
 * as each round has the same levels, both effects leave by subtracting means (Frisch and Waugh, "Partial Time Regressions
 * as Compared with Individual Trends" (1933), Econometrica 1).
 *
 * Loads of a round are not independent: two of one level came out alike, with a correlation of 0.1 to 0.4 in published
 * runs. So the variance is that over rounds, whatever the correlation within them: by the jackknife, which leaves out each
 * round in turn (Bell and McCaffrey, "Bias Reduction in Standard Errors for Linear Regression with Multi-Stage Samples"
 * (2002), Survey Methodology 28), with Student's t for one degree of freedom less than there are rounds. With one level,
 * it is the t test of the slopes of the rounds.
 *
 * The interval is one for 99 %, because leaving out 0 makes a comparison invalid, and noise is not to do that: one honest
 * comparison in a hundred is lost, where 95 % would lose one in twenty. The slope of a cold JVM, 6 % per place, is found
 * by it in nearly all comparisons of ten rounds (`coverage_over_runs_test.ts`).
 *
 * @throws {RangeError} when rounds have different levels.
 */
export function placeSlope(rounds: readonly (readonly PlacedLoad[])[]): PlaceSlope | undefined {
  const levels = levelsOf(rounds[0] ?? []);
  const different = rounds.find((round) => levelsOf(round).join() !== levels.join());
  if (different !== undefined) {
    throw new RangeError(`a round has levels ${levelsOf(different)}, another ${levels}`);
  }
  const slope = slopeOf(rounds);
  const degreesOfFreedom = rounds.length - 1;
  if (slope === undefined || degreesOfFreedom < 1) return undefined;
  const without = rounds.flatMap((left) => slopeOf(rounds.filter((round) => round !== left)) ?? []);
  if (without.length < rounds.length) return undefined;
  const squares = sum(without.map((other) => (other - slope) ** 2));
  const standardError = Math.sqrt(squares * degreesOfFreedom / rounds.length);
  const margin = studentTWithin(confidence, degreesOfFreedom) * standardError;
  return {
    slope,
    low: slope - margin,
    high: slope + margin,
    degreesOfFreedom,
  };
}

/** Returns the slope by least squares; undefined where place and level are indistinguishable. */
function slopeOf(rounds: readonly (readonly PlacedLoad[])[]): number | undefined {
  const loads = rounds.flatMap((round, index) =>
    round.map(({ level, logRatio }, place) => ({ round: index, level, place, logRatio }))
  );
  if (loads.length === 0) return undefined;
  const places = withoutMeans(loads, ({ place }) => place);
  const logRatios = withoutMeans(loads, ({ logRatio }) => logRatio);
  const square = sum(places.map((place) => place ** 2));
  if (square < 1e-9) return undefined;
  return sum(places.map((place, index) => place * logRatios[index]!)) / square;
}

function levelsOf(round: readonly PlacedLoad[]): number[] {
  return round.map(({ level }) => level).sort((a, b) => a - b);
}

/** Returns a value of each load less the mean of its round and that of its level, plus the mean of all. */
function withoutMeans<T extends { round: number; level: number }>(
  loads: readonly T[],
  value: (load: T) => number,
): number[] {
  const meansBy = (key: (load: T) => number) =>
    new Map([...Map.groupBy(loads, key)].map(([key, group]) => [key, mean(group.map(value))]));
  const [ofRounds, ofLevels] = [meansBy(({ round }) => round), meansBy(({ level }) => level)];
  const ofAll = mean(loads.map(value));
  return loads.map((load) =>
    value(load) - ofRounds.get(load.round)! - ofLevels.get(load.level)! + ofAll
  );
}
