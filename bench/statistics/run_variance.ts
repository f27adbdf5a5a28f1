/**
 * How far runs differ: of one ratio, and pooled over several that were measured in the same runs. In: the ratio that each
 * run found, with its interval over rounds. Out: variances of natural logarithms, with their degrees of freedom.
 */
import { studentTWithin } from "./distributions.ts";
import type { RatioInterval } from "./ratio.ts";
import { sum } from "../lib/sum.ts";
import { mean } from "./descriptive.ts";

/** What one run found. */
export interface RunRatio {
  ratio: Omit<RatioInterval, "method">;
  /** The model of the machine's processor. */
  processor: string;
}

/** A variance, and the degrees of freedom that it is known with. */
export interface Variance {
  variance: number;
  degreesOfFreedom: number;
}

/**
 * Returns what machines found in one run as the finding of that run: the mean of their log-ratios, on one processor.
 * They share what differs from run to run, so each by itself would count as a run that it is not.
 *
 * @throws {RangeError} when there is no ratio.
 */
export function meanOfMachines(ratios: readonly RunRatio[]): RunRatio {
  const [first] = ratios;
  if (first === undefined) throw new RangeError("meanOfMachines() needs at least one ratio");
  if (ratios.length === 1) return first;
  const { variance, degreesOfFreedom } = statedVariance(ratios);
  const { confidence } = first.ratio;
  const margin = studentTWithin(confidence, degreesOfFreedom) *
    Math.sqrt(variance / ratios.length);
  const value = mean(ratios.map(logRatioOf));
  const [low, estimate, high] = [value - margin, value, value + margin].map(Math.exp);
  return {
    ratio: {
      low: low!,
      estimate: estimate!,
      high: high!,
      confidence,
      degreesOfFreedom,
      rounds: sum(ratios.map(({ ratio }) => ratio.rounds)),
    },
    processor: first.processor,
  };
}

/**
 * Returns the variance of single runs around the mean of their ratio, their errors included, of natural logarithms:
 * pooled over several ratios that were measured in the same runs, because each by itself has few. Undefined where none
 * has two runs on one processor.
 *
 * What the ratios share makes them tell less. Those of m implementations to one control share half of the variance, and
 * tell as much as 4 m / (m + 3) independent ones, as in `betweenProcessors()`. All pairs of m implementations
 * have twice the residual variance of a two-way analysis of implementations and runs, and its degrees of freedom:
 * (m - 1) (n - 1) for n runs, 2 / m of those of the pairs (Scheffé, "The Analysis of Variance" (1959), section 4.2).
 *
 * That ratios to one control share half of their variance is assumed. If the control varies twice as much as the
 * programs, intervals of 95 % still hold in 94 % of the cases or more (`coverage_to_control_test.ts`). Some programs vary more from run to run than others: see `longRunRatio()`.
 */
export function pooledRunVariance(
  ratios: readonly (readonly RunRatio[])[],
  kind: "to the control" | "of all pairs",
): Variance | undefined {
  const known = ratios.map(byProcessor).filter((groups) => groups.some(({ length }) => length > 1));
  if (known.length === 0) return undefined;
  const { variance, degreesOfFreedom } = observedVariance(known.flat());
  // m (m - 1) / 2 pairs have m members.
  const members = (1 + Math.sqrt(1 + 8 * known.length)) / 2;
  const share = kind === "of all pairs" ? 2 / members : 4 / (known.length + 3);
  return { variance, degreesOfFreedom: degreesOfFreedom * share };
}

/** Groups runs by the processor that they were measured on. */
export function byProcessor<T extends RunRatio>(runs: readonly T[]): T[][] {
  return [...Map.groupBy(runs, ({ processor }) => processor).values()];
}

/** Returns the variance of single runs around the mean of their processor, their errors included. */
export function observedVariance(groups: readonly RunRatio[][]): Variance {
  const squares = groups.map((runs) => sumOfSquares(runs.map(logRatioOf)));
  const degreesOfFreedom = sum(groups.map((runs) => runs.length - 1));
  return { variance: sum(squares) / degreesOfFreedom, degreesOfFreedom };
}

/**
 * Returns the mean variance of the runs' errors: those from which their intervals by t, or nearly so by ranks, come. They
 * are taken as equal, so that their degrees of freedom add up.
 */
export function statedVariance(runs: readonly RunRatio[]): Variance {
  const variances = runs.map(({ ratio }) =>
    (Math.log(ratio.high / ratio.low) / 2 / studentTWithin(ratio.confidence, freedomOf(ratio))) ** 2
  );
  return {
    variance: mean(variances),
    degreesOfFreedom: sum(runs.map(({ ratio }) => freedomOf(ratio))),
  };
}

function freedomOf({ rounds, degreesOfFreedom = rounds - 1 }: RunRatio["ratio"]): number {
  return degreesOfFreedom;
}

/** Returns the natural logarithm of a ratio. */
export function logRatioOf({ ratio }: RunRatio): number {
  return Math.log(ratio.estimate);
}

/** Returns the sum of squared deviations from the mean. */
export function sumOfSquares(values: readonly number[]): number {
  const centre = mean(values);
  return sum(values.map((value) => (value - centre) ** 2));
}

/**
 * Returns the half-width of an interval whose variance is the sum of these, on the scale of natural logarithms: by t with
 * the degrees of freedom of Satterthwaite ("An Approximate Distribution of Estimates of Variance Components" (1946),
 * Biometrics Bulletin 2).
 */
export function marginOf(parts: readonly Variance[], confidence: number): number {
  const variance = sum(parts.map((part) => part.variance));
  if (variance === 0) return 0;
  const perFreedom = parts.map((part) => part.variance ** 2 / part.degreesOfFreedom);
  return studentTWithin(confidence, variance ** 2 / sum(perFreedom)) * Math.sqrt(variance);
}
