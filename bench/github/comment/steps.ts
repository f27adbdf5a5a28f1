/** The steps of a result whose scenario has no levels, in a comment: bursts or deliveries. */
import type { Result } from "../../results/result_schema.ts";
import { burstsOutcome, renderBursts } from "./bursts.ts";
import { deliveriesOutcome, renderDeliveries } from "./deliveries.ts";

type Steps = Pick<Result, "plan" | "bursts" | "deliveries">;

/** Returns their table, with the base's steps where they are given; undefined where there are none. */
export function renderSteps(result: Steps, base?: Steps): string | undefined {
  return renderBursts(result, base) ?? renderDeliveries(result, base);
}

/** Returns what came out, in a clause; undefined where nothing did. */
export function stepsOutcome(result: Steps): string | undefined {
  return burstsOutcome(result) ?? deliveriesOutcome(result);
}
