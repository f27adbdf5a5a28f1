/**
 * Two implementations of one run, at one level: how do they compare? Both were compared with the control
 * (protocol B), which cancels out. Gives each one's log-ratios to it, one for each round, or why there are none.
 */
import { goodputOf } from "./comparison_schema.ts";
import { lastRepetition, type Result } from "./result_schema.ts";
import type { ComparedLevel } from "./comparison_schema.ts";
import { type RatioInterval, twoSampleRatioInterval } from "../statistics/mod.ts";

/** What a run knows, or in a sentence without its period why it does not. */
export type Known<T> = { value: T } | { missing: string };

/** Returns the comparison with the control at a level. */
export function comparedAt(result: Result, connections: number): Known<ComparedLevel> {
  const { impl, failure, comparison, control } = result;
  if (failure !== undefined) return { missing: `${impl.id} failed: ${failure.message}` };
  if (comparison === undefined || control === undefined) {
    return { missing: `${impl.id} was not compared with the control` };
  }
  const level = comparison.levels.find((level) => level.connections === connections);
  if (level === undefined) {
    return { missing: `${impl.id} was not compared at ${connections} connections` };
  }
  if (level.problem !== undefined) return { missing: `${impl.id}: ${level.problem}` };
  // Wrong answers in the long load are wrong answers in the slices, too.
  const measured = result.levels.find((level) => level.connections === connections);
  const validity = measured && lastRepetition(measured).validity;
  if (validity?.valid === false) {
    const reasons = validity.reasons.map(({ message }) => message).join("; ");
    return { missing: `${impl.id} is invalid at ${connections} connections: ${reasons}` };
  }
  return { value: level };
}

/** Returns the log-ratios of goodput to the control's, in the order of the rounds. */
export function logRatiosOf({ rounds }: ComparedLevel): number[] {
  return rounds.map(({ subject, reference }) =>
    Math.log(goodputOf(subject) / goodputOf(reference))
  );
}

/** Returns the ratio of two results' goodput at a level, at 95 % for this one pair. */
export function ratioBetween(a: Result, b: Result, connections: number): Known<RatioInterval> {
  const [ofA, ofB] = [a, b].map((result) => comparedAt(result, connections));
  if ("missing" in ofA!) return ofA;
  if ("missing" in ofB!) return ofB;
  if (a.control?.version !== b.control?.version) {
    return {
      missing: `${a.impl.id} was compared with version ${a.control?.version} of the control, ` +
        `${b.impl.id} with version ${b.control?.version}`,
    };
  }
  const ratio = twoSampleRatioInterval(logRatiosOf(ofA!.value), logRatiosOf(ofB!.value));
  return ratio === undefined
    ? { missing: "an interval needs three rounds of each" }
    : { value: ratio };
}

/** Tells whether a result's goodput at a level is to be read as: at least. */
export function isGeneratorBound(result: Result, connections: number): boolean {
  return result.levels.find((level) => level.connections === connections)?.frame
    ?.isGeneratorBound ?? false;
}
