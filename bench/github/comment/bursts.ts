/** The bursts of a result in a comment: a table, a row for each number of users and delay. */
import { estimateText, inOrder, missingBecause, peakOf } from "../../results/burst.ts";
import type { BurstStep } from "../../results/burst_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { code, number } from "../markdown.ts";

/** Maximum number of rows. */
const maxRows = 24;

/** Returns the table; undefined where there are no bursts. */
export function renderBursts({ bursts }: Pick<Result, "bursts">): string | undefined {
  if (bursts === undefined || bursts.steps.length === 0) return undefined;
  return "| users at once | delay s | answered | without an answer | mean wait s | p99 s | memory MiB |\n" +
    "| ---: | ---: | ---: | :--- | :--- | :--- | ---: |\n" +
    inOrder(bursts.steps).slice(0, maxRows).map(renderStep).join("\n");
}

/** Returns the steps that were measured and do not count, each with its reason. */
export function invalidSteps(
  { bursts }: Pick<Result, "bursts">,
): { where: string; reason: string }[] {
  return (bursts?.steps ?? []).flatMap((step) =>
    step.figures !== undefined || step.leftOut !== undefined ? [] : [{
      where: `with ${number(step.users)} users at once, ${step.delaySeconds} s`,
      reason: missingBecause(step)!,
    }]
  );
}

function renderStep(step: BurstStep): string {
  const head = `| ${number(step.users)} | ${step.delaySeconds}`;
  const { figures } = step;
  if (figures === undefined) return `${head} | ${code(missingBecause(step)!)} | | | | |`;
  const memory = peakOf(step, ({ peakMemoryBytes }) => peakMemoryBytes);
  return [
    head,
    number(figures.answered.mean),
    estimateText(figures.failedShare, (share) => `${number(100 * share, 1)} %`),
    estimateText(figures.meanSeconds, (seconds) => number(seconds, 2)) ?? "–",
    estimateText(figures.p99Seconds, (seconds) => number(seconds, 2)) ?? "–",
    `${memory === undefined ? "–" : number(memory / 1024 ** 2)} |`,
  ].join(" | ");
}
