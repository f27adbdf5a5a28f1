/** Figures of bursts and deliveries as texts, for pages, tables in the terminal and comments. */
import { burstFigureTexts, deliveryFigureTexts } from "../../site/assets/step_text.js";
import { peakOf } from "./burst.ts";
import type { BurstStep } from "./burst_schema.ts";
import { arrivalsOfAccepted, readLateSeconds } from "./deliveries.ts";
import type { DeliveryStep } from "./deliveries_schema.ts";

/** The figures of a burst; each absent where it was not measured. */
export type BurstTexts = ReturnType<typeof burstFigureTexts>;

/** Returns the figures of a step of bursts; undefined where it has none. */
export function burstTexts(step: BurstStep): BurstTexts | undefined {
  if (step.figures === undefined) return undefined;
  return burstFigureTexts({
    ...step.figures,
    peakThreads: peakOf(step, ({ peakThreads }) => peakThreads),
    peakMemoryBytes: peakOf(step, ({ peakMemoryBytes }) => peakMemoryBytes),
    peakConnected: peakOf(step, ({ peakConnected }) => peakConnected),
    peakEstablished: peakOf(step, ({ peakEstablished }) => peakEstablished),
  });
}

/** The figures of deliveries at one rate; each absent where it was not measured. */
export type DeliveryTexts = ReturnType<typeof deliveryFigureTexts>;

/** Returns the figures of a step of deliveries; undefined where it is invalid. */
export function deliveryTexts(step: DeliveryStep): DeliveryTexts | undefined {
  if (step.problem !== undefined) return undefined;
  return deliveryFigureTexts({
    ...step,
    accepted: step.correct,
    arrivalSeconds: arrivalsOfAccepted(step),
    readLateSeconds: readLateSeconds(step),
  });
}

/** Returns the CPU time of the control for a notification just before a step, in microseconds; undefined where it is not known. */
export function controlMicros(
  { control }: Pick<DeliveryStep, "control">,
): string | undefined {
  if (control === undefined) return undefined;
  // The kernel counts hundredths of a second, so a third digit would be noise.
  const micros = Number((1e6 * control.cpuSeconds).toPrecision(2));
  return `${control.disturbed === undefined ? "" : "≤ "}${micros}`;
}

/** Returns it for several steps, from the least to the most: `control: 31 to ≤ 34 µs of CPU a notification`. */
export function controlText(steps: readonly Pick<DeliveryStep, "control">[]): string | undefined {
  const known = steps.filter(({ control }) => control !== undefined)
    .toSorted((a, b) => a.control!.cpuSeconds - b.control!.cpuSeconds);
  if (known.length === 0) return undefined;
  const ends = new Set([known[0]!, known.at(-1)!].map(controlMicros));
  return `control: ${[...ends].join(" to ")} µs of CPU a notification`;
}

/** What `≤` before a time of deliveries says. */
export const disturbedNote =
  "≤: the machine was disturbed; at rest, times, threads and memory may be less";

/** Returns figures with a dash for each that was not measured; undefined where there are none. */
export function dashed<Name extends string>(
  texts: Record<Name, string | undefined> | undefined,
): Record<Name, string> | undefined {
  if (texts === undefined) return undefined;
  const cells = Object.entries<string | undefined>(texts).map((
    [name, text],
  ) => [name, text ?? "–"]);
  return Object.fromEntries(cells) as Record<Name, string>;
}
