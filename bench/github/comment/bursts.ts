/** The bursts of a result in a comment: a table, a row for each number of users and delay. */
import { inOrder, isSameStep, missingBecause } from "../../results/burst.ts";
import type { BurstStep } from "../../results/burst_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { burstTexts, dashed } from "../../results/step_texts.ts";
import { number } from "../markdown.ts";
import { renderStepTable, type StepTable } from "./step_table.ts";

type Bursts = Pick<Result, "bursts">;

const table: StepTable<BurstStep> = {
  columns: [
    { label: "users" },
    { label: "delay s" },
    { label: "answered" },
    { label: "failed", isText: true },
    { label: "mean of answered s", isText: true },
    { label: "p99 of all s", isText: true },
    { label: "threads" },
    { label: "connected" },
    { label: "established" },
    { label: "memory MiB" },
  ],
  named: 2,
  nameOf: ({ users, delaySeconds }) => [number(users), String(delaySeconds)],
  figuresOf,
  isSame: isSameStep,
};

/** Returns the table, with the base's bursts where they are given; undefined where there are none. */
export function renderBursts({ bursts }: Bursts, base?: Bursts): string | undefined {
  if (bursts === undefined || bursts.steps.length === 0) return undefined;
  return renderStepTable(inOrder(bursts.steps), base?.bursts?.steps, table);
}

/** Returns what came out with the most users that there are figures for; undefined without any. */
export function burstsOutcome({ bursts }: Bursts): string | undefined {
  const [most] = inOrder(bursts?.steps ?? []).filter(({ figures }) => figures !== undefined)
    .toSorted((a, b) => b.users - a.users);
  return most && `answered ${number(most.figures!.answered.mean)} of ${number(most.users)} users ` +
      `at once, ${most.delaySeconds} s`;
}

function figuresOf(step: BurstStep): string[] | { missing: string } {
  const texts = dashed(burstTexts(step));
  if (texts === undefined) return { missing: missingBecause(step)! };
  return [
    texts.answered,
    texts.failedShare,
    texts.meanSeconds,
    texts.p99Seconds,
    texts.peakThreads,
    texts.peakConnected,
    texts.peakEstablished,
    texts.peakMemory,
  ];
}
