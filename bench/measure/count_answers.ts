/**
 * Count answers: takes the rows of a load; returns how many answers were correct, when they came and with which
 * latency.
 */
import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import type { LoadOutcome, ResponseColumns } from "../load/oha.ts";
import type { Observation } from "../results/result_schema.ts";
import {
  countPerInterval,
  createLatencyHistogram,
  seriesIntervalSeconds,
} from "../statistics/mod.ts";

/** Tells whether an answer is correct: status 200 and a length that a correct body can have. */
export function isCorrect(
  { status, bodyBytes }: ResponseColumns,
  index: number,
  rightLengths: ReadonlySet<number>,
): boolean {
  return status[index] === 200 && rightLengths.has(bodyBytes[index]!);
}

/** Counts answers by class, over time and by latency. */
export function countAnswers(
  { responses, errors, durationSeconds }: LoadOutcome,
  rightLengths: ReadonlySet<number>,
): Pick<Observation, "attempted" | "correct" | "failures" | "series" | "latency"> {
  const failures: Record<string, number> = { ...errors };
  const correctEnds: number[] = [];
  const failedEnds: number[] = [];
  const histogram = createLatencyHistogram();
  for (let index = 0; index < responses.status.length; index++) {
    const status = responses.status[index]!;
    const end = responses.endSeconds[index]!;
    if (isCorrect(responses, index, rightLengths)) {
      correctEnds.push(end);
      const latencySeconds = end - responses.startSeconds[index]!;
      histogram.recordValue(Math.max(1, Math.round(latencySeconds * 1e6)));
    } else {
      failedEnds.push(end);
      const failure = status === 200 ? "wrong-length" : `status-${status}`;
      failures[failure] = (failures[failure] ?? 0) + 1;
    }
  }
  const unanswered = Object.values(errors).reduce((total, count) => total + count, 0);
  return {
    attempted: responses.status.length + unanswered,
    correct: correctEnds.length,
    failures,
    series: {
      intervalSeconds: seriesIntervalSeconds,
      correct: countPerInterval(correctEnds, durationSeconds),
      failed: countPerInterval(failedEnds, durationSeconds),
    },
    latency: {
      encoding: "HdrHistogram-V2-compressed-base64",
      unit: "microseconds",
      significantDigits: histogram.numberOfSignificantValueDigits,
      histogram: encodeIntoCompressedBase64(histogram),
    },
  };
}
