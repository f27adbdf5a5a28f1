import { assert, assertEquals } from "@std/assert";
import fc from "fast-check";
import { linearScale, logScale } from "./scale.ts";

Deno.test("linearScale() goes from zero to the highest value", () => {
  const { at, ticks } = linearScale(1.25);
  assertEquals(ticks, [{ at: 0, value: 0 }, { at: 40, value: 0.5 }, { at: 80, value: 1 }]);
  assertEquals([at(0), at(1.25)], [0, 100]);
  assertEquals(linearScale(1).ticks.map(({ value }) => value), [0, 0.5, 1]);
});

Deno.test("linearScale() and logScale() hold every value, with two to eight ticks", () => {
  const positive = fc.double({ min: 1e-6, max: 1e9, noNaN: true });
  fc.assert(
    fc.property(positive, fc.double({ min: 1, max: 1e5, noNaN: true }), (low, factor) => {
      const high = low * factor;
      for (const { at, ticks } of [linearScale(high), logScale(low, high)]) {
        for (const value of [low, high]) assert(at(value) >= 0 && at(value) <= 100, `${value}`);
        for (const tick of ticks) assert(tick.at >= 0 && tick.at <= 100, `${tick.value}`);
        const { length } = ticks;
        assert(length >= 2 && length <= 8, `${length} ticks from ${low} to ${high}`);
      }
    }),
    { numRuns: 2_000 },
  );
});

Deno.test("logScale() has decades, and fractions of them where those are few", () => {
  assertEquals(logScale(3, 4061).ticks.map(({ value }) => value), [10, 100, 1000]);
  assertEquals(logScale(12, 90).ticks.map(({ value }) => value), [20, 50]);
  assertEquals(logScale(23, 44).ticks.map(({ value }) => value), [30, 40]);
  assertEquals(logScale(130, 140).ticks.map(({ value }) => value), [120, 140]);
});
