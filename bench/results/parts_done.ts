/** Parts done: how much of its plan has a result? A scenario has levels, or what it has in place of them. */
import type { Result } from "./result_schema.ts";

/** What a plan consists of, and how many of these are measured. */
export interface PartsDone {
  name: "levels" | "bursts" | "deliveries";
  done: number;
  planned: number;
}

/** Counts the parts of a result that are measured. */
export function partsDone(
  { plan, levels, bursts, deliveries }: Pick<Result, "plan" | "levels" | "bursts" | "deliveries">,
): PartsDone {
  if (plan.bursts !== undefined) {
    return { name: "bursts", done: bursts?.steps.length ?? 0, planned: plan.bursts.steps.length };
  }
  if (plan.deliveries !== undefined) {
    const planned = plan.deliveries.steps.length;
    return { name: "deliveries", done: deliveries?.steps.length ?? 0, planned };
  }
  return { name: "levels", done: levels.length, planned: plan.levels.length };
}
