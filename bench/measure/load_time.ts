/**
 * Load time: when did a load begin by the harness's clock? The load generator has its own, and tells the kernel's time
 * of birth of its file.
 */
import type { LoadOutcome } from "../load/oha.ts";
import type { Excerpt } from "./excerpt.ts";
import type { Answers } from "../scenario/scenario.ts";

/** A file's time of birth is that of the kernel's last tick, and the wall clock is read in milliseconds. */
const clockToleranceMs = 12;

/** When a load was seen to begin, in milliseconds of `performance.now()`. */
export interface SeenBegin {
  /** Before the load generator was started. */
  startMs: number;
  /** When its first connection had been seen. */
  connectedMs: number;
  /** The wall clock minus this clock. */
  wallClockMs: number;
}

/**
 * Returns the time of a load, in milliseconds of `performance.now()`, and how far that may be off: it began after the
 * birth of its file, and before its first connection.
 */
export function timeOfLoad(
  { startedAtMs, durationSeconds }: Pick<LoadOutcome, "startedAtMs" | "durationSeconds">,
  { startMs, connectedMs, wallClockMs }: SeenBegin,
): { beginMs: number; endMs: number; toleranceMs: number } {
  const bornMs = startedAtMs === undefined ? startMs : startedAtMs - wallClockMs;
  const beginMs = Math.min(Math.max(startMs, bornMs), connectedMs);
  return {
    beginMs,
    endMs: beginMs + durationSeconds * 1000,
    toleranceMs: clockToleranceMs + connectedMs - beginMs,
  };
}

/** Returns the answers with the times of `performance.now()`, and the lines of the whole request file. */
export function answersOf(
  { responses }: LoadOutcome,
  beginMs: number,
  { lineOf }: Pick<Excerpt, "lineOf">,
): Answers {
  const { status, bodyBytes, bodyCrc32, startSeconds, endSeconds } = responses;
  const line = responses.line.map((line) => lineOf(line));
  const toMs = (seconds: Float64Array) => seconds.map((time) => beginMs + time * 1000);
  const times = { startMs: toMs(startSeconds), endMs: toMs(endSeconds) };
  return { line, status, bodyBytes, bodyCrc32, ...times };
}
