/**
 * Figures of scenarios without levels: bursts of users, and deliveries of notifications. None has an interval that covers how
 * far runs differ: that of a burst is over the rounds of its run, and at each rate of deliveries there is one process. So
 * alerts judge all of them by the spread of earlier runs, as they do every figure that is no ratio to the control.
 */
import { meanIsOfAll, peakOf } from "../results/burst.ts";
import type { Bursts, BurstStep } from "../results/burst_schema.ts";
import { byRate, isDisturbed, mayBeHigher, missesTheLowest } from "../results/deliveries.ts";
import type { Deliveries, DeliveryPlan, DeliveryStep } from "../results/deliveries_schema.ts";
import type { Figure } from "./figure.ts";

/** Returns the figures of bursts that count. */
export function burstFigures({ steps }: Bursts): Figure[] {
  return steps.flatMap(figuresOfBurst);
}

/**
 * Users without an answer are followed as those who were answered: usually there are none without. The mean wait is
 * followed where nearly all were answered: who answers more users may make them wait longer.
 */
function figuresOfBurst(step: BurstStep): Figure[] {
  const { users, delaySeconds, figures } = step;
  if (figures === undefined) return [];
  const of = `${users} users at once, ${delaySeconds} s`;
  const { answered, meanSeconds } = figures;
  return [
    { name: `answered of ${of}`, direction: "bigger", value: answered.mean, unit: "users" },
    ...(meanSeconds === undefined || !meanIsOfAll(figures) ? [] : [{
      name: `mean wait of ${of}`,
      direction: "smaller" as const,
      value: meanSeconds.mean,
      unit: "s",
    }]),
    ...memoryFigure(`with ${of}`, peakOf(step, ({ peakMemoryBytes }) => peakMemoryBytes)),
  ];
}

/**
 * Returns the highest sustainable rate, 0 where the lowest one is missed, and figures of the rates that meet the
 * objective: beyond it, calls pile up. Figures of a disturbed step are left out: they say as much of the machine.
 */
export function deliveryFigures(
  { steps, sustainablePerSecond }: Deliveries,
  plan: Pick<DeliveryPlan, "steps"> | undefined,
): Figure[] {
  const sorted = byRate(steps);
  const value = missesTheLowest({ steps }, plan) ? 0 : sustainablePerSecond;
  // Of a rate that is invalid, nothing tells whether it became worse.
  const isKnown = steps.every(({ problem }) => problem === undefined) ||
    !mayBeHigher({ steps, sustainablePerSecond });
  return [
    ...(value === undefined || !isKnown ? [] : [{
      name: "highest sustainable rate",
      direction: "bigger" as const,
      value,
      unit: "notifications/s",
      steps: sorted.map(({ ratePerSecond }) => ratePerSecond),
    }]),
    ...sorted.filter((step) => step.holds && !isDisturbed(step)).flatMap(
      figuresOfRate,
    ),
  ];
}

function figuresOfRate({ ratePerSecond, acceptSeconds, peakMemoryBytes }: DeliveryStep): Figure[] {
  const at = `at ${ratePerSecond} notifications/s`;
  return [
    ...(acceptSeconds === undefined ? [] : [{
      name: `p99 of accepting ${at}`,
      direction: "smaller" as const,
      value: acceptSeconds.p99 * 1e3,
      unit: "ms",
    }]),
    ...memoryFigure(at, peakMemoryBytes),
  ];
}

function memoryFigure(of: string, bytes: number | undefined): Figure[] {
  return bytes === undefined ? [] : [{
    name: `peak memory ${of}`,
    direction: "smaller",
    value: bytes / 1024 ** 2,
    unit: "MiB",
  }];
}
