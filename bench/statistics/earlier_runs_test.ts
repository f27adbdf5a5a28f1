import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { ratioToEarlierRuns } from "./earlier_runs.ts";
import { studentTWithin } from "./distributions.ts";
import { draw } from "../testing/noise.ts";
import { exampleRunRatio as run } from "../testing/run_ratio.ts";

Deno.test("ratioToEarlierRuns() is as uncertain as a further run around the mean of the earlier ones", () => {
  const earlier = [[run(0.1)], [run(0.14)], [run(0.12)]];
  const { estimate, low, high, runs } = ratioToEarlierRuns([[run(0.2)]], earlier)!;
  assertAlmostEquals(Math.log(estimate), 0.08, 1e-12);
  const margin = studentTWithin(0.95, 2) * 0.02 * Math.sqrt(4 / 3);
  assertAlmostEquals(Math.log(low), 0.08 - margin, 1e-12);
  assertAlmostEquals(Math.log(high), 0.08 + margin, 1e-12);
  assertEquals(runs, 3);
});

Deno.test("ratioToEarlierRuns() is never narrower than the runs' own intervals make it", () => {
  const earlier = [[run(0.1, 0.02)], [run(0.1, 0.02)]];
  const { low, high } = ratioToEarlierRuns([[run(0.1, 0.03)]], earlier)!;
  assert(Math.log(high / low) / 2 > studentTWithin(0.95, 27) * Math.hypot(0.03, 0.02 / Math.SQRT2));
});

Deno.test("ratioToEarlierRuns() compares each measurement with the mean of its own processor", () => {
  const first = (value: number) => [run(value)];
  const second = (value: number) => [run(value, 0, "second")];
  const earlier = [first(0.1), first(0.14), first(0.12), second(0.5), second(0.54)];
  const now = [first(0.2), first(0.18), second(0.6)];
  const { estimate, low, high, runs } = ratioToEarlierRuns(now, earlier)!;
  const expected = (0.08 + 0.06 + 0.08) / 3;
  assertAlmostEquals(Math.log(estimate), expected, 1e-12);
  // Sums of squares of 0.0008 each, with 2 and 1 degrees of freedom.
  const factor = 1 / 3 + (2 / 3) ** 2 / 3 + (1 / 3) ** 2 / 2;
  const margin = studentTWithin(0.95, 3) * Math.sqrt(0.0016 / 3 * factor);
  assertAlmostEquals(Math.log(low), expected - margin, 1e-12);
  assertAlmostEquals(Math.log(high), expected + margin, 1e-12);
  assertEquals(runs, 5);
  // One that has no earlier run does not count.
  assertEquals(
    ratioToEarlierRuns([...now, [run(9, 0, "third")]], earlier),
    ratioToEarlierRuns(now, earlier),
  );
});

Deno.test("ratioToEarlierRuns() takes the machines of a run together: they share how it deviates", () => {
  const earlier = [[run(0.1), run(0.14)], [run(0.3), run(0.34)]];
  const { estimate, low, high, runs } = ratioToEarlierRuns([[run(0.2), run(0.24)]], earlier)!;
  assertAlmostEquals(Math.log(estimate), 0, 1e-12);
  assertEquals(runs, 2);
  // Means of 0.12 and 0.32: of one run, 0.02 is the variance of such a mean, with one degree of freedom.
  const margin = studentTWithin(0.95, 1) * Math.sqrt(0.02 * 1.5);
  assertAlmostEquals(Math.log(low), -margin, 1e-9);
  assertAlmostEquals(Math.log(high), margin, 1e-9);
  // More new machines make the difference no more certain than the deviation of a run allows.
  const more = ratioToEarlierRuns([draw(20, () => run(0.22))], earlier)!;
  assert(more.high > 0.99 * high);
});

Deno.test("ratioToEarlierRuns() takes runs to differ by no less than their machines do", () => {
  const earlier = [[run(0.1), run(0.3)], [run(0.11), run(0.29)]];
  const { high } = ratioToEarlierRuns([[run(0.2), run(0.2)]], earlier)!;
  const variance = (0.02 + 0.0162) / 2;
  assertAlmostEquals(Math.log(high), studentTWithin(0.95, 1) * Math.sqrt(variance * 0.75), 1e-9);
});

Deno.test("ratioToEarlierRuns() says nothing with one earlier run, or of another processor", () => {
  assertEquals(ratioToEarlierRuns([[run(0.2)]], [[run(0.1)]]), undefined);
  assertEquals(ratioToEarlierRuns([[run(0.2)]], [[run(0.1), run(0.12)]]), undefined);
  const second = [[run(0.2, 0, "second")]];
  assertEquals(ratioToEarlierRuns(second, [[run(0.1)], [run(0.2)]]), undefined);
  assertEquals(ratioToEarlierRuns([], [[run(0.1)], [run(0.2)]]), undefined);
});
