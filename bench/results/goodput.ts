/**
 * Cold and warm goodput: two figures, each with its name. Cold is of one load on a fresh process (protocol A), the
 * process's own warming up included, without an interval. Warm is of the comparison's rounds (protocol B), with an
 * interval over them. What the cold start costs is a figure of its own.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { comparedAt, fewRounds } from "./compared.ts";
import { type ComparedLevel, type ComparedRound, counted, goodputOf } from "./comparison_schema.ts";
import type { Known } from "./known.ts";
import { isGeneratorBound, outcomeAt } from "./outcome.ts";
import type { Result } from "./result_schema.ts";
import { predictionMargin, type RatioInterval, ratioInterval } from "../statistics/mod.ts";

/** Correct answers per second of warm processes, with the interval over the rounds of one run. */
export type WarmGoodput = Pick<
  RatioInterval,
  "estimate" | "low" | "high" | "confidence" | "rounds"
>;

/** What a fresh process loses while it warms up. */
export interface ColdStart {
  /** Cold goodput as a share of warm at the same connections. */
  share: number;
  /**
   * The share that one more round of warm processes would have had, 19 times in 20, around this one: where it holds 1,
   * the cold load was no slower than a warm one may be.
   */
  low: number;
  high: number;
  /** Until goodput of the cold load reached 95 % of its steady state; absent where it reached none. */
  secondsToSteady?: number;
  /** Correct answers until then. */
  requestsToSteady?: number;
}

/** Returns the cold goodput of a result at a level, per second. */
export function coldGoodputAt(result: Result, connections: number): Known<number> {
  const outcome = outcomeAt(result, connections);
  return "missing" in outcome ? outcome : { value: outcome.value.figures.goodputPerSecond };
}

/**
 * Returns the cold goodput of a result over the first requests of a level, per second, from its counts of each quarter
 * second; within one, answers are taken to come evenly.
 */
export function coldGoodputOfFirst(
  result: Result,
  connections: number,
  requests: number,
): Known<number> {
  const outcome = outcomeAt(result, connections);
  if ("missing" in outcome) return outcome;
  const { series, durationSeconds } = outcome.value.observation;
  const { intervalSeconds, correct, failed } = series;
  let [answered, right] = [0, 0];
  for (const [index, ofInterval] of correct.entries()) {
    const ended = ofInterval + failed[index]!;
    if (ended > 0 && answered + ended >= requests) {
      const share = (requests - answered) / ended;
      // The last interval ends with the load.
      const before = index * intervalSeconds;
      const seconds = Math.min(intervalSeconds, durationSeconds - before);
      return { value: (right + share * ofInterval) / (before + share * seconds) };
    }
    answered += ended;
    right += ofInterval;
  }
  return {
    missing: `${formatInteger(answered)} requests ended, fewer than ${formatInteger(requests)}`,
  };
}

/** Returns the warm goodput of a result at a level, or of the control in the same rounds. */
export function warmGoodputAt(
  result: Result,
  connections: number,
  side: "subject" | "reference" = "subject",
): Known<WarmGoodput> {
  const compared = comparedAt(result, connections);
  if ("missing" in compared) return compared;
  const warm = warmGoodputOf(compared.value, side);
  return warm === undefined ? { missing: fewRounds } : { value: warm };
}

/** Returns the warm goodput of one side of a comparison at a level; undefined where it has none. */
export function warmGoodputOf(
  { goodput, rounds }: Pick<ComparedLevel, "goodput" | "rounds">,
  side: "subject" | "reference",
): WarmGoodput | undefined {
  const interval = goodput && ratioInterval(logRatesOf(rounds, side));
  if (interval === undefined) return undefined;
  const { method: _, ...warm } = interval;
  return warm;
}

function logRatesOf(rounds: ComparedRound[], side: "subject" | "reference"): number[] {
  return counted(rounds).map((round) => Math.log(goodputOf(round[side])));
}

/**
 * Returns the natural logarithm of the warm goodput per second in each round that counts: what intervals are
 * made from, as those of ratios are.
 */
export function warmLogRatesAt(
  result: Result,
  connections: number,
  side: "subject" | "reference" = "subject",
): Known<number[]> {
  const compared = comparedAt(result, connections);
  if ("missing" in compared) return compared;
  const { goodput, rounds } = compared.value;
  if (goodput === undefined) return { missing: fewRounds };
  return { value: logRatesOf(rounds, side) };
}

/** Returns what the cold start of a result costs at a level. */
export function coldStartAt(result: Result, connections: number): Known<ColdStart> {
  const cold = outcomeAt(result, connections);
  if ("missing" in cold) return cold;
  const warm = warmGoodputAt(result, connections);
  if ("missing" in warm) return warm;
  if (isGeneratorBound(result, connections)) {
    return { missing: `the load generator limited ${result.impl.name}` };
  }
  const { goodputPerSecond, secondsToSteady, requestsToSteady } = cold.value.figures;
  const rates = warmLogRatesAt(result, connections);
  const margin = "missing" in rates ? undefined : predictionMargin(rates.value);
  if (margin === undefined) return { missing: fewRounds };
  const share = goodputPerSecond / warm.value.estimate;
  const [low, high] = [share / Math.exp(margin), share * Math.exp(margin)];
  return { value: { share, low, high, secondsToSteady, requestsToSteady } };
}
