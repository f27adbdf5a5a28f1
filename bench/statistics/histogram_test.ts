import { assertAlmostEquals, assertEquals } from "@std/assert";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { createLatencyHistogram, decodeLatencyHistogram, latencyPercentiles } from "./histogram.ts";

Deno.test("latencyPercentiles() is exact to 0.1 % and in seconds", () => {
  const histogram = createLatencyHistogram();
  for (let microseconds = 1; microseconds <= 100_000; microseconds++) {
    histogram.recordValue(microseconds);
  }
  const { p50, p90, p99, p999, max } = latencyPercentiles(histogram);
  assertAlmostEquals(p50, 0.05, 0.05 * 0.001);
  assertAlmostEquals(p90, 0.09, 0.09 * 0.001);
  assertAlmostEquals(p99, 0.099, 0.099 * 0.001);
  assertAlmostEquals(p999, 0.0999, 0.0999 * 0.001);
  assertAlmostEquals(max, 0.1, 0.1 * 0.001);
});

Deno.test("a latency histogram survives being written and read", () => {
  const histogram = createLatencyHistogram();
  for (const value of [120, 950, 31_000, 2_500_000]) histogram.recordValue(value);
  const copy = decodeLatencyHistogram(encodeIntoCompressedBase64(histogram));
  const [written, read] = [latencyPercentiles(histogram), latencyPercentiles(copy)];
  for (const key of ["p50", "p90", "p99", "p999", "max"] as const) {
    assertAlmostEquals(read[key], written[key], written[key] * 0.001);
  }
  assertEquals(written.p999, 2.5);
  assertEquals(copy.totalCount, 4);
});
