/**
 * Deliveries of a result, `deliveries` in its file: notifications at a rate, and what became of each. Out: what pages show
 * of them, a row for each implementation in a group for each rate, and a summary in words.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import {
  byRate,
  failedKinds,
  isDisturbed,
  mayBeHigher,
  missedOf,
  missesTheLowest,
  sustainedDeliveries,
} from "../../results/deliveries.ts";
import type { DeliveryPlan, DeliveryStep } from "../../results/deliveries_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import {
  controlMicros,
  type DeliveryTexts,
  deliveryTexts,
  disturbedNote,
} from "../../results/step_texts.ts";
import { list, proseNames } from "../../results/words.ts";
import { deliveryLabel } from "../../../site/assets/step_text.js";

/** The deliveries of a run as pages show them. */
export interface ShownDeliveries {
  plan: Omit<DeliveryPlan, "steps">;
  /** From the lowest rate up. */
  steps: { label: string; rows: ShownDelivery[] }[];
  finding: string;
  /** What a mark before some times says; absent where none has it. */
  note?: string;
}

/** What one implementation did at one rate. */
export interface ShownDelivery extends Partial<DeliveryTexts> {
  name: string;
  /** Present exactly where there are no figures. */
  missing?: string;
  /** By kind: `5,124 unsent, 12 status-503`. */
  failures?: string;
  /** Whether it meets the objective, or which parts of it it misses: `met`, `missed: accept p99`. */
  objective?: string;
  /** CPU time of the control for a notification just before, in microseconds. */
  controlCpu?: string;
}

/** Returns what pages show of the deliveries of a run; undefined where it has none. */
export function showDeliveries(results: readonly Result[]): ShownDeliveries | undefined {
  const measured = results.flatMap(({ impl: { name }, plan, deliveries }) =>
    plan.deliveries === undefined ? [] : [{ name, plan: plan.deliveries, deliveries }]
  );
  const [first] = measured;
  if (first === undefined) return undefined;
  const { steps, ...plan } = first.plan;
  return {
    plan,
    steps: byRate(steps).map((planned) => ({
      label: deliveryLabel(planned),
      rows: measured.map(({ name, deliveries }) =>
        showDelivery(
          name,
          deliveries?.steps.find((step) => step.users === planned.users),
          plan.goal,
        )
      ),
    })),
    finding: deliveriesFinding(results, plan.goal),
    note: measured.some(({ deliveries }) => deliveries?.steps.some(isDisturbed))
      ? disturbedNote
      : undefined,
  };
}

function showDelivery(
  name: string,
  step: DeliveryStep | undefined,
  goal: DeliveryPlan["goal"],
): ShownDelivery {
  if (step === undefined) return { name, missing: "not measured" };
  const texts = deliveryTexts(step);
  if (texts === undefined) return { name, missing: step.problem };
  const kinds = failedKinds(step).map(([kind, count]) => `${formatInteger(count)} ${kind}`);
  return {
    name,
    ...texts,
    controlCpu: controlMicros(step),
    failures: kinds.length === 0 ? "none" : kinds.join(", "),
    objective: objectiveText(step, goal),
  };
}

/** Returns at which rates the objective is met although a lower one misses it: `3,333`. */
function metAfterMiss(steps: readonly DeliveryStep[]): string[] {
  const inOrder = byRate(steps);
  const miss = inOrder.findIndex(({ holds, problem }) => problem === undefined && !holds);
  const met = miss < 0 ? [] : inOrder.slice(miss).filter(({ holds }) => holds);
  return met.map(({ ratePerSecond }) => formatInteger(ratePerSecond));
}

function objectiveText(step: DeliveryStep, goal: DeliveryPlan["goal"]): string {
  if (step.holds) return "met";
  return `missed: ${missedOf(step, goal).join(", ")}`;
}

/** Returns who passes on how much, in a sentence without its period. */
function deliveriesFinding(
  results: readonly Result[],
  { p99Seconds, failureShare }: DeliveryPlan["goal"],
): string {
  // The client is what differs, and stands after the comma.
  const names = proseNames(results.map(({ impl }) => impl.name), { isWhole: true });
  const nameOf = ({ impl }: Result) => names.get(impl.name)!;
  const known = results.flatMap((result) => {
    const { plan, deliveries: { steps } = { steps: [] } } = result;
    const { sustainablePerSecond: rate } = sustainedDeliveries(steps, plan.deliveries);
    if (rate === undefined) return [];
    const isLeast = mayBeHigher({ steps, sustainablePerSecond: rate });
    const upTo = `${isLeast ? "at least" : "up to"} ${formatInteger(rate)} a second`;
    return [{ name: nameOf(result), rate, upTo, again: metAfterMiss(steps) }];
  });
  const none = results.filter(({ deliveries, plan }) =>
    deliveries !== undefined && missesTheLowest(deliveries, plan.deliveries)
  );
  if (known.length === 0) {
    if (none.length < results.length) {
      return "Up to which rate notifications are accepted and passed on in time is not known";
    }
    return results.length === 1
      ? `${
        nameOf(results[0]!)
      } does not accept notifications and pass them on in time at the lowest rate`
      : "No implementation accepts notifications and passes them on in time at the lowest rate";
  }
  const groups = Map.groupBy(known.toSorted((a, b) => b.rate - a.rate), ({ upTo }) => upTo);
  const said = [...groups].map(([upTo, those]) => `${list(those.map(({ name }) => name))} ${upTo}`);
  said.push(
    ...known.flatMap(({ name, again }) =>
      again.length === 0 ? [] : [`${name} again at ${list(again)}`]
    ),
  );
  if (none.length > 0) said.push(`${list(none.map(nameOf))} not at the lowest rate`);
  return `Notifications accepted within ${
    formatInteger(1000 * p99Seconds)
  } ms (p99) and passed on in time, at most ${100 * failureShare} % lost, given up, unsent or ` +
    `not accepted, by one fresh process at each rate: ${said.join("; ")}`;
}
