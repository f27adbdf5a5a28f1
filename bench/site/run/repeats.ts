/**
 * Repeats: what was measured again, which rounds were left out, and where did a miss count although a higher rate was met?
 * In: a result. Out: sentences without their period. What was measured last counts, whichever is better; a reader is to see
 * how often that was so, and why.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import { disturbedRounds } from "../../results/burst.ts";
import { type ComparedLevel, whyLeftOut } from "../../results/comparison_schema.ts";
import { stalledProcesses } from "../../results/rate_sweep.ts";
import type { Level, Result } from "../../results/result_schema.ts";
import { burstLabel, deliveryLabel } from "../../../site/assets/step_text.js";

/** Returns a sentence for each such part of a result, in the order of measuring. */
export function repeatsOf(result: Result): string[] {
  const { levels, durable, comparison, rateSweep, bursts, deliveries, measuredAgain } = result;
  return [
    ...levels.toSorted((a, b) => a.connections - b.connections)
      .flatMap((level) => loadAgain(`The level of ${level.connections} connections`, level)),
    ...(durable?.load === undefined
      ? []
      : loadAgain("The load with every commit on disk", durable.load)),
    ...again("The comparison with the control", comparison?.repeatedBecause),
    ...(comparison?.levels ?? []).flatMap(roundsAgain),
    ...(rateSweep?.processes ?? []).flatMap(({ repeatedBecause, steps }, index) => [
      ...again(`The sweep of process ${index + 1}`, repeatedBecause),
      ...steps.flatMap((step) =>
        again(
          `The rate of ${formatInteger(step.ratePerSecond)} requests per second, process ${
            index + 1
          },`,
          step.repeatedBecause,
        )
      ),
    ]),
    ...rateSweep === undefined ? [] : stalledProcesses(rateSweep),
    ...(bursts?.steps ?? []).flatMap((step) => {
      const label = burstLabel(step);
      const disturbance = disturbedRounds(step);
      return [
        ...step.rounds.flatMap(({ repeatedBecause }, index) =>
          again(
            `Round ${index + 1} of ${label},`,
            repeatedBecause,
            "the machine was disturbed",
          )
        ),
        ...disturbance === undefined || step.figures === undefined
          ? []
          : [`${label}: figures leave out disturbed rounds: ${disturbance}`],
      ];
    }),
    ...(deliveries?.steps ?? []).flatMap(({ ratePerSecond, repeatedBecause }) =>
      again(
        `The rate of ${formatInteger(ratePerSecond)} notifications per second`,
        repeatedBecause,
        "the machine was disturbed",
      )
    ),
    ...(measuredAgain?.bursts ?? []).flatMap((step) =>
      later(burstLabel(step), disturbedRounds(step))
    ),
    ...(measuredAgain?.deliveries ?? []).flatMap((step) =>
      later(deliveryLabel(step), step.disturbed ?? step.problem)
    ),
  ];
}

function again(
  what: string,
  because: string | undefined,
  cause = "the first measurement was invalid",
): string[] {
  return because === undefined ? [] : [`${what} was measured again, because ${cause}: ${because}`];
}

function later(label: string, because: string | undefined): string[] {
  return because === undefined
    ? []
    : [`${label}: measured again by a later command, because ${because}`];
}

function loadAgain(what: string, { repetitions }: Level): string[] {
  return repetitions.slice(0, -1).flatMap(({ validity }) =>
    again(
      what,
      validity.valid ? undefined : validity.reasons.map(({ message }) => message).join("; "),
    )
  );
}

/** The loads of many rounds may have been measured again: says in how many, and why in the first. */
function roundsAgain({ connections, rounds }: ComparedLevel): string[] {
  const repeated = rounds.flatMap(({ repeatedBecause: [first] = [] }) => first ?? []);
  const leftOut = rounds.flatMap((round) => whyLeftOut(round) ?? []);
  const of = `of ${rounds.length} rounds at ${connections} connections`;
  return [
    ...repeated.length === 0 ? [] : [
      `In ${repeated.length} ${of}, loads were measured again, the first time because ${
        repeated[0]
      }`,
    ],
    ...leftOut.length === 0
      ? []
      : [`The ratio leaves out ${leftOut.length} ${of}, the first because ${leftOut[0]}`],
  ];
}
