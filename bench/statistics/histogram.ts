/** Latencies, kept in histograms that can be added. */
import { build, decodeFromCompressedBase64, type Histogram } from "hdr-histogram-js";

const significantDigits = 3;
const maxLatencyMicroseconds = 3_600_000_000;

/** Creates an empty histogram of latencies in microseconds, exact to 0.1 % (http://hdrhistogram.org). */
export function createLatencyHistogram(): Histogram {
  return build({
    lowestDiscernibleValue: 1,
    highestTrackableValue: maxLatencyMicroseconds,
    numberOfSignificantValueDigits: significantDigits,
    bitBucketSize: 64,
  });
}

/** Reads a histogram of latencies in microseconds back from a result: HdrHistogram V2, compressed, in Base64. */
export function decodeLatencyHistogram(text: string): Histogram {
  return decodeFromCompressedBase64(text);
}

/** Latency percentiles, in seconds. */
export interface Percentiles {
  p50: number;
  p90: number;
  p99: number;
  p999: number;
  max: number;
}

/** Latency percentiles of all requests, answered or not. */
export interface CensoredPercentiles extends Percentiles {
  /** Those that fall among unanswered requests: they are at least what stands there. Absent where none does. */
  atLeast?: (keyof Percentiles)[];
}

/** Requests without an answer. */
export interface Unanswered {
  count: number;
  /** How long each was waited for at least, in seconds. */
  seconds: number;
}

/** The percentiles, as parts of a thousand. */
const perMille = { p50: 500, p90: 900, p99: 990, p999: 999, max: 1000 };

/**
 * Returns the percentiles of a latency histogram, in seconds: for each, the highest value that is
 * equivalent to the one that at least that share of the requests did not exceed (nearest rank).
 *
 * Unanswered requests took at least their time-out (values censored on the right; Kaplan and Meier, "Nonparametric
 * Estimation from Incomplete Observations" (1958), JASA 53). Each stands in the order where it would at its time-out: a
 * percentile there or beyond cannot be lower than what is then its value, but it can be higher.
 */
export function latencyPercentiles(
  histogram: Histogram,
  unanswered: Unanswered = { count: 0, seconds: 0 },
): CensoredPercentiles {
  const percentiles = { p50: 0, p90: 0, p99: 0, p999: 0, max: 0 };
  const atLeast: (keyof Percentiles)[] = [];
  for (const [name, share] of Object.entries(perMille) as [keyof Percentiles, number][]) {
    const { seconds, isAtLeast } = latencyPercentile(histogram, share, unanswered);
    percentiles[name] = seconds;
    if (isAtLeast) atLeast.push(name);
  }
  return atLeast.length === 0 ? percentiles : { ...percentiles, atLeast };
}

/** Returns the percentile that is so many parts of a thousand, by the same rule. */
export function latencyPercentile(
  histogram: Histogram,
  perMille: number,
  unanswered: Unanswered = { count: 0, seconds: 0 },
): { seconds: number; isAtLeast: boolean } {
  const answered = histogram.totalCount;
  const rank = Math.ceil(perMille * (answered + unanswered.count) / 1000);
  const seconds = rank > answered ? Infinity : secondsAt(histogram, rank);
  if (unanswered.count === 0 || seconds <= unanswered.seconds) return { seconds, isAtLeast: false };
  const rankOfAnswer = rank - unanswered.count;
  return {
    seconds: Math.max(
      unanswered.seconds,
      rankOfAnswer > 0 ? secondsAt(histogram, rankOfAnswer) : 0,
    ),
    isAtLeast: true,
  };
}

/** Returns the latency of the answer of this rank, counted from 1 for the fastest, in seconds. */
function secondsAt(histogram: Histogram, rank: number): number {
  // Half a rank less: the histogram rounds up, by a whole rank where the share came out a trifle too large. The
  // equivalent value of the highest bucket can lie above the exact maximum.
  const value = histogram.getValueAtPercentile(100 * (rank - 0.5) / histogram.totalCount);
  return Math.min(value, histogram.maxValue) / 1e6;
}

/** Returns the mean latency, in seconds; 0 of no answer. */
export function meanLatency(histogram: Histogram): number {
  return histogram.totalCount === 0 ? 0 : histogram.mean / 1e6;
}
