import { assertAlmostEquals, assertEquals } from "@std/assert";
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import {
  createLatencyHistogram,
  decodeLatencyHistogram,
  latencyPercentile,
  latencyPercentiles,
  meanLatency,
} from "./histogram.ts";

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
  const p95 = latencyPercentile(histogram, 950);
  assertAlmostEquals(p95.seconds, 0.095, 0.095 * 0.001);
  const unanswered = { count: 10_000, seconds: 10 };
  assertEquals([p95.isAtLeast, latencyPercentile(histogram, 950, unanswered)], [
    false,
    { seconds: 10, isAtLeast: true },
  ]);
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

Deno.test("latencyPercentiles() counts unanswered requests as at least their time-out", () => {
  const histogram = createLatencyHistogram();
  for (let milliseconds = 1; milliseconds <= 98; milliseconds++) {
    histogram.recordValue(milliseconds * 1000);
  }
  const { p50, p90, p99, p999, max, atLeast } = latencyPercentiles(histogram, {
    count: 2,
    seconds: 2,
  });
  // Of 100 requests, the 50th and the 90th were answered.
  assertAlmostEquals(p50, 0.05, 0.05 * 0.001);
  assertAlmostEquals(p90, 0.09, 0.09 * 0.001);
  assertEquals([p99, p999, max], [2, 2, 2]);
  assertEquals(atLeast, ["p99", "p999", "max"]);
});

Deno.test("latencyPercentiles() of all requests unanswered are all at least the time-out", () => {
  const { atLeast, ...percentiles } = latencyPercentiles(createLatencyHistogram(), {
    count: 3,
    seconds: 10,
  });
  assertEquals(Object.values(percentiles), [10, 10, 10, 10, 10]);
  assertEquals(atLeast?.length, 5);
});

Deno.test("latencyPercentiles() puts unanswered requests before answers that took longer than their time-out", () => {
  const histogram = createLatencyHistogram();
  for (const seconds of [1, 1, 1, 1, 1, 12, 14, 16]) histogram.recordValue(seconds * 1e6);
  const { p50, p90, p99, max, atLeast } = latencyPercentiles(histogram, { count: 2, seconds: 10 });
  // In order: five of 1 s, two of at least 10 s, then 12, 14 and 16 s.
  const rounded = [p50, p90, p99, max].map((seconds) => Math.round(10 * seconds) / 10);
  assertEquals(rounded, [1, 14, 16, 16]);
  assertEquals(atLeast, ["p90", "p99", "p999", "max"]);
});

Deno.test("latencyPercentiles() are of nearest rank: at least that share did not exceed them", () => {
  for (const count of [1, 3, 7, 10, 11, 99, 1000, 1001]) {
    const histogram = createLatencyHistogram();
    for (let value = 1; value <= count; value++) histogram.recordValue(value);
    const { p50, p99, max, atLeast } = latencyPercentiles(histogram);
    const measured = [p50, p99, max].map((seconds) => Math.round(seconds * 1e6));
    assertEquals(measured, [Math.ceil(count / 2), Math.ceil(count * 99 / 100), count]);
    assertEquals(atLeast, undefined);
  }
});

Deno.test("meanLatency() is exact to 0.1 % and in seconds; 0 of no answer", () => {
  const histogram = createLatencyHistogram();
  assertEquals(meanLatency(histogram), 0);
  for (let value = 1; value <= 100_000; value++) histogram.recordValue(value);
  assertAlmostEquals(meanLatency(histogram), 0.05, 0.05 * 0.001);
});

Deno.test("latencyPercentiles() is not off by one where a share of the answers has no exact value", () => {
  // Of 253 requests the 127th is the median; 127 / 193 of 193 answers are 127.00000000000001 of them.
  const histogram = createLatencyHistogram();
  for (let value = 1; value <= 193; value++) histogram.recordValue(value);
  const { p50 } = latencyPercentiles(histogram, { count: 60, seconds: 2 });
  assertEquals(Math.round(p50 * 1e6), 127);
});
