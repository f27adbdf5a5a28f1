/**
 * Rate sweep: does a step meet the objective, which rate is offered next, and what do the processes of a sweep come to?
 * The rates are the same for every implementation: those of the plan, which are far apart, and those between them around
 * the limit of a process.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { sumOf } from "../lib/sum.ts";
import { median, nonMonotone, type Unanswered } from "../statistics/mod.ts";
import type { RateStep, RateSweep, RateSweepPlan, SweptProcess } from "./protocols_schema.ts";
import type { Percentiles } from "./values.ts";

/** What decides which rate is next. */
export type Climbed = Pick<RateStep, "ratePerSecond" | "holds">;

/** Fewer processes do not show how far processes differ. */
const fewestProcesses = 3;

/** Tells whether processes and steps are enough to put implementations in an order. */
export function isFine({ processes, stepRatio }: RateSweepPlan): boolean {
  return processes >= fewestProcesses && stepRatio !== undefined;
}

/**
 * Returns all rates that a process may be offered, in ascending order: those of the plan and, where steps are refined, as
 * few between each two as keep neighbours within the plan's ratio, in a geometric series.
 */
export function offeredRates(
  { ratesPerSecond, stepRatio }: Pick<RateSweepPlan, "ratesPerSecond" | "stepRatio">,
): number[] {
  const coarse = ratesPerSecond.toSorted((a, b) => a - b);
  if (stepRatio === undefined) return coarse;
  return coarse.flatMap((rate, index) => {
    const next = coarse[index + 1];
    if (next === undefined) return [rate];
    // Whole numbers of requests per second may be a trace farther apart.
    const steps = Math.ceil(Math.log(next / rate) / Math.log(stepRatio));
    return Array.from(
      { length: steps },
      (_, step) => Math.round(rate * (next / rate) ** (step / steps)),
    );
  });
}

/**
 * Returns how many unsent requests had waited longer than the objective allows: all but those due less than its latency
 * before the end, which could still have been answered in time. Requests are sent in the order in which they are due, so
 * the last ones are the unsent ones.
 */
export function lateUnsent(
  { ratePerSecond, unsent }: Pick<RateStep, "ratePerSecond" | "unsent">,
  { p99Seconds }: Pick<RateSweepPlan["goal"], "p99Seconds">,
): number {
  return Math.max(0, Math.floor(unsent - ratePerSecond * p99Seconds));
}

/**
 * Adds requests that were due and never sent to those without an answer. Each counts as one that took at least the
 * objective's latency; so do those without an answer then, which took no less.
 */
export function withUnsent(
  unanswered: Unanswered,
  step: Pick<RateStep, "ratePerSecond" | "unsent">,
  goal: Pick<RateSweepPlan["goal"], "p99Seconds">,
): Unanswered {
  const late = lateUnsent(step, goal);
  if (late === 0) return unanswered;
  return { count: unanswered.count + late, seconds: Math.min(unanswered.seconds, goal.p99Seconds) };
}

/** Returns of how many requests percentiles are at one rate, in each process that was offered it, if all are answered. */
export function countedRequests(
  { plan: { settleSeconds = 0 }, processes }: Pick<RateSweep, "plan" | "processes">,
  ratePerSecond: number,
): number[] {
  return processes.flatMap(({ steps }) => steps)
    .filter((step) => step.ratePerSecond === ratePerSecond)
    .map(({ due }) => due - Math.round(ratePerSecond * settleSeconds));
}

/** Tells whether a step meets the objective; of unsent requests, those that {@linkcode lateUnsent} counts have failed. */
export function meetsObjective(
  step: Pick<
    RateStep,
    "ratePerSecond" | "due" | "attempted" | "unsent" | "correct" | "latencySeconds"
  >,
  goal: RateSweepPlan["goal"],
): boolean {
  const { ratePerSecond, due, attempted, unsent, correct, latencySeconds } = step;
  const late = lateUnsent({ ratePerSecond, unsent }, goal);
  return latencySeconds !== undefined && latencySeconds.p99 <= goal.p99Seconds &&
    attempted - correct + late <= goal.failureShare * due;
}

/**
 * Returns the rate that a process is offered next, in requests per second; undefined at the end of its sweep.
 *
 * A process climbs the plan's rates until it first misses the objective. From the highest of them that it met, it then
 * climbs in fine steps, or in the plan's own where it has none, until it misses two neighbours: whether one miss was a stall is told by
 * the next rate. A sweep also ends where it met a rate above one that it missed.
 */
export function nextRate(plan: RateSweepPlan, steps: readonly Climbed[]): number | undefined {
  const isMet = new Map(steps.map(({ ratePerSecond, holds }) => [ratePerSecond, holds]));
  const coarse = plan.ratesPerSecond.toSorted((a, b) => a - b);
  const firstMiss = coarse.findIndex((rate) => isMet.get(rate) !== true);
  const limit = coarse[firstMiss];
  if (limit === undefined || nonMonotone(steps) !== undefined) return undefined;
  if (!isMet.has(limit)) return limit;
  let missed = 0;
  for (const rate of offeredRates(plan).filter((it) => it > (coarse[firstMiss - 1] ?? 0))) {
    const holds = isMet.get(rate);
    if (holds === undefined) return rate;
    missed = holds ? 0 : missed + 1;
    if (missed === 2) return undefined;
  }
}

/** Returns the highest rate such that it and every lower one that was offered meet the objective. */
export function sustainedRate(steps: readonly Climbed[]): number | undefined {
  const ascending = ascendingSteps(steps);
  const firstMiss = ascending.findIndex(({ holds }) => !holds);
  return ascending[(firstMiss === -1 ? ascending.length : firstMiss) - 1]?.ratePerSecond;
}

/**
 * Returns what one process came to: with a reason in place of a rate where one of its steps is invalid. A miss counts, even
 * if a higher rate was met: to measure it again would favour servers that stall.
 */
export function sweptProcess(steps: RateStep[]): SweptProcess {
  const ascending = ascendingSteps(steps);
  const invalid = ascending.find(({ problem }) => problem !== undefined);
  if (invalid === undefined) {
    return { steps: ascending, sustainablePerSecond: sustainedRate(steps) };
  }
  const rate = formatInteger(invalid.ratePerSecond);
  return { steps: ascending, problem: `at ${rate} requests per second, ${invalid.problem}` };
}

/** Returns a sentence, without its period, for each valid process that met the objective at a rate above one that it missed. */
export function stalledProcesses({ processes }: Pick<RateSweep, "processes">): string[] {
  return processes.flatMap(({ problem, steps }, index) => {
    const order = nonMonotone(steps);
    if (problem !== undefined || order === undefined) return [];
    const [missed, met] = [order.missedPerSecond, order.metPerSecond].map(formatInteger);
    return [
      `Process ${
        index + 1
      } missed the objective at ${missed} requests per second, but met it at ${met}: ` +
      "its figure is the highest rate below the miss",
    ];
  });
}

/**
 * Returns what all processes came to: the median of their highest sustainable rates, where one that sustained none counts
 * as 0, and the range. Neither where a process gave no figure.
 */
export function sustainedBy(
  processes: readonly Pick<SweptProcess, "sustainablePerSecond" | "problem">[],
): Pick<RateSweep, "sustainablePerSecond" | "range"> {
  if (processes.some(({ problem }) => problem !== undefined)) return {};
  const rates = processes.map(({ sustainablePerSecond = 0 }) => sustainablePerSecond);
  const middle = median(rates);
  return {
    sustainablePerSecond: middle === 0 ? undefined : middle,
    range: rates.length === 1
      ? undefined
      : { lowestPerSecond: Math.min(...rates), highestPerSecond: Math.max(...rates) },
  };
}

/** Tells whether a sweep ended at the highest rate that was offered: its figure is at least that. */
export function isHighestOffered(
  { plan, sustainablePerSecond = 0 }: Pick<RateSweep, "plan" | "sustainablePerSecond">,
): boolean {
  return sustainablePerSecond >= Math.max(...plan.ratesPerSecond);
}

/** Returns why a sweep has no figure; undefined where it has one. */
export function sweepProblem({ processes }: Pick<RateSweep, "processes">): string | undefined {
  const index = processes.findIndex(({ problem }) => problem !== undefined);
  if (index === -1) return undefined;
  const which = processes.length === 1 ? "" : `process ${index + 1} of ${processes.length}: `;
  return which + processes[index]!.problem;
}

/** A figure over processes: the range is no interval. */
export interface OverProcesses {
  median: number;
  lowest: number;
  highest: number;
}

/** One offered rate over the processes that got so far. */
export interface SweptRate {
  ratePerSecond: number;
  processes: number;
  /** How many of these met the objective. */
  met: number;
  /** Medians, from when requests were due; absent where a process gave no correct answer that counts. */
  latencySeconds?: Percentiles;
  p99Seconds?: OverProcesses;
  /** Medians, from when requests were sent, likewise. */
  uncorrectedSeconds?: Percentiles;
  /** Medians, from when requests were due, of those that were due in the first part of a step, which the others leave out. */
  settlingSeconds?: Percentiles;
  /** CPU time of the server for each correct answer; absent where it was not measured. */
  cpuSecondsPerAnswer?: OverProcesses;
  /** Of all processes. */
  unsent: number;
  failed: number;
  /** Of each process in which the step was invalid. */
  problems: string[];
}

/** Returns each rate that was offered, in ascending order. */
export function ratesOf({ processes }: Pick<RateSweep, "processes">): SweptRate[] {
  const byRate = Map.groupBy(
    processes.flatMap(({ steps }) => steps),
    ({ ratePerSecond }) => ratePerSecond,
  );
  return [...byRate].sort(([a], [b]) => a - b).map(([ratePerSecond, steps]) => ({
    ratePerSecond,
    processes: steps.length,
    met: steps.filter(({ holds }) => holds).length,
    latencySeconds: medianPercentiles(steps.map((step) => step.latencySeconds)),
    p99Seconds: overProcesses(steps.map((step) => step.latencySeconds?.p99)),
    uncorrectedSeconds: medianPercentiles(steps.map((step) => step.uncorrectedSeconds)),
    settlingSeconds: medianPercentiles(steps.map((step) => step.settlingSeconds)),
    cpuSecondsPerAnswer: overProcesses(steps.map((step) => step.cpuSecondsPerAnswer)),
    unsent: sumOf(steps, ({ unsent }) => unsent),
    failed: sumOf(steps, ({ attempted, correct }) => attempted - correct),
    problems: steps.flatMap(({ problem }) => problem ?? []),
  }));
}

const percentiles = ["p50", "p90", "p99", "p999", "max"] as const;

/** Returns the median of each percentile; at least that where one up to it is only known to be at least so much. */
function medianPercentiles(all: (Percentiles | undefined)[]): Percentiles | undefined {
  const known = all.filter((each) => each !== undefined);
  if (known.length < all.length) return undefined;
  const [p50, p90, p99, p999, max] = percentiles.map((name) =>
    median(known.map((each) => each[name]))
  );
  const medians = { p50: p50!, p90: p90!, p99: p99!, p999: p999!, max: max! };
  const atLeast = percentiles.filter((name) =>
    known.some((each) => each.atLeast?.includes(name) && each[name] <= medians[name])
  );
  return atLeast.length === 0 ? medians : { ...medians, atLeast };
}

/** Returns median and range; undefined where one is missing. */
function overProcesses(values: (number | undefined)[]): OverProcesses | undefined {
  const known = values.filter((value) => value !== undefined);
  if (known.length < values.length) return undefined;
  return { median: median(known), lowest: Math.min(...known), highest: Math.max(...known) };
}

function ascendingSteps<S extends Climbed>(steps: readonly S[]): S[] {
  return steps.toSorted((a, b) => a.ratePerSecond - b.ratePerSecond);
}
