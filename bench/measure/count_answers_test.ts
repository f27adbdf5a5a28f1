import { assertEquals } from "@std/assert";
import type { Observation } from "../results/result_schema.ts";
import { decodeLatencyHistogram } from "../statistics/mod.ts";
import { settledLatency } from "./count_answers.ts";

Deno.test("settledLatency() takes right answers to requests that were due once the load had settled", () => {
  const times = {
    dueSeconds: Float64Array.of(0, 0.499, 0.5, 0.6, 0.7),
    startSeconds: Float64Array.of(0, 0.6, 0.501, 0.6, 0.7),
    // The second came late, and not because of its connection: what was due before does not count, whenever it came.
    endSeconds: Float64Array.of(0.08, 0.9, 0.502, 0.601, 0.7015),
  };
  // The fourth answer was wrong.
  const isRight = Uint8Array.of(1, 1, 1, 0, 1);
  const summary = ({ histogram }: Observation["latency"]) => {
    const latency = decodeLatencyHistogram(histogram);
    return [latency.totalCount, latency.maxValue];
  };
  const of = (fromSeconds?: number) => {
    const { fromDue, fromSent, settling } = settledLatency(times, isRight, fromSeconds)!;
    return [summary(fromDue), summary(fromSent), summary(settling)[0]];
  };
  assertEquals(of(0.5), [[2, 2_000], [2, 1_500], 2]);
  assertEquals([of()[0], of()[2]], [[4, 401_151], 0]);
  assertEquals(settledLatency({ ...times, dueSeconds: undefined }, isRight), undefined);
});
