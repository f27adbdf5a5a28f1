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

/** Reads a histogram back from a result. */
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

/**
 * Returns the percentiles of a latency histogram, in seconds: for each, the highest value that is
 * equivalent to the one that at least that share of the answers did not exceed (nearest rank).
 */
export function latencyPercentiles(histogram: Histogram): Percentiles {
  // The equivalent value of the highest bucket can lie above the exact maximum.
  const at = (percentile: number) =>
    Math.min(histogram.getValueAtPercentile(percentile), histogram.maxValue) / 1e6;
  return { p50: at(50), p90: at(90), p99: at(99), p999: at(99.9), max: histogram.maxValue / 1e6 };
}
