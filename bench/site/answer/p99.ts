/** The question on latency: p99 at one rate that all were offered. */
import { formatInteger } from "../../lib/format_integer.ts";
import { countedRequests, ratesOf, sweepProblem } from "../../results/rate_sweep.ts";
import type { Result } from "../../results/result_schema.ts";
import { threeDigits } from "../three_digits.ts";
import { type Question, scaled } from "./question.ts";

/**
 * At the highest rate that every valid sweep was offered, and if there is one, that every one of them sustained: what
 * disturbed one sweep says nothing of servers, so it does not choose the rate of all.
 */
export function p99Question(results: readonly Result[]): Question[] {
  const swept = results.flatMap(({ rateSweep }) =>
    rateSweep && sweepProblem(rateSweep) === undefined ? [ratesOf(rateSweep)] : []
  );
  // Some rates between those of the plan were offered to some of the processes only, the fastest or the slowest.
  const processes = Math.max(...swept.flat().map((step) => step.processes));
  const rates = (swept[0] ?? []).map(({ ratePerSecond }) => ratePerSecond).filter((rate) =>
    swept.every((steps) =>
      steps.some((step) => step.ratePerSecond === rate && step.processes === processes)
    )
  );
  const held = rates.filter((rate) =>
    swept.every((steps) =>
      steps.every((step) => step.ratePerSecond > rate || step.met === step.processes)
    )
  );
  const rate = (held.length > 0 ? held : rates).at(-1);
  if (rate === undefined) return [];
  const offered = `${formatInteger(rate)} requests per second`;
  const counted = Math.min(
    ...results.flatMap(({ rateSweep }) => rateSweep ? countedRequests(rateSweep, rate) : []),
  );
  return [{
    figure: "p99",
    question: "Which web backend keeps latency low?",
    axis: `p99 in ms at ${offered}, from when a request was due`,
    unit: "ms",
    subject: `At ${offered}, median p99`,
    facts: [
      "strokes are the range of processes, no intervals: with three each, those of two equal servers are apart one time in ten or, because they were measured at different times, more often; those of the lowest and the highest of many even more",
      ...(held.length > 0 ? ["the highest rate that all were offered and sustained"] : []),
      `the null server’s own p99, beside them: ${floorText(results, rate)}`,
      `each p99 is of the ${formatInteger(counted)} requests of a process`,
    ],
    isLog: true,
    valueOf: ({ rateSweep }) => {
      const step = rateSweep && ratesOf(rateSweep).find((it) => it.ratePerSecond === rate);
      const [problem] = step?.problems ?? [];
      if (problem !== undefined) return { missing: `no p99 at this rate: ${problem}` };
      const sweep = rateSweep && sweepProblem(rateSweep);
      if (sweep !== undefined && (step?.processes ?? 0) < rateSweep!.processes.length) {
        return { missing: `no p99 of each process at this rate: ${sweep}` };
      }
      const p99 = step?.p99Seconds;
      if (p99 === undefined) return { missing: "no p99 at this rate" };
      return step?.latencySeconds?.atLeast?.includes("p99")
        ? { missing: `p99 is at least ${threeDigits(1e3 * p99.median)} ms: requests had no answer` }
        : { value: scaled({ estimate: p99.median, low: p99.lowest, high: p99.highest }, 1e3) };
    },
  }];
}

/** Returns from which to which p99 the null server had at a rate, in milliseconds. */
function floorText(results: readonly Result[], rate: number): string {
  const all = results.flatMap(({ rateSweep }) => rateSweep?.floor ?? [])
    .filter(({ ratePerSecond }) => ratePerSecond === rate)
    .map(({ latencySeconds }) => 1e3 * latencySeconds.p99);
  const ends = [...new Set([Math.min(...all), Math.max(...all)].map(threeDigits))];
  return all.length === 0 ? "unknown" : `${ends.join(" to ")} ms`;
}
