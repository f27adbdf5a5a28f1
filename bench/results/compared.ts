/**
 * How do two implementations of a run compare at one level? Both were compared with the control (protocol B), which
 * cancels out. Returns each one's log-ratios to it, one per round, or why there are none.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { counted, goodputOf } from "./comparison_schema.ts";
import type { ComparedLevel } from "./comparison_schema.ts";
import { type Known, valueOf } from "./known.ts";
import { isGeneratorBound, isWarmBound, ownReasonsAt, whyFailed } from "./outcome.ts";
import type { Result } from "./result_schema.ts";
import { type RatioInterval, type Reading, readRatio } from "../statistics/mod.ts";

/** Why there is no interval. */
export const fewRounds = "an interval needs three rounds";

/** How to read a ratio to the control; absent where the load generator limited neither of the two. */
export type Qualifier = Reading["qualifier"];

/** Returns the comparison with the control at a level. */
export function comparedAt(result: Result, connections: number): Known<ComparedLevel> {
  const { impl: { name }, comparison, control } = result;
  const failed = whyFailed(result);
  if (failed !== undefined) return { missing: `${name} ${failed}` };
  if (comparison === undefined || control === undefined) {
    return { missing: `${name} was not compared with the control` };
  }
  const compared = comparison.levels.find((level) => level.connections === connections);
  const at = `at ${formatInteger(connections)} connections`;
  if (compared === undefined) {
    return { missing: `${name} was not compared ${at}` };
  }
  if (compared.problem !== undefined) return { missing: compared.problem };
  // The long load finds more than slices do: what speaks against the implementation there, does so of them. What the machine
  // did to it, it need not have done to them: their rounds are judged by their own.
  const reasons = ownReasonsAt(result, connections);
  return reasons.length > 0
    ? { missing: `${name} is invalid ${at}: ${reasons.join("; ")}` }
    : { value: compared };
}

/**
 * Returns the ratio of a result's warm goodput to the control's at a level, with the interval of its run. There is none
 * if the load generator bounds both, because the ratio then says nothing about either.
 */
export function ratioAt(result: Result, connections: number): Known<RatioInterval> {
  const compared = comparedAt(result, connections);
  if ("missing" in compared) return compared;
  const { goodput } = compared.value;
  if (goodput === undefined) return { missing: fewRounds };
  if (isGeneratorBound(result, connections) && isWarmBound(result, connections, "reference")) {
    return {
      missing: `the load generator limited both ${result.impl.name} and the control`,
    };
  }
  return { value: goodput };
}

/** Returns how to read a ratio to the control where the load generator limited one of the two. */
export function qualifierAt(result: Result, connections: number): Qualifier {
  const compared = valueOf(comparedAt(result, connections));
  if (compared?.goodput === undefined) return undefined;
  return readRatio(compared.goodput, {
    a: isGeneratorBound(result, connections),
    b: isWarmBound(result, connections, "reference"),
  }).qualifier;
}

/** Returns the levels at which a result was compared with the control, or should have been. */
export function comparedLevels({ plan, comparison }: Result): number[] {
  return [
    ...new Set([
      ...plan.comparison?.levels ?? [],
      ...comparison?.levels.map(({ connections }) => connections) ?? [],
    ]),
  ].sort((a, b) => a - b);
}

/** Returns the log-ratios of warm goodput to the control's, in the order of the rounds. */
export function logRatiosOf({ rounds }: ComparedLevel): number[] {
  return counted(rounds).map(({ subject, reference }) =>
    Math.log(goodputOf(subject) / goodputOf(reference))
  );
}
