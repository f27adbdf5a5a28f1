/**
 * Deliveries: what became of each notification, and what does that come to? Takes what was sent, what was accepted and
 * which calls arrived; decides nothing about the machine.
 */
import { formatInteger } from "../lib/format_integer.ts";
import type { Problem } from "./load_schema.ts";
import type {
  Deliveries,
  DeliveryPlan,
  DeliveryStep,
  DeliveryStepPlan,
} from "./deliveries_schema.ts";

/** The notifications of one load. */
export interface Notified {
  /** Ids of all that may have been sent, once each. */
  sent: ReadonlySet<number>;
  /** Ids that were answered with 202. */
  accepted: ReadonlySet<number>;
  /** How often a call of each id arrived. */
  calls: ReadonlyMap<number, number>;
}

/** What became of them. */
export interface Account {
  delivered: number;
  /** Accepted, and never delivered. */
  lost: number;
  /** The first call too many of each kind, its count in `came`. */
  problems: Problem[];
}

/** Holds what was accepted against what arrived. */
export function account({ sent, accepted, calls }: Notified): Account {
  let delivered = 0;
  for (const id of accepted) if (calls.has(id)) delivered++;
  const twice = [...calls].filter(([id, count]) => sent.has(id) && count > 1);
  const unknown = [...calls].filter(([id]) => !sent.has(id));
  const problems: Problem[] = [];
  if (twice.length > 0) {
    const [[id, count]] = twice as [[number, number]];
    problems.push({
      check: "called-twice",
      sent: `POST /notify/${id}`,
      came: `${formatInteger(count)} calls of it (and as much of ${
        formatInteger(twice.length - 1)
      } more)`,
      expected: "one",
    });
  }
  if (unknown.length > 0) {
    const [[id]] = unknown as [[number, number]];
    problems.push({
      check: "unknown-id",
      sent: `no POST /notify/${id}`,
      came: `a call of it (and of ${formatInteger(unknown.length - 1)} more that nobody sent)`,
      expected: "none",
    });
  }
  return { delivered, lost: accepted.size - delivered, problems };
}

/** Tells whether a step meets the objective; what was due too late to be accepted in time does not count as unsent. */
export function holds(
  step: Pick<
    DeliveryStep,
    | "ratePerSecond"
    | "due"
    | "attempted"
    | "unsent"
    | "correct"
    | "lost"
    | "acceptSeconds"
    | "arrivalSeconds"
    | "drainSeconds"
  >,
  goal: DeliveryPlan["goal"],
): boolean {
  const { due, attempted, correct, lost, acceptSeconds, arrivalSeconds, drainSeconds } = step;
  if (acceptSeconds === undefined || arrivalSeconds === undefined) return false;
  const late = Math.max(0, step.unsent - step.ratePerSecond * goal.p99Seconds);
  return acceptSeconds.p99 <= goal.p99Seconds &&
    attempted - correct + lost + late <= goal.failureShare * due &&
    arrivalSeconds.p99 <= goal.arrivalP99Seconds &&
    drainSeconds! <= goal.drainSeconds;
}

/**
 * Returns the highest rate such that it and every lower one meet the objective, if there is one and none is invalid; none
 * before all steps of the plan are measured, because their order is random.
 */
export function sustainedDeliveries(
  steps: readonly DeliveryStep[],
  plan: Pick<DeliveryPlan, "steps">,
): Pick<Deliveries, "sustainablePerSecond"> {
  if (steps.length < plan.steps.length) return {};
  let sustainablePerSecond: number | undefined;
  for (const step of byRate(steps)) {
    if (step.problem !== undefined) return {};
    if (!step.holds) break;
    sustainablePerSecond = step.ratePerSecond;
  }
  return sustainablePerSecond === undefined ? {} : { sustainablePerSecond };
}

/** Returns the kinds of due notifications that were not accepted, and how many there are of each. */
export function notAccepted(
  { unsent, failures, wrong }: Pick<DeliveryStep, "unsent" | "failures" | "wrong">,
): [kind: string, count: number][] {
  return Object.entries({ unsent, ...failures, ...wrong }).filter(([, count]) => count > 0);
}

/** Returns which share of the accepted notifications was never delivered. */
export function lostShare(
  { lost, correct }: Pick<DeliveryStep, "lost" | "correct">,
): number {
  return correct === 0 ? 0 : lost / correct;
}

/** Returns steps from the lowest rate up. */
export function byRate<Step extends DeliveryStepPlan>(steps: readonly Step[]): Step[] {
  return steps.toSorted((a, b) => a.ratePerSecond - b.ratePerSecond);
}
