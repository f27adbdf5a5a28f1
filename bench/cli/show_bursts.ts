/** Show bursts: those of a result as a table for a terminal, a row for each step, with reasons and failures below. */
import { formatInteger } from "../lib/format_integer.ts";
import { dim, red } from "@std/fmt/colors";
import { spanning, tableOf } from "./columns.ts";
import {
  countedRounds,
  disturbedRounds,
  failuresOf,
  inOrder,
  missingBecause,
} from "../results/burst.ts";
import type { BurstStep } from "../results/burst_schema.ts";
import type { Result } from "../results/result_schema.ts";
import { burstTexts, dashed } from "../results/step_texts.ts";
import { burstLabel } from "../../site/assets/step_text.js";

const columns = [
  "users",
  "delay s",
  "answered",
  "failed",
  "mean s",
  "p99 s",
  "threads",
  "memory MiB",
  "connected",
  "established",
];

/** Returns the table with its notes as lines; none where the scenario has no bursts. */
export function formatBursts({ plan: { bursts: plan }, bursts }: Result): string[] {
  if (plan === undefined || bursts === undefined || bursts.steps.length === 0) return [];
  const steps = inOrder(bursts.steps);
  const rounds = roundsText(plan.rounds);
  const said =
    `bursts: users come at once, one request each; ${rounds}, each with a fresh process ` +
    `after ${formatInteger(plan.warmUpRequests)} requests; mean of answered users, p99 of all`;
  return [dim(said), tableOf(columns, steps.map(formatStep)), ...steps.flatMap(notesOf)];
}

function formatStep(step: BurstStep) {
  const head = [formatInteger(step.users), step.delaySeconds];
  const texts = dashed(burstTexts(step));
  if (texts === undefined) {
    const content = step.leftOut === undefined ? red("invalid, see below") : "left out, see below";
    return [...head, spanning(content, columns.length - 2)];
  }
  return [
    ...head,
    texts.answered,
    texts.failedShare,
    texts.meanSeconds,
    texts.p99Seconds,
    texts.peakThreads,
    texts.peakMemory,
    texts.peakConnected,
    texts.peakEstablished,
  ];
}

/** Returns why a step has no figures, or what became of its users without an answer. */
function notesOf(step: BurstStep): string[] {
  const name = burstLabel(step);
  const missing = missingBecause(step);
  if (missing !== undefined) {
    return [`${name}: ${step.leftOut === undefined ? red("invalid") : "left out"}: ${missing}`];
  }
  const rounds = countedRounds(step);
  const ended = new Set(step.rounds.flatMap(({ ended }) => ended ?? []));
  const disturbed = disturbedRounds(step);
  const failures = failuresOf(step).map(([kind, count]) => `${kind} ${formatInteger(count)}`);
  return [
    ...(disturbed === undefined
      ? []
      : [`${name}: figures leave out disturbed rounds: ${disturbed}`]),
    ...[...ended].map((text) => `${name}: ${text}`),
    ...(failures.length === 0
      ? []
      : [`${name}: failed in ${roundsText(rounds.length)}: ${failures.join(", ")}`]),
  ];
}

function roundsText(rounds: number): string {
  return rounds === 1 ? "one round" : `${rounds} rounds`;
}
