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
  /** How many of the calls asked for something else than `GET /check/<id>`. */
  others: number;
}

/** What became of them. */
export interface Account {
  delivered: number;
  /** Accepted, and not delivered as long as that was waited for. */
  lost: number;
  /** The first call too many of each kind, its count in `came`. */
  problems: Problem[];
}

/** Holds what was accepted against what arrived. */
export function account({ sent, accepted, calls, others }: Notified): Account {
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
  if (others > 0) {
    problems.push({
      check: "another-call",
      sent: "POST /notify/<id>",
      came: `another path, or a query, in ${formatInteger(others)} of the calls`,
      expected: "GET /check/<id>",
    });
  }
  return { delivered, lost: accepted.size - delivered, problems };
}

/**
 * Returns how many notifications were not passed on, of those that were sent: not accepted, accepted and lost, or called
 * and given up before the answer.
 */
export function notPassedOn(
  { attempted, correct, lost, givenUp }: Pick<
    DeliveryStep,
    "attempted" | "correct" | "lost" | "givenUp"
  >,
): number {
  // One may be both: its sender and its caller stopped waiting.
  return Math.min(attempted, attempted - correct + lost + givenUp);
}

/** Tells whether a step meets the objective; see {@linkcode missedOf}. */
export function holds(...given: Parameters<typeof missedOf>): boolean {
  return missedOf(...given).length === 0;
}

/**
 * Returns which parts of the objective a step misses; none where it meets it. What was due too late to be accepted in time
 * does not count as unsent. Where processor time was taken during the load, answers may have been read late, and calls then
 * seem to come early: that is added to the times of their arrivals.
 */
export function missedOf(
  step: Pick<
    DeliveryStep,
    | "ratePerSecond"
    | "due"
    | "attempted"
    | "unsent"
    | "correct"
    | "lost"
    | "givenUp"
    | "acceptSeconds"
    | "arrivalSeconds"
    | "drainSeconds"
  >,
  goal: DeliveryPlan["goal"],
  takenSeconds = 0,
): string[] {
  const { due, acceptSeconds, arrivalSeconds, drainSeconds } = step;
  const late = Math.max(0, step.unsent - step.ratePerSecond * goal.p99Seconds);
  const readLate = mostReadLate(step, takenSeconds);
  const isWithin = {
    "accept p99": acceptSeconds !== undefined && acceptSeconds.p99 <= goal.p99Seconds,
    "passed on": notPassedOn(step) + late <= goal.failureShare * due,
    "arrival p99": arrivalSeconds !== undefined &&
      arrivalSeconds.p99 + readLate <= goal.arrivalP99Seconds,
    "last arrival": drainSeconds !== undefined && drainSeconds + readLate <= goal.drainSeconds,
  };
  return Object.entries(isWithin).flatMap(([part, is]) => is ? [] : [part]);
}

/** Returns by how much an answer was read late at most: by all the time that was taken, but by no more than it took. */
function mostReadLate(
  { acceptSeconds }: Pick<DeliveryStep, "acceptSeconds">,
  takenSeconds: number,
): number {
  return Math.min(takenSeconds, acceptSeconds?.max ?? 0);
}

/** Returns how much processor time was taken during a load, by the hypervisor and by processes without a role. */
export function takenSecondsOf(machine: DeliveryStep["machine"]): number {
  return machine === undefined ? 0 : machine.stealCpuSeconds + (machine.foreignCpuSeconds ?? 0);
}

/** Tells whether the machine was disturbed during a step that counts all the same. */
export function isDisturbed({ disturbed }: Pick<DeliveryStep, "disturbed">): boolean {
  return disturbed !== undefined;
}

/** Returns by how much the answers of a step were read late at most; undefined where the machine was not disturbed. */
export function readLateSeconds(
  step: Pick<DeliveryStep, "acceptSeconds" | "disturbed" | "machine">,
): number | undefined {
  return isDisturbed(step) ? mostReadLate(step, takenSecondsOf(step.machine)) : undefined;
}

/**
 * Returns the highest rate such that it and every lower one are valid and meet the objective, if there is one; none
 * before all steps of the plan are measured, because their order is random. Pages ask this of the steps, because the run
 * of 25 November 2026 stored none where a higher step was invalid.
 */
export function sustainedDeliveries(
  steps: readonly DeliveryStep[],
  plan: Pick<DeliveryPlan, "steps"> | undefined,
): Pick<Deliveries, "sustainablePerSecond"> {
  if (plan === undefined || steps.length < plan.steps.length) return {};
  let sustainablePerSecond: number | undefined;
  for (const step of byRate(steps)) {
    if (step.problem !== undefined || !step.holds) break;
    sustainablePerSecond = step.ratePerSecond;
  }
  return sustainablePerSecond === undefined ? {} : { sustainablePerSecond };
}

/** Tells whether the highest sustainable rate may be higher: the next one up is invalid, or was not offered. */
export function mayBeHigher(
  { sustainablePerSecond, steps }: Pick<Deliveries, "sustainablePerSecond"> & {
    steps: readonly Pick<DeliveryStep, "users" | "ratePerSecond" | "problem">[];
  },
): boolean {
  if (sustainablePerSecond === undefined) return false;
  const next = byRate(steps).find(({ ratePerSecond }) => ratePerSecond > sustainablePerSecond);
  return next === undefined || next.problem !== undefined;
}

/** Tells whether no rate of the plan is sustainable: the lowest one misses the objective, and that is valid. */
export function missesTheLowest(
  { steps }: Pick<Deliveries, "steps">,
  plan: Pick<DeliveryPlan, "steps"> | undefined,
): boolean {
  const [planned] = byRate(plan?.steps ?? []);
  const lowest = steps.find(({ ratePerSecond }) => ratePerSecond === planned?.ratePerSecond);
  return lowest !== undefined && lowest.problem === undefined && !lowest.holds;
}

/**
 * Returns how many notifications there are of each kind that failed, besides those that were lost: due and not accepted,
 * or called and given up.
 */
export function failedKinds(
  { unsent, failures, wrong, givenUp }: Pick<
    DeliveryStep,
    "unsent" | "failures" | "wrong" | "givenUp"
  >,
): [kind: string, count: number][] {
  return Object.entries({ unsent, ...failures, ...wrong, "given-up": givenUp })
    .filter(([, count]) => count > 0);
}

/** Returns which share of the accepted notifications was lost. */
export function lostShare(
  { lost, correct }: Pick<DeliveryStep, "lost" | "correct">,
): number {
  return correct === 0 ? 0 : lost / correct;
}

/** The largest share of accepted notifications that may be lost if a 99th percentile of their arrivals is to be known. */
const mostLostForP99 = 0.01;

/** Returns how soon calls arrived; undefined where so many never did that the 99th percentile of all is not known. */
export function arrivalsOfAccepted(
  { lost, correct, arrivalSeconds }: Pick<DeliveryStep, "lost" | "correct" | "arrivalSeconds">,
): DeliveryStep["arrivalSeconds"] {
  return lostShare({ lost, correct }) > mostLostForP99 ? undefined : arrivalSeconds;
}

/** Returns steps from the lowest rate up. */
export function byRate<Step extends DeliveryStepPlan>(steps: readonly Step[]): Step[] {
  return steps.toSorted((a, b) => a.ratePerSecond - b.ratePerSecond);
}
