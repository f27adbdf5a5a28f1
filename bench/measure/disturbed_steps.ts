/**
 * Disturbed steps: which bursts and rates of a result is a later command to measure again? Each step has a fresh process, so
 * none depends on another. It decides by the machine alone, never by what came out, as repeats within a run do.
 */
import { isSoundStep } from "../results/burst.ts";
import type { BurstStep } from "../results/burst_schema.ts";
import type { DeliveryStep } from "../results/deliveries_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { isOnlyDisturbed } from "./judge_machine.ts";

/** Tells whether nothing but the machine left a burst without figures. */
export function isDisturbedBurst(step: BurstStep): boolean {
  return !isSoundStep(step) && step.invalidBecause === undefined &&
    step.rounds.every(({ invalidBecause }) => invalidBecause === undefined);
}

/** Tells whether the machine disturbed a rate and nothing else was wrong, whether or not it met the objective. */
export function isDisturbedRate(step: DeliveryStep): boolean {
  return step.disturbed !== undefined || isOnlyDisturbed(step);
}

/** Returns how many steps of a complete result `bench --resume` measures again. */
export function countDisturbedSteps({ status, bursts, deliveries }: Result): number {
  if (status !== "complete") return 0;
  return (bursts?.steps ?? []).filter(isDisturbedBurst).length +
    (deliveries?.steps ?? []).filter(isDisturbedRate).length;
}
