import { assertAlmostEquals, assertEquals } from "@std/assert";
import { sum } from "../lib/sum.ts";
import { exampleObservation } from "../testing/example_result.ts";
import { factsOf } from "./load.ts";
import { abba, countSlices, slicesOf, turnsOf } from "./slices.ts";

/** Answers at these moments, in milliseconds, all right unless told. */
function seenOf(endsMs: number[], wrong: number[] = []) {
  const isRight = Uint8Array.from(endsMs, (_, index) => wrong.includes(index) ? 0 : 1);
  const facts = {
    ...factsOf(exampleObservation()),
    attempted: endsMs.length,
    correct: endsMs.length - wrong.length,
  };
  return { facts, answers: { endMs: Float64Array.from(endsMs) }, isRight };
}

/** One answer a millisecond, from the first to the last of them. */
function everyMs(fromMs: number, toMs: number): number[] {
  return Array.from({ length: toMs - fromMs }, (_, index) => fromMs + index);
}

const options = {
  slices: [{ startMs: 300, endMs: 500, isThawed: true }, {
    startMs: 900,
    endMs: 1100,
    isThawed: true,
  }],
  settleMs: 50,
};

Deno.test("abba() takes sides in turns so that a steady drift meets both alike", () => {
  assertEquals(abba("subject", 2), ["subject", "reference", "reference", "subject"]);
  const order = abba("reference", 4);
  const positions = (side: string) =>
    sum(order.flatMap((name, index) => name === side ? [index] : []));
  assertEquals(positions("subject"), positions("reference"));
});

Deno.test("turnsOf() joins slices of one side only where the plan says so", () => {
  const order = abba("subject", 4);
  assertEquals(turnsOf(order, {}), order.map((side) => ({ side, slices: 1 })));
  assertEquals(
    turnsOf(order, { joinsSlices: true }).map(({ side, slices }) => side[0]!.repeat(slices)),
    ["s", "rr", "ss", "rr", "s"],
  );
});

Deno.test("slicesOf() divides a turn, and the last slice takes what it was longer", () => {
  const turn = { side: "subject", slices: 2 } as const;
  assertEquals(slicesOf(turn, { startMs: 300, endMs: 502, sliceMs: 100 }), [
    { side: "subject", startMs: 300, endMs: 400, isThawed: true },
    { side: "subject", startMs: 400, endMs: 502, isThawed: false },
  ]);
});

Deno.test("countSlices() counts all of a slice that follows another without a freeze", () => {
  const slices = slicesOf({ side: "subject", slices: 2 }, {
    startMs: 300,
    endMs: 500,
    sliceMs: 100,
  });
  // An answer long before tells that there is a silence, and the clock of the load is 7 ms ahead.
  const side = countSlices(seenOf([100, ...everyMs(293, 493)]), { ...options, slices });
  assertEquals(side.perSlice, [50, 100]);
  assertAlmostEquals(side.seconds, 0.15);
  assertEquals(side.secondsPerLoad, [side.seconds]);
  assertEquals(side.settling, { correct: 50, seconds: 0.05 });
});

Deno.test("countSlices() counts each slice from the end of its settling", () => {
  const side = countSlices(seenOf([...everyMs(300, 500), ...everyMs(900, 1100)]), options);
  assertEquals(side.perSlice, [150, 150]);
  assertEquals(side.correct, 300);
  assertAlmostEquals(side.seconds, 0.3);
  assertEquals(side.failed, 0);
});

Deno.test("countSlices() tells the load's clock from the answers after each silence", () => {
  for (const aheadMs of [-7, 7]) {
    const [first, second] = [[300, 500], [900, 1100]].map(([from, to]) =>
      everyMs(from! + aheadMs, to! + aheadMs)
    );
    // An answer long before tells that there is a silence.
    const side = countSlices(seenOf([100, ...first!, ...second!]), options);
    assertEquals(side.perSlice, [150, 150], `${aheadMs} ms`);
  }
});

Deno.test("countSlices() counts a stall inside a slice against it", () => {
  const seen = seenOf([...everyMs(300, 380), ...everyMs(900, 1100)]);
  assertEquals(countSlices(seen, options).perSlice, [30, 150]);
});

Deno.test("countSlices() divides CPU time by the answers of whole slices, and by no others", () => {
  // What came before the first slice and after the last one is of no slice.
  const ends = [...everyMs(100, 150), ...everyMs(300, 500), ...everyMs(900, 1100)];
  const side = countSlices(seenOf([...ends, ...everyMs(1110, 1160)]), {
    ...options,
    cpuSeconds: 0.4,
  });
  assertAlmostEquals(side.cpuSecondsPerAnswer!, 0.001);
  assertEquals(countSlices(seenOf(ends), options).cpuSecondsPerAnswer, undefined);
  assertEquals(
    countSlices(seenOf([]), { ...options, cpuSeconds: 0.4 }).cpuSecondsPerAnswer,
    undefined,
  );
});

Deno.test("countSlices() counts wrong and missing answers as failed, wherever they came", () => {
  const seen = seenOf(everyMs(0, 500), [10, 450]);
  seen.facts.attempted += 2;
  const side = countSlices(seen, { ...options, slices: options.slices.slice(0, 1) });
  assertEquals(side.failed, 4);
  assertEquals(side.perSlice, [149]);
});
