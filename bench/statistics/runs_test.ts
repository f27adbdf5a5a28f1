import { assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleRunRatio as run } from "../testing/run_ratio.ts";
import { studentTWithin } from "./distributions.ts";
import { meanOfMachines, pooledRunVariance, type RunRatio } from "./run_variance.ts";
import { betweenProcessors, longRunRatio, widened } from "./runs.ts";

Deno.test("longRunRatio() of runs that differ by more than their errors is Student's interval over runs", () => {
  const { estimate, low, high, ...rest } = longRunRatio([
    run(0.01),
    run(0.03),
    run(0.02),
    run(0.06),
  ])!;
  assertAlmostEquals(Math.log(estimate), 0.03, 1e-12);
  // scipy 1.17.1, as in ratio_test.ts.
  assertAlmostEquals(low, 0.9956352, 1e-7);
  assertAlmostEquals(high, 1.06649156, 1e-8);
  assertEquals(rest.runs, 4);
  assertAlmostEquals(rest.runStandardDeviation, Math.sqrt(0.0014 / 3), 1e-12);
  // Quantiles of chi-square with 3 degrees of freedom, of tables: 9.348 and 0.2158.
  assertAlmostEquals(rest.runStandardDeviationWithin.low, Math.sqrt(0.0014 / 9.348), 1e-5);
  assertAlmostEquals(rest.runStandardDeviationWithin.high, Math.sqrt(0.0014 / 0.2158), 1e-5);
});

Deno.test("longRunRatio() of two runs that agree is as wide as their own intervals make it", () => {
  const { low, high, runStandardDeviation } = longRunRatio([run(0.1, 0.02), run(0.1001, 0.02)])!;
  assertAlmostEquals(Math.log(high / low) / 2, studentTWithin(0.95, 18) * 0.02 / Math.SQRT2, 1e-9);
  assertEquals(runStandardDeviation, 0);
});

Deno.test("longRunRatio() of two runs that differ takes t with one degree of freedom", () => {
  const { low, high } = longRunRatio([run(0.1, 0.01), run(0.2, 0.01)])!;
  assertAlmostEquals(Math.log(high / low) / 2, 12.7062 * 0.05, 1e-4);
});

Deno.test("longRunRatio() takes the pooled variance of runs, and their own where that is larger", () => {
  const runs = [run(0.1, 0.01), run(0.2, 0.01)];
  const marginWith = (variance: number) => {
    const { low, high } = longRunRatio(runs, { pooled: { variance, degreesOfFreedom: 10 } })!;
    return Math.log(high / low) / 2;
  };
  const t = studentTWithin(0.95, 10);
  assertAlmostEquals(marginWith(0.1 ** 2), t * 0.1 / Math.SQRT2, 1e-9);
  // The variance of 0.1 and 0.2.
  assertAlmostEquals(marginWith(0.01 ** 2), t * Math.sqrt(0.005) / Math.SQRT2, 1e-9);
});

Deno.test("meanOfMachines() is as exact as its machines together", () => {
  const { ratio } = meanOfMachines([
    run(0.1, 0.02),
    run(0.3, 0.02),
    run(0.2, 0.02),
    run(0.2, 0.02),
  ]);
  assertAlmostEquals(Math.log(ratio.estimate), 0.2, 1e-12);
  // Four times nine degrees of freedom, and half the standard error.
  assertAlmostEquals(Math.log(ratio.high / ratio.low) / 2, studentTWithin(0.95, 36) * 0.01, 1e-12);
  assertEquals([ratio.rounds, ratio.degreesOfFreedom], [40, 36]);
});

Deno.test("pooledRunVariance() of all pairs is twice the residual variance of implementations and runs", () => {
  // Three implementations in two runs: residuals of a two-way layout, by hand.
  const values = [[0.1, 0.2], [0.3, 0.3], [0, 0.4]];
  const pairs = [[0, 1], [0, 2], [1, 2]].map(([a, b]) =>
    [0, 1].map((of) => run(values[a!]![of]! - values[b!]![of]!))
  );
  // Second less first: 0.1, 0, 0.4; their mean is 1/6, and the residual sum of squares half of that around it.
  const squares = (0.1 - 1 / 6) ** 2 + (1 / 6) ** 2 + (0.4 - 1 / 6) ** 2;
  const { variance, degreesOfFreedom } = pooledRunVariance(pairs, "of all pairs")!;
  assertAlmostEquals(variance, 2 * (squares / 2) / 2, 1e-12);
  assertAlmostEquals(degreesOfFreedom, 2, 1e-12);
});

Deno.test("pooledRunVariance() to the control counts what implementations share, and leaves out who has one run", () => {
  const two = [run(0.1), run(0.2)];
  const pooled = (all: RunRatio[][]) => pooledRunVariance(all, "to the control");
  assertEquals(pooled([[run(0.1)], [run(0.1), run(0.1, 0, "second")], []]), undefined);
  const one = pooled([two, [run(0.3)]])!;
  assertAlmostEquals(one.variance, 0.005, 1e-12);
  assertEquals(one.degreesOfFreedom, 1);
  const three = pooled([two, [run(0.1), run(0.1)], [run(0), run(0.2)]])!;
  assertAlmostEquals(three.variance, (0.005 + 0.02) / 3, 1e-12);
  assertEquals(three.degreesOfFreedom, 3 * 4 / 6);
});

Deno.test("longRunRatio() of equal runs without spread is their ratio", () => {
  const { low, estimate, high } = longRunRatio([run(0.5), run(0.5)])!;
  assertAlmostEquals(estimate, Math.exp(0.5), 1e-12);
  assertEquals([low, high], [estimate, estimate]);
});

Deno.test("longRunRatio() says nothing of one run, nor of two processors", () => {
  assertEquals(longRunRatio([]), undefined);
  assertEquals(longRunRatio([run(0.1)]), undefined);
  assertEquals(longRunRatio([run(0.1), run(0.2), run(0.2, 0, "second")]), undefined);
});

Deno.test("betweenProcessors() of one implementation is the spread of its two means less that of its runs", () => {
  const impl = [run(0.1), run(0.14), run(0.3, 0, "second"), run(0.34, 0, "second")];
  const between = betweenProcessors([impl])!;
  // Means 0.12 and 0.32 have the variance 0.02; of that, 0.0008 / 2 comes from runs.
  assertAlmostEquals(between.standardDeviation, Math.sqrt(0.02 - 0.0004), 1e-12);
  // chi-square with 1 degree of freedom: 5.0239 and 0.00098207.
  assertAlmostEquals(between.low, Math.sqrt(0.02 / 5.0239 - 0.0004), 1e-6);
  assertAlmostEquals(between.high, Math.sqrt(0.02 / 0.00098207 - 0.0004), 1e-3);
  assertEquals([between.degreesOfFreedom, between.impls, between.processors], [1, 1, 2]);
});

Deno.test("betweenProcessors() gives six implementations fewer degrees of freedom, because they share the control", () => {
  const impl = [run(0.1), run(0.14), run(0.3, 0, "second"), run(0.34, 0, "second")];
  assertAlmostEquals(betweenProcessors(Array(6).fill(impl))!.degreesOfFreedom, 8 / 3, 1e-12);
});

Deno.test("betweenProcessors() leaves out who was measured on one processor, and knows nothing without two", () => {
  const both = [run(0.1, 0.01), run(0.3, 0.01, "second")];
  assertEquals(betweenProcessors([[run(0.1), run(0.3)], []]), undefined);
  assertEquals(betweenProcessors([both, [run(0.1)]]), betweenProcessors([both]));
});

Deno.test("betweenProcessors() is 0 where processors differ by no more than runs", () => {
  const runs = [run(0.1), run(0.2), run(0.11, 0, "second"), run(0.21, 0, "second")];
  assertEquals(betweenProcessors([runs])!.standardDeviation, 0);
});

Deno.test("widened() adds the difference between two processors to both sides", () => {
  const between = {
    standardDeviation: 0.02,
    low: 0,
    high: 1,
    degreesOfFreedom: 4,
    impls: 6,
    processors: 2,
  };
  const ratio = { estimate: Math.exp(0.1), low: Math.exp(0.05), high: Math.exp(0.2), rounds: 10 };
  const { low, high, ...rest } = widened(ratio, between);
  const margin = 2.776445 * Math.SQRT2 * 0.02;
  assertAlmostEquals(Math.log(low), 0.1 - Math.hypot(0.05, margin), 1e-7);
  assertAlmostEquals(Math.log(high), 0.1 + Math.hypot(0.1, margin), 1e-7);
  assertEquals(rest, { estimate: ratio.estimate, rounds: 10 });
  const unchanged = widened(ratio, { ...between, standardDeviation: 0 });
  assertAlmostEquals(unchanged.low, ratio.low, 1e-12);
});
