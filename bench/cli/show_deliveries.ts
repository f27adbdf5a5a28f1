/** Show deliveries: those of a result as a table for a terminal, a row for each step, with reasons and failures below. */
import { formatInteger } from "../lib/format_integer.ts";
import { dim, red } from "@std/fmt/colors";
import { spanning, tableOf } from "./columns.ts";
import {
  byRate,
  failedKinds,
  mayBeHigher,
  missesTheLowest,
  sustainedDeliveries,
} from "../results/deliveries.ts";
import type { DeliveryStep } from "../results/deliveries_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { controlText, dashed, deliveryTexts } from "../results/step_texts.ts";

const columns = [
  "users",
  "offered/s",
  "accepted",
  "lost",
  "arrived/s",
  "accept p99 ms",
  "arrival p99 s",
  "last arrival s",
  "threads",
  "memory MiB",
];

/** Returns the table with its notes as lines; none where the scenario has no deliveries. */
export function formatDeliveries({ plan: { deliveries: plan }, deliveries }: Result): string[] {
  if (plan === undefined || deliveries === undefined) return [];
  const steps = byRate(deliveries.steps);
  const { p99Seconds, failureShare, arrivalP99Seconds, drainSeconds } = plan.goal;
  const control = controlText(steps);
  const { sustainablePerSecond } = sustainedDeliveries(deliveries.steps, plan);
  return [
    dim(`deliveries: notifications at a rate for ${plan.secondsPerStep} s, to a fresh process`),
    tableOf(columns, steps.map(formatStep)),
    ...steps.flatMap(notesOf),
    ...(control === undefined ? [] : [`${control}, just before each rate`]),
    `highest sustainable rate (accept p99 ≤ ${p99Seconds * 1000} ms, ≤ ${
      failureShare * 100
    } % lost, given up, unsent or not accepted, arrival p99 ≤ ${arrivalP99Seconds} s, last arrival ≤ ${drainSeconds} s): ${
      sustainablePerSecond !== undefined
        ? `${mayBeHigher({ steps, sustainablePerSecond }) ? "≥ " : ""}${
          formatInteger(sustainablePerSecond)
        } per second`
        : missesTheLowest(deliveries, plan)
        ? "none of the offered rates"
        : "not decided, a rate is invalid or not measured"
    }`,
  ];
}

function formatStep(step: DeliveryStep) {
  const head = [formatInteger(step.users), formatInteger(step.ratePerSecond)];
  const texts = dashed(deliveryTexts(step));
  if (texts === undefined) {
    return [...head, spanning(red("invalid, see below"), columns.length - 2)];
  }
  return [
    ...head,
    texts.accepted,
    texts.lost,
    texts.arrivedPerSecond,
    texts.acceptP99Milliseconds,
    texts.arrivalP99Seconds,
    texts.drainSeconds,
    texts.peakThreads,
    texts.peakMemory,
  ];
}

/** Returns why a step is invalid, or what failed in it and what disturbed it. */
function notesOf(step: DeliveryStep): string[] {
  const { users, problem, disturbed } = step;
  const name = `${formatInteger(users)} users`;
  if (problem !== undefined) return [`${name}: ${red("invalid")}: ${problem}`];
  const failed = failedKinds(step).map(([kind, count]) => `${kind} ${formatInteger(count)}`);
  const notes = failed.length === 0 ? [] : [failed.join(", ")];
  if (disturbed !== undefined) notes.push(`times are upper bounds, because ${disturbed}`);
  return notes.map((note) => `${name}: ${note}`);
}
