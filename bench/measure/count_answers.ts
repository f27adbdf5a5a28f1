/**
 * Count answers: takes the rows of a load and what its witness says of them; returns how many were right, wrong or
 * missing, when they came and with which latency.
 */
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { countFailed } from "../load/oha_output.ts";
import type { LoadOutcome } from "../load/oha.ts";
import type { Observation } from "../results/result_schema.ts";
import type { Witnessed } from "../scenario/scenario.ts";
import {
  countPerInterval,
  createLatencyHistogram,
  seriesIntervalSeconds,
} from "../statistics/mod.ts";

/** Wrong answers that say themselves that they are none; every other is taken for right by whoever receives it. */
const serverError = /^status-5\d\d$/;

/** Counts answers by kind, over time and by latency. */
export function countAnswers(
  { responses, errors, durationSeconds }: Pick<
    LoadOutcome,
    "responses" | "errors" | "durationSeconds"
  >,
  { isRight, refused, ...witnessed }: Witnessed,
): Pick<
  Observation,
  | "attempted"
  | "correct"
  | "refused"
  | "wrong"
  | "problems"
  | "failures"
  | "series"
  | "latency"
> {
  const { endSeconds, startSeconds } = responses;
  const isOf = (kind: 0 | 1) => endSeconds.filter((_, index) => isRight[index] === kind);
  const [failedEnds, correctEnds] = [isOf(0), isOf(1)];
  const kinds = Object.entries(witnessed.wrong);
  return {
    attempted: endSeconds.length + countFailed({ errors }),
    correct: correctEnds.length,
    refused,
    wrong: Object.fromEntries(kinds.filter(([kind]) => !serverError.test(kind))),
    problems: witnessed.problems.filter(({ check }) => !serverError.test(check)),
    failures: {
      ...errors,
      ...Object.fromEntries(kinds.filter(([kind]) => serverError.test(kind))),
    },
    series: {
      intervalSeconds: seriesIntervalSeconds,
      correct: countPerInterval(correctEnds, durationSeconds),
      failed: countPerInterval(failedEnds, durationSeconds),
    },
    latency: latencyOf(startSeconds, endSeconds, isRight),
  };
}

/** Latency of right answers in a load at a fixed rate. */
export interface SettledLatency {
  /** From when requests were due, of those due once the load had settled. */
  fromDue: Observation["latency"];
  /** The same from when they were sent. */
  fromSent: Observation["latency"];
  /** From when requests were due, of those due before. */
  settling: Observation["latency"];
}

/** Returns the latency of a load that settles for `settleSeconds`; undefined where it had no rate. */
export function settledLatency(
  { dueSeconds, startSeconds, endSeconds }: Pick<
    LoadOutcome["responses"],
    "dueSeconds" | "startSeconds" | "endSeconds"
  >,
  isRight: Uint8Array,
  settleSeconds = 0,
): SettledLatency | undefined {
  if (dueSeconds === undefined) return undefined;
  const isEarly = (index: number) => dueSeconds[index]! < settleSeconds;
  const settled = isRight.map((right, index) => isEarly(index) ? 0 : right);
  return {
    fromDue: latencyOf(dueSeconds, endSeconds, settled),
    fromSent: latencyOf(startSeconds, endSeconds, settled),
    settling: latencyOf(
      dueSeconds,
      endSeconds,
      isRight.map((right, index) => isEarly(index) ? right : 0),
    ),
  };
}

/** Returns the histogram of latency from `starts` to `ends`, both in seconds, of the answers that count: 1 for each, else 0. */
export function latencyOf(
  starts: Float64Array,
  ends: Float64Array,
  counts: Uint8Array,
): Observation["latency"] {
  const histogram = createLatencyHistogram();
  for (let index = 0; index < ends.length; index++) {
    if (counts[index] === 0) continue;
    histogram.recordValue(Math.max(1, Math.round((ends[index]! - starts[index]!) * 1e6)));
  }
  return {
    encoding: "HdrHistogram-V2-compressed-base64",
    unit: "microseconds",
    significantDigits: histogram.numberOfSignificantValueDigits,
    histogram: encodeIntoCompressedBase64(histogram),
  };
}
