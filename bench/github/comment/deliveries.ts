/** The deliveries of a result in a comment: a table, a row for each rate. */
import {
  byRate,
  isDisturbed,
  mayBeHigher,
  missesTheLowest,
  sustainedDeliveries,
} from "../../results/deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { dashed, deliveryTexts, disturbedNote } from "../../results/step_texts.ts";
import { number } from "../markdown.ts";
import { renderStepTable, type StepTable } from "./step_table.ts";

type Deliveries = Pick<Result, "plan" | "deliveries">;

const table: StepTable<DeliveryStep> = {
  columns: [
    { label: "users" },
    { label: "offered/s" },
    { label: "accepted" },
    { label: "lost" },
    { label: "arrived/s" },
    { label: "accept p99 ms" },
    { label: "arrival p99 s" },
    { label: "threads" },
    { label: "memory MiB" },
  ],
  named: 2,
  nameOf: ({ users, ratePerSecond }) => [number(users), number(ratePerSecond)],
  figuresOf,
  isSame: (a, b) => a.ratePerSecond === b.ratePerSecond,
};

/** Returns the table, with the base's deliveries where they are given; undefined where there are none. */
export function renderDeliveries(result: Deliveries, base?: Deliveries) {
  const { deliveries } = result;
  if (deliveries === undefined || deliveries.steps.length === 0) return undefined;
  const highest = `Highest sustainable rate: ${sustainedText(result)}${
    base?.deliveries === undefined ? "" : `, of the base ${sustainedText(base)}`
  }. One process at each rate, so no figure has an interval.${
    [...deliveries.steps, ...base?.deliveries?.steps ?? []].some(isDisturbed)
      ? ` ${disturbedNote}.`
      : ""
  }`;
  const steps = renderStepTable(byRate(deliveries.steps), base?.deliveries?.steps, table);
  return `${steps}\n\n${highest}`;
}

/** Returns what came out, in a clause; undefined without deliveries. */
export function deliveriesOutcome(result: Deliveries): string | undefined {
  const { plan, deliveries } = result;
  if (deliveries === undefined || deliveries.steps.length === 0) return undefined;
  if (sustainedDeliveries(deliveries.steps, plan.deliveries).sustainablePerSecond !== undefined) {
    return `passes on ${sustainedText(result)} in time`;
  }
  return missesTheLowest(deliveries, plan.deliveries)
    ? "meets the objective at no rate"
    : "has no highest sustainable rate, because a rate is invalid or not measured";
}

/** Says the highest sustainable rate, or why there is none. */
function sustainedText({ plan, deliveries }: Deliveries): string {
  const { steps = [] } = deliveries ?? {};
  const { sustainablePerSecond } = sustainedDeliveries(steps, plan.deliveries);
  if (sustainablePerSecond !== undefined) {
    const bound = mayBeHigher({ steps, sustainablePerSecond }) ? "at least " : "";
    return `${bound}${rateText(sustainablePerSecond)}`;
  }
  return deliveries && missesTheLowest(deliveries, plan.deliveries) ? "none" : "not decided";
}

function rateText(perSecond: number): string {
  return `${number(perSecond)} notifications a second`;
}

function figuresOf(step: DeliveryStep): string[] | { missing: string } {
  const texts = dashed(deliveryTexts(step));
  if (texts === undefined) return { missing: step.problem! };
  return [
    texts.accepted,
    texts.lost,
    texts.arrivedPerSecond,
    texts.acceptP99Milliseconds,
    texts.arrivalP99Seconds,
    texts.peakThreads,
    texts.peakMemory,
  ];
}
