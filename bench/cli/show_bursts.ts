/** Show bursts: those of a result as a table for a terminal, a row for each step, with reasons and failures below. */
import { formatInteger } from "../lib/format_integer.ts";
import { dim, red } from "@std/fmt/colors";
import Table from "cli-table3";
import { estimateText, failuresOf, inOrder, missingBecause, peakOf } from "../results/burst.ts";
import type { BurstStep } from "../results/burst_schema.ts";
import type { Result } from "../results/result_schema.ts";

const columns = [
  "users",
  "delay s",
  "answered",
  "failed",
  "mean s",
  "p99 s",
  "threads",
  "memory MiB",
  "established",
];

/** Returns the table with its notes as lines; none where the scenario has no bursts. */
export function formatBursts({ plan: { bursts: plan }, bursts }: Result): string[] {
  if (plan === undefined || bursts === undefined || bursts.steps.length === 0) return [];
  const table = new Table({
    head: columns,
    colAligns: columns.map(() => "right" as const),
    style: { head: [], border: [], compact: true },
  });
  const steps = inOrder(bursts.steps);
  table.push(...steps.map(formatStep));
  const rounds = plan.rounds === 1 ? "one round" : `${plan.rounds} rounds`;
  const said =
    `bursts: all users at once, one request each; ${rounds}, each with a fresh process ` +
    `after ${formatInteger(plan.warmUpRequests)} requests`;
  return [dim(said), table.toString(), ...steps.flatMap(notesOf)];
}

function formatStep(step: BurstStep) {
  const { users, delaySeconds, figures } = step;
  const head = [formatInteger(users), delaySeconds];
  if (figures === undefined) {
    const content = step.leftOut === undefined ? red("invalid, see below") : "left out, see below";
    return [...head, { colSpan: columns.length - 2, content, hAlign: "left" as const }];
  }
  const { answered, failedShare, meanSeconds, p99Seconds } = figures;
  const threads = peakOf(step, ({ peakThreads }) => peakThreads);
  const memory = peakOf(step, ({ peakMemoryBytes }) => peakMemoryBytes);
  const established = peakOf(step, ({ peakEstablished }) => peakEstablished);
  return [
    ...head,
    formatInteger(answered.mean),
    estimateText(failedShare, (share) => `${(100 * share).toFixed(1)} %`)!,
    estimateText(meanSeconds, (seconds) => seconds.toFixed(2)) ?? "–",
    estimateText(p99Seconds, (seconds) => seconds.toFixed(2)) ?? "–",
    threads === undefined ? "–" : formatInteger(threads),
    memory === undefined ? "–" : formatInteger(memory / 1024 ** 2),
    established === undefined ? "–" : formatInteger(established),
  ];
}

/** Returns why a step has no figures, or what became of its users without an answer. */
function notesOf(step: BurstStep): string[] {
  const name = `${formatInteger(step.users)} users, ${step.delaySeconds} s`;
  const missing = missingBecause(step);
  if (missing !== undefined) {
    return [`${name}: ${step.leftOut === undefined ? red("invalid") : "left out"}: ${missing}`];
  }
  const ended = new Set(step.rounds.flatMap(({ ended }) => ended ?? []));
  const failures = failuresOf(step).map(([kind, count]) => `${kind} ${formatInteger(count)}`);
  return [
    ...[...ended].map((text) => `${name}: ${text}`),
    ...(failures.length === 0
      ? []
      : [`${name}: failed in ${step.rounds.length} rounds: ${failures.join(", ")}`]),
  ];
}
