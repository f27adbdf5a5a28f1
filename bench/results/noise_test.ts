import { assert, assertEquals } from "@std/assert";
import { exampleNoise } from "../testing/example_files.ts";
import { noiseOf } from "../statistics/mod.ts";
import type { NoiseFile } from "./files_schema.ts";
import { describeBias, namedNoises, seenShareOf, summariseNoise } from "./noise.ts";

const { comparisons, plan } = exampleNoise("20260101T000000Z-0000000");
const summary = summariseNoise(comparisons)!;

Deno.test("summariseNoise() gives the noise of each figure, from the comparisons that have its ratio", () => {
  const [first, ...others] = comparisons;
  const { goodput: _, ...withoutGoodput } = first!;
  const { cpuPerAnswer: __, ...withoutCpu } = others[0]!;
  const mixed = [withoutGoodput, withoutCpu, ...others.slice(1)];
  const summary = summariseNoise(mixed)!;
  assertEquals(summary.goodput, noiseOf(others.map(({ goodput }) => goodput!)));
  const withCpu = [first!, ...others.slice(1)];
  assertEquals(summary.cpuPerAnswer, noiseOf(withCpu.map(({ cpuPerAnswer }) => cpuPerAnswer!)));
  assertEquals(summary.cpuPerAnswer!.comparisons, comparisons.length - 1);
  assertEquals(summary.startup, noiseOf(mixed.map(({ startup }) => startup!)));
  assertEquals(summary.p99AtRate, noiseOf(mixed.map(({ p99AtRate }) => p99AtRate!)));
});

Deno.test("summariseNoise() leaves out a figure that fewer than two comparisons have, and says nothing without goodput", () => {
  const withoutCpu = comparisons.slice(1).map(({ cpuPerAnswer: _, ...rest }) => rest);
  assertEquals(summariseNoise([comparisons[0]!, ...withoutCpu])!.cpuPerAnswer, undefined);
  assertEquals(summariseNoise(comparisons.slice(0, 1)), undefined);
});

Deno.test("namedNoises() gives the figures that there are, with the rate of p99", () => {
  const namesOf = (summary: NoiseFile["summary"]) =>
    namedNoises({ summary, plan, comparisons }).map(({ name }) => name);
  assertEquals(namesOf(summary), [
    "warm goodput",
    "CPU per answer",
    "startup",
    "p99 at 2,000 requests/s",
  ]);
  assertEquals(namesOf({ goodput: summary.goodput }), ["warm goodput"]);
});

Deno.test("seenShareOf() counts the intervals that would exclude 1 in either direction", () => {
  const interval = { low: 0.9, high: 1.2 };
  const shares = [0.1, 0.15, 0.21].map((difference) => seenShareOf([interval], difference));
  assertEquals(shares, [0, 0.5, 1]);
});

const usual = { estimate: 1.05, low: 0.78, high: 1.55 };
const explained =
  "The interval of each scatter contains 1: no intervals were found too narrow, or wider than needed.";

Deno.test("describeBias() names the figures whose mean has an interval without 1", () => {
  const [goodput, cpuPerAnswer] = namedNoises({ summary, plan, comparisons })
    .map((noise) => ({ ...noise, scatter: usual }));
  assert(goodput!.mean.low < 1 && goodput!.mean.high > 1);
  const biased = { ...cpuPerAnswer!, mean: { estimate: 0.941, low: 0.933, high: 0.952 } };
  assertEquals(
    describeBias([goodput!, { ...biased, mean: { estimate: 1, low: 0.99, high: 1.01 } }]),
    "The interval of each mean contains 1: no bias was found. " + explained,
  );
  assertEquals(
    describeBias([goodput!, biased]),
    "Biased, unless by chance, because the interval of the mean does not contain 1: CPU per answer (0.94, 95 %: 0.93–0.95). " +
      "It contains 1 for warm goodput. " +
      "Without any bias, at least one of 2 independent intervals misses 1 in 10 % of the cases. " +
      explained,
  );
  assertEquals(
    describeBias([biased]),
    "Biased, unless by chance, because the interval of the mean does not contain 1: CPU per answer (0.94, 95 %: 0.93–0.95). " +
      explained,
  );
});

Deno.test("describeBias() names the figures with more false alarms than one in twenty", () => {
  const [goodput] = namedNoises({ summary, plan, comparisons });
  const noise = { ...goodput!, comparisons: 20, scatter: usual };
  const falseAlarms = { count: 4, share: 0.2, low: 0.057, high: 0.437 };
  assertEquals(
    describeBias([{ ...noise, falseAlarms }]),
    "The interval of each mean contains 1: no bias was found. " +
      "More false alarms than one in twenty: warm goodput (4 of 20). " +
      "An interval that barely excludes 1 tells little. " + explained,
  );
  const few = { ...falseAlarms, low: 0.012 };
  assertEquals(
    describeBias([{ ...noise, falseAlarms: few }]).includes("More"),
    false,
  );
});

Deno.test("describeBias() names the figures whose estimates lie further apart, or closer, than their intervals imply", () => {
  const [goodput, cpuPerAnswer] = namedNoises({ summary, plan, comparisons });
  const further = { ...goodput!, scatter: { estimate: 1.62, low: 1.13, high: 2.31 } };
  const closer = { ...cpuPerAnswer!, scatter: { estimate: 0.67, low: 0.5, high: 0.98 } };
  const noBias = "The interval of each mean contains 1: no bias was found. ";
  const narrow = "Intervals are too narrow, unless by chance: " +
    "estimates of warm goodput (1.6 times, 95 %: 1.1–2.3) lie further apart than their intervals imply.";
  const wide =
    "Intervals are wider than needed, unless by chance, for CPU per answer (0.67 times, 95 %: 0.50–0.98).";
  assertEquals(describeBias([further]), noBias + narrow);
  assertEquals(describeBias([closer]), noBias + wide);
  assertEquals(describeBias([further, closer]), `${noBias}${narrow} ${wide}`);
});
