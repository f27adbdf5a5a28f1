import { assertAlmostEquals, assertEquals } from "@std/assert";
import type { LoadOutcome } from "../load/oha.ts";
import { abba, countSlices } from "./slices.ts";

/** Answers at these moments of the load's own clock, in milliseconds, all of status 200 and 100 bytes. */
function outcomeOf(endsMs: number[], durationMs: number, errors = {}): LoadOutcome {
  return {
    durationSeconds: durationMs / 1000,
    responses: {
      startSeconds: Float64Array.from(endsMs, (end) => (end - 1) / 1000),
      endSeconds: Float64Array.from(endsMs, (end) => end / 1000),
      status: new Uint16Array(endsMs.length).fill(200),
      bodyBytes: new Uint32Array(endsMs.length).fill(100),
    },
    errors,
  };
}

/** One answer a millisecond, from the first to the last of them. */
function everyMs(fromMs: number, toMs: number): number[] {
  return Array.from({ length: toMs - fromMs }, (_, index) => fromMs + index);
}

const options = { begunMs: 0, settleMs: 50, rightLengths: new Set([100]), cpuSeconds: 0.4 };

Deno.test("abba() takes sides in turns so that a steady drift meets both alike", () => {
  assertEquals(abba("subject", 2), ["subject", "reference", "reference", "subject"]);
  const order = abba("reference", 4);
  const positions = (side: string) =>
    order.flatMap((name, index) => name === side ? [index] : []).reduce((a, b) => a + b);
  assertEquals(positions("subject"), positions("reference"));
});

Deno.test("countSlices() counts each slice from the end of its settling", () => {
  const outcome = outcomeOf([...everyMs(300, 500), ...everyMs(900, 1100)], 1500);
  const slices = [{ startMs: 300, endMs: 500 }, { startMs: 900, endMs: 1100 }];
  const side = countSlices(outcome, { ...options, slices });
  assertEquals(side.perSlice, [150, 150]);
  assertEquals(side.correct, 300);
  assertAlmostEquals(side.seconds, 0.3);
  assertEquals(side.failed, 0);
  assertAlmostEquals(side.cpuSecondsPerAnswer!, 0.001);
});

Deno.test("countSlices() tells the load's clock from the answers after each silence", () => {
  // The load began 7 ms before it was seen to begin.
  const outcome = outcomeOf([...everyMs(307, 507), ...everyMs(907, 1107)], 1500);
  const slices = [{ startMs: 10_300, endMs: 10_500 }, { startMs: 10_900, endMs: 11_100 }];
  const side = countSlices(outcome, { ...options, begunMs: 10_000, slices });
  assertEquals(side.perSlice, [150, 150]);
});

Deno.test("countSlices() counts a stall inside a slice against it", () => {
  const outcome = outcomeOf([...everyMs(300, 380), ...everyMs(900, 1100)], 1500);
  const slices = [{ startMs: 300, endMs: 500 }, { startMs: 900, endMs: 1100 }];
  assertEquals(countSlices(outcome, { ...options, slices }).perSlice, [30, 150]);
});

Deno.test("countSlices() leaves out what came after the load's deadline", () => {
  const outcome = outcomeOf([...everyMs(300, 500), ...everyMs(900, 950)], 950);
  const slices = [{ startMs: 300, endMs: 500 }, { startMs: 900, endMs: 1100 }];
  const side = countSlices(outcome, { ...options, slices });
  assertEquals(side.perSlice, [150]);
  assertAlmostEquals(side.seconds, 0.15);
});

Deno.test("countSlices() counts wrong and missing answers as failed, wherever they came", () => {
  const outcome = outcomeOf(everyMs(0, 200), 300, { timeout: 2 });
  outcome.responses.status[10] = 500;
  outcome.responses.bodyBytes[100] = 99;
  const side = countSlices(outcome, { ...options, slices: [{ startMs: 0, endMs: 200 }] });
  assertEquals(side.failed, 4);
  assertEquals(side.perSlice, [149]);
});
