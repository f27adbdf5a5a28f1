/** The deliveries of a result in a comment: a table, a row for each rate. */
import { byRate } from "../../results/deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { dashed, deliveryTexts } from "../../results/step_texts.ts";
import { number } from "../markdown.ts";
import { renderStepTable, type StepTable } from "./step_table.ts";

type Deliveries = Pick<Result, "deliveries">;

const table: StepTable<DeliveryStep> = {
  columns: [
    { label: "users" },
    { label: "offered/s" },
    { label: "accepted" },
    { label: "accepted and lost" },
    { label: "delivered/s" },
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
export function renderDeliveries({ deliveries }: Deliveries, base?: Deliveries) {
  if (deliveries === undefined || deliveries.steps.length === 0) return undefined;
  const highest = `Highest sustainable rate: ${rateText(deliveries.sustainablePerSecond)}${
    base?.deliveries === undefined
      ? ""
      : `, of the base ${rateText(base.deliveries.sustainablePerSecond)}`
  }. One process at each rate, so no figure has an interval.`;
  const steps = renderStepTable(byRate(deliveries.steps), base?.deliveries?.steps, table);
  return `${steps}\n\n${highest}`;
}

/** Returns what came out, in a clause; undefined without deliveries. */
export function deliveriesOutcome({ deliveries }: Deliveries): string | undefined {
  if (deliveries === undefined || deliveries.steps.length === 0) return undefined;
  const { sustainablePerSecond: rate } = deliveries;
  return rate === undefined
    ? "meets the objective at no rate"
    : `passes on ${rateText(rate)} in time`;
}

/** Returns the rates at which what was measured does not count, each with its reason. */
export function invalidDeliveries({ deliveries }: Deliveries): { where: string; reason: string }[] {
  return (deliveries?.steps ?? []).flatMap(({ ratePerSecond, problem }) =>
    problem === undefined ? [] : [{ where: `at ${rateText(ratePerSecond)}`, reason: problem }]
  );
}

function rateText(perSecond: number | undefined): string {
  return perSecond === undefined ? "none" : `${number(perSecond)} notifications a second`;
}

function figuresOf(step: DeliveryStep): string[] | { missing: string } {
  const texts = dashed(deliveryTexts(step));
  if (texts === undefined) return { missing: step.problem! };
  return [
    texts.accepted,
    texts.lost,
    texts.deliveredPerSecond,
    texts.acceptP99Milliseconds,
    texts.arrivalP99Seconds,
    texts.peakThreads,
    texts.peakMemory,
  ];
}
