/** Invalid parts: what of a result does not count, besides its levels? In: a result. Out: each part, with the reason. */
import { formatInteger } from "../lib/format_integer.ts";
import { isSoundStep, missingBecause } from "./burst.ts";
import { invalidReasons } from "./outcome.ts";
import { sweepProblem } from "./rate_sweep.ts";
import type { Result } from "./result_schema.ts";

/** A part of a result that was measured and does not count. */
export interface InvalidPart {
  /** Completes "invalid …": `against the control at 50 connections`. */
  where: string;
  reason: string;
}

/** Returns the invalid parts besides levels. */
export function invalidParts(
  { durable, comparison, rateSweep, bursts, deliveries }: Pick<
    Result,
    "durable" | "comparison" | "rateSweep" | "bursts" | "deliveries"
  >,
): InvalidPart[] {
  const ofDurable = durable?.load === undefined ? [] : invalidReasons(durable.load);
  const ofSweep = rateSweep && sweepProblem(rateSweep);
  const parts: { where: string; reason?: string }[] = [
    { where: "with every commit on disk", reason: ofDurable.join("; ") || undefined },
    ...(comparison?.levels ?? []).map(({ connections, problem }) => ({
      where: `against the control at ${formatInteger(connections)} connections`,
      reason: problem,
    })),
    { where: "in the rate sweep", reason: ofSweep },
    ...(bursts?.steps ?? []).map((step) => ({
      where: `with ${formatInteger(step.users)} users at once, ${step.delaySeconds} s`,
      reason: isSoundStep(step) ? undefined : missingBecause(step),
    })),
    ...(deliveries?.steps ?? []).map(({ ratePerSecond, problem }) => ({
      where: `at ${formatInteger(ratePerSecond)} notifications a second`,
      reason: problem,
    })),
  ];
  return parts.flatMap(({ where, reason }) => reason === undefined ? [] : [{ where, reason }]);
}
