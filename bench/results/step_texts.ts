/** Figures of bursts and deliveries as texts, for tables in the terminal and in comments: as pages have them. */
import {
  countText,
  digitsText,
  estimateText,
  lostText,
  mebibytesText,
  shareText,
} from "../../site/assets/step_text.js";
import { peakOf } from "./burst.ts";
import type { BurstStep } from "./burst_schema.ts";
import type { DeliveryStep } from "./deliveries_schema.ts";

/** What stands for a figure that was not measured. */
const none = "–";

/** The figures of a burst. */
export interface BurstTexts {
  answered: string;
  failedShare: string;
  meanSeconds: string;
  p99Seconds: string;
  peakThreads: string;
  peakEstablished: string;
  /** In MiB. */
  peakMemory: string;
}

/** Returns the figures of a step of bursts; undefined where it has none. */
export function burstTexts(step: BurstStep): BurstTexts | undefined {
  const { figures } = step;
  if (figures === undefined) return undefined;
  const { answered, failedShare, meanSeconds, p99Seconds } = figures;
  return {
    answered: countText(answered.mean),
    failedShare: estimateText(failedShare, shareText) ?? none,
    meanSeconds: estimateText(meanSeconds, digitsText) ?? none,
    p99Seconds: estimateText(p99Seconds, digitsText) ?? none,
    peakThreads: textOf(peakOf(step, ({ peakThreads }) => peakThreads), countText),
    peakEstablished: textOf(peakOf(step, ({ peakEstablished }) => peakEstablished), countText),
    peakMemory: textOf(peakOf(step, ({ peakMemoryBytes }) => peakMemoryBytes), mebibytesText),
  };
}

/** The figures of deliveries at one rate. */
export interface DeliveryTexts {
  accepted: string;
  lost: string;
  deliveredPerSecond: string;
  acceptP99Milliseconds: string;
  arrivalP99Seconds: string;
  drainSeconds: string;
  peakThreads: string;
  /** In MiB. */
  peakMemory: string;
}

/** Returns the figures of a step of deliveries; undefined where it is invalid. */
export function deliveryTexts(step: DeliveryStep): DeliveryTexts | undefined {
  if (step.problem !== undefined) return undefined;
  return {
    accepted: countText(step.correct),
    lost: lostText(step.lost, step.correct),
    deliveredPerSecond: textOf(step.deliveredPerSecond, countText),
    acceptP99Milliseconds: textOf(step.acceptSeconds?.p99, (p99) => digitsText(1000 * p99)),
    arrivalP99Seconds: textOf(step.arrivalSeconds?.p99, digitsText),
    drainSeconds: textOf(step.drainSeconds, digitsText),
    peakThreads: textOf(step.peakThreads, countText),
    peakMemory: textOf(step.peakMemoryBytes, mebibytesText),
  };
}

function textOf(value: number | undefined, format: (value: number) => string): string {
  return value === undefined ? none : format(value);
}
