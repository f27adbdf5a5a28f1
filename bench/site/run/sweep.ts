/**
 * The rate sweep of a result, `rateSweep` in its file: which rates are sustainable, and at which latency. Out: what
 * pages show of its steps, and a summary in words.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import { digitsText } from "../../../site/assets/step_text.js";
import { boundOf, list, proseNames } from "../../results/words.ts";
import type { RateSweep } from "../../results/protocols_schema.ts";
import type { Percentiles } from "../../results/values.ts";
import { median } from "../../statistics/mod.ts";
import {
  countedRequests,
  isFine,
  isHighestOffered,
  ratesOf,
  sweepProblem,
  type SweptRate,
} from "../../results/rate_sweep.ts";

/** A rate sweep as pages show it. */
export interface ShownSweep {
  plan: RateSweep["plan"];
  /** Absent where no rate is sustainable, or a step is invalid. */
  sustainablePerSecond?: number;
  range?: RateSweep["range"];
  isHighestOffered: boolean;
  /** Processes and steps are enough to put implementations in an order. */
  isFine: boolean;
  /** Why there is no figure; absent where there is one. */
  problem?: string;
  /** What it came to, in a clause. */
  words: string;
  /** From the lowest rate up. */
  steps: ShownStep[];
  /** The null server at the same rates. */
  floor: { ratePerSecond: number; p99Seconds: number }[];
  /** Sentences on stalls that latency from sending would hide (coordinated omission). */
  stalls: string[];
}

/** One offered rate, over the processes that got so far. */
export interface ShownStep extends Omit<SweptRate, "latencySeconds"> {
  /** Without p99.9 where fewer than 1,000 requests count in a process: the longest would stand for it. */
  latencySeconds?: Omit<Percentiles, "p999"> & Partial<Percentiles>;
  /** Every process met the objective. */
  holds: boolean;
  /** `yes`, `no`, or how many processes met the objective. */
  outcome: string;
  /** Of the null server at this rate. */
  floorP99Seconds?: number;
}

/** Returns what pages show of a rate sweep. */
export function showSweep(rateSweep: RateSweep): ShownSweep {
  const { plan, sustainablePerSecond, range } = rateSweep;
  const floor = rateSweep.floor.map(({ ratePerSecond, latencySeconds }) => ({
    ratePerSecond,
    p99Seconds: latencySeconds.p99,
  }));
  const sweep = {
    sustainablePerSecond,
    range,
    isHighestOffered: isHighestOffered(rateSweep),
    problem: sweepProblem(rateSweep),
  };
  const rates = ratesOf(rateSweep);
  const { settleSeconds = 0 } = plan;
  return {
    ...sweep,
    plan,
    isFine: isFine(plan),
    words: sweepWords(sweep),
    steps: rates.map((rate) => ({
      ...rate,
      latencySeconds: Math.min(...countedRequests(rateSweep, rate.ratePerSecond)) < 1_000
        ? withoutP999(rate.latencySeconds)
        : rate.latencySeconds,
      // Of fewer, the longest would stand for p99, the only one that is shown.
      settlingSeconds: rate.ratePerSecond * settleSeconds < 100 ? undefined : rate.settlingSeconds,
      holds: rate.met === rate.processes,
      outcome: outcomeOf(rate, plan.processes),
      floorP99Seconds: floor.find(({ ratePerSecond }) => ratePerSecond === rate.ratePerSecond)
        ?.p99Seconds,
    })),
    floor,
    stalls: rates.flatMap((rate) => stallOf(rate, plan.goal.p99Seconds)),
  };
}

function withoutP999(latency: Percentiles | undefined): ShownStep["latencySeconds"] {
  if (latency === undefined) return undefined;
  const { p999: _, atLeast, ...others } = latency;
  return { ...others, atLeast: atLeast?.filter((name) => name !== "p999") };
}

/** Says which processes met the objective at a rate: with their number, unless it was offered to all. */
function outcomeOf({ met, processes }: SweptRate, all: number): string {
  if (processes < all || (met > 0 && met < processes)) return `${met} of ${processes}`;
  return met === 0 ? "no" : "yes";
}

/** What a sweep came to. */
type Outcome = Pick<ShownSweep, "sustainablePerSecond" | "range" | "isHighestOffered" | "problem">;

/** Returns in a clause what a sweep came to. */
export function sweepWords(
  { sustainablePerSecond, range, isHighestOffered, problem }: Outcome,
): string {
  if (problem !== undefined) return `no figure: ${problem}`;
  if (sustainablePerSecond === undefined) return `sustained no rate${rangeText(range)}`;
  const words = `sustained ${formatInteger(sustainablePerSecond)} requests per second${
    rangeText(range)
  }`;
  return isHighestOffered ? `${words}, the highest rate offered` : words;
}

function rangeText(range: RateSweep["range"]): string {
  if (range === undefined) return "";
  const [low, high] = [range.lowestPerSecond, range.highestPerSecond].map(formatInteger);
  return low === high ? " (every process)" : ` (by process, ${low}–${high})`;
}

/**
 * Reports a stall at a step that misses the objective only because requests waited before they were sent, while most
 * were on time: in the median of the processes. An overloaded server is late all the time.
 */
function stallOf(
  { ratePerSecond, latencySeconds: due, uncorrectedSeconds: sent }: SweptRate,
  goalSeconds: number,
): string[] {
  const isStall = due !== undefined && sent !== undefined && due.p50 <= goalSeconds &&
    due.p99 > goalSeconds && sent.p99 <= goalSeconds;
  if (!isStall) return [];
  return [
    `at ${formatInteger(ratePerSecond)} requests per second, p99 is ${boundOf(due, "p99")}${
      digitsText(1000 * due.p99)
    } ms from when requests were due, but ${
      digitsText(1000 * sent.p99)
    } ms from when they were sent`,
  ];
}

/** Returns p99 of the null server at each rate: the median over the sweeps beside which it was measured. */
export function floorOver(sweeps: readonly Pick<ShownSweep, "floor">[]): ShownSweep["floor"] {
  const byRate = Map.groupBy(sweeps.flatMap(({ floor }) => floor), (step) => step.ratePerSecond);
  return [...byRate].sort(([a], [b]) => a - b).map(([ratePerSecond, steps]) => ({
    ratePerSecond,
    p99Seconds: median(steps.map(({ p99Seconds }) => p99Seconds)),
  }));
}

/**
 * Returns who sustained the most and who the least, in a sentence without its period; of sweeps that are too coarse for
 * that, which rates they offered.
 */
export function sweepFinding(
  results: { impl: { name: string }; sweep?: Outcome & Pick<ShownSweep, "plan" | "isFine"> }[],
): string {
  const sweeps = results.flatMap(({ impl: { name }, sweep }) =>
    sweep !== undefined && sweep.problem === undefined
      ? [{ ...sweep, name, perSecond: sweep.sustainablePerSecond ?? 0 }]
      : []
  );
  const [first] = sweeps;
  if (first === undefined) {
    const [problem, ...others] = results.flatMap(({ sweep }) => sweep?.problem ?? []);
    return problem !== undefined && others.length === 0
      ? `No highest sustainable rate: ${problem}`
      : "No rate sweep was valid";
  }
  if (!sweeps.every(({ isFine }) => isFine)) {
    const { ratesPerSecond } = first.plan;
    const [least, most] = [Math.min(...ratesPerSecond), Math.max(...ratesPerSecond)];
    return `Latency at ${formatInteger(least)} to ${
      formatInteger(most)
    } requests per second, too coarse to rank by`;
  }
  const goal = `with p99 ≤ ${first.plan.goal.p99Seconds * 1000} ms`;
  const high = Math.max(...sweeps.map(({ perSecond }) => perSecond));
  const low = Math.min(...sweeps.map(({ perSecond }) => perSecond));
  if (high === 0) return `No rate was sustained ${goal}`;
  const at = (perSecond: number) => sweeps.filter((sweep) => sweep.perSecond === perSecond);
  const called = proseNames(results.map(({ impl }) => impl.name));
  const names = (perSecond: number) => list(at(perSecond).map(({ name }) => called.get(name)!));
  const range = (perSecond: number) =>
    at(perSecond).length === 1 ? rangeText(at(perSecond)[0]!.range) : "";
  const qualifier = at(high).some(({ isHighestOffered }) => isHighestOffered) ? "at least " : "";
  const most = `${names(high)} sustained ${qualifier}${formatInteger(high)} requests per second${
    range(high)
  } ${goal}`;
  return low === high
    ? most
    : `${most}; ${names(low)} ${low === 0 ? "none" : formatInteger(low)}${range(low)}`;
}
