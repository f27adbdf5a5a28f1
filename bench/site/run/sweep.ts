/**
 * The rate sweep of a result, `rateSweep` in its file: which rates are sustainable, and at which latency. Out: what
 * pages show of its steps, and a summary in words.
 */
import { countText, millisecondsText } from "./words.ts";
import { boundOf, list, proseNames } from "../../results/words.ts";
import type { RateStep, RateSweep } from "../../results/protocols_schema.ts";

/** A rate sweep as pages show it. */
export interface ShownSweep {
  plan: RateSweep["plan"];
  /** Absent where no rate is sustainable, or a step is invalid. */
  sustainablePerSecond?: number;
  isHighestOffered: boolean;
  isValid: boolean;
  /** What it came to, in a clause. */
  words: string;
  /** From the lowest rate up. */
  steps: ShownStep[];
  /** The null server at the same rates. */
  floor: { ratePerSecond: number; p99Seconds: number }[];
  /** Sentences on stalls that latency from sending would hide (coordinated omission). */
  stalls: string[];
}

/** One offered rate. */
export interface ShownStep extends Omit<RateStep, "latency" | "failures"> {
  failed: number;
  /** Of the null server at this rate. */
  floorP99Seconds?: number;
}

/** Returns what pages show of a rate sweep. */
export function showSweep(rateSweep: RateSweep): ShownSweep {
  const { plan, steps, sustainablePerSecond } = rateSweep;
  const floor = rateSweep.floor.map(({ ratePerSecond, latencySeconds }) => ({
    ratePerSecond,
    p99Seconds: latencySeconds.p99,
  }));
  const sweep = {
    sustainablePerSecond: sustainablePerSecond,
    isHighestOffered: (sustainablePerSecond ?? 0) >= Math.max(...plan.ratesPerSecond),
    isValid: steps.every(({ problem }) => problem === undefined),
  };
  return {
    ...sweep,
    plan,
    words: sweepWords(sweep),
    steps: steps.map(({ latency: _, failures, ...step }) => ({
      ...step,
      failed: Object.values(failures).reduce((sum, count) => sum + count, 0),
      floorP99Seconds: floor.find(({ ratePerSecond }) => ratePerSecond === step.ratePerSecond)
        ?.p99Seconds,
    })),
    floor,
    stalls: steps.flatMap((step) => stallOf(step, plan.goal.p99Seconds)),
  };
}

/** What a sweep came to. */
type Outcome = Pick<ShownSweep, "sustainablePerSecond" | "isHighestOffered" | "isValid">;

/** Returns in a clause what a sweep came to. */
export function sweepWords({ sustainablePerSecond, isHighestOffered, isValid }: Outcome): string {
  if (!isValid) return "no figure, because a step was invalid";
  if (sustainablePerSecond === undefined) return "sustained no rate";
  const words = `sustained ${countText(sustainablePerSecond)} requests per second`;
  return isHighestOffered ? `${words}, the highest rate offered` : words;
}

/**
 * Reports a stall at a step that misses the objective only because requests waited before they were sent, while most
 * were on time. An overloaded server is late all the time.
 */
function stallOf(
  { ratePerSecond, latencySeconds: due, uncorrectedSeconds: sent }: RateStep,
  goalSeconds: number,
): string[] {
  const isStall = due !== undefined && sent !== undefined && due.p50 <= goalSeconds &&
    due.p99 > goalSeconds && sent.p99 <= goalSeconds;
  if (!isStall) return [];
  return [
    `at ${countText(ratePerSecond)} requests per second, p99 is ${boundOf(due, "p99")}${
      millisecondsText(due.p99)
    } ms from when requests were due, but ${
      millisecondsText(sent.p99)
    } ms from when they were sent`,
  ];
}

/** Returns who sustained the most and who the least, in a sentence without its period. */
export function sweepFinding(
  results: { impl: { name: string }; sweep?: Outcome & Pick<ShownSweep, "plan"> }[],
): string {
  const sweeps = results.flatMap(({ impl: { name }, sweep }) =>
    sweep?.isValid ? [{ ...sweep, name, perSecond: sweep.sustainablePerSecond ?? 0 }] : []
  );
  const [first] = sweeps;
  if (first === undefined) return "No rate sweep was valid";
  const goal = `with p99 ≤ ${first.plan.goal.p99Seconds * 1000} ms`;
  const high = Math.max(...sweeps.map(({ perSecond }) => perSecond));
  const low = Math.min(...sweeps.map(({ perSecond }) => perSecond));
  if (high === 0) return `No rate was sustained ${goal}`;
  const at = (perSecond: number) => sweeps.filter((sweep) => sweep.perSecond === perSecond);
  const called = proseNames(results.map(({ impl }) => impl.name));
  const names = (perSecond: number) => list(at(perSecond).map(({ name }) => called.get(name)!));
  const qualifier = at(high).some(({ isHighestOffered }) => isHighestOffered) ? "at least " : "";
  const most = `${names(high)} sustained ${qualifier}${
    countText(high)
  } requests per second ${goal}`;
  return low === high ? most : `${most}; ${names(low)} ${low === 0 ? "none" : countText(low)}`;
}
