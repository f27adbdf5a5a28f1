/** Drift: how far do rates of one program lie apart from one part of a run to another, minutes or hours later? */
import { sum } from "../lib/sum.ts";
import { mean, variance } from "./descriptive.ts";

/** How far each part deviates, of the natural logarithm of a rate. */
export interface Drift {
  standardDeviation: number;
  degreesOfFreedom: number;
}

/**
 * Returns the drift between parts, from the log-rates of one program in the rounds of each part of each run: the variance
 * of the parts' means around the mean of their run, less what the rounds make of it, not below 0 (analysis of variance,
 * one variance for all runs); 0 says that none was seen. Undefined where no run has two parts of at least two rounds.
 */
export function driftOf(runs: readonly (readonly (readonly number[])[])[]): Drift | undefined {
  const known = runs.map((parts) => parts.filter(({ length }) => length > 1))
    .filter(({ length }) => length > 1);
  const degreesOfFreedom = sum(known.map(({ length }) => length - 1));
  if (degreesOfFreedom === 0) return undefined;
  const ofMeans = sum(known.map((parts) => (parts.length - 1) * variance(parts.map(mean)))) /
    degreesOfFreedom;
  const ofRounds = sum(
    known.map((parts) =>
      (parts.length - 1) * mean(parts.map((rounds) => variance(rounds) / rounds.length))
    ),
  ) / degreesOfFreedom;
  return { standardDeviation: Math.sqrt(Math.max(0, ofMeans - ofRounds)), degreesOfFreedom };
}
