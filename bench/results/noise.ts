/**
 * The summary of a noise file: what comparisons of a program with itself say of each figure that the site publishes
 * as a ratio.
 */
import { formatInteger } from "../lib/format_integer.ts";
import {
  detectableWithin,
  mean,
  type Noise,
  noiseOf,
  type RatioInterval,
  scatterOf,
  shareInterval,
  verdict,
} from "../statistics/mod.ts";
import { sumOf } from "../lib/sum.ts";
import type { NoiseComparison, NoiseFile } from "./files_schema.ts";
import { isOfToday } from "./profiles.ts";
import { intervalText, list, ratioTexts } from "./words.ts";

/** A figure with its noise, and how a person calls it. */
export interface NamedNoise extends Noise {
  name: string;
  /** Whether it would be measured in the same way today. */
  isOfToday: boolean;
  /** Ends of the 95 % confidence interval of the detectable difference. */
  detectableWithin: { low: number; high: number };
  /** Share of the comparisons whose own interval would exclude 1, if the ratio were higher, or lower, by the detectable difference. */
  seenShare: number;
  /** How far apart the estimates lie, divided by what their intervals imply, with its 95 % confidence interval. */
  scatter: Noise["mean"];
}

/**
 * Returns the noise of each figure; undefined where fewer than two comparisons yielded a ratio of goodput. Another figure
 * with fewer than two is absent.
 */
export function summariseNoise(
  comparisons: readonly NoiseComparison[],
): NoiseFile["summary"] | undefined {
  const noiseIn = (figure: keyof NoiseFile["summary"]) => noiseOf(ratiosOf(comparisons, figure));
  const goodput = noiseIn("goodput");
  return goodput && {
    goodput,
    cpuPerAnswer: noiseIn("cpuPerAnswer"),
    startup: noiseIn("startup"),
    p99AtRate: noiseIn("p99AtRate"),
  };
}

function ratiosOf(comparisons: readonly NoiseComparison[], figure: keyof NoiseFile["summary"]) {
  return comparisons.flatMap((comparison) => comparison[figure] ?? []);
}

/** Returns the figures of a summary in the order in which people read them, with their names. */
export function namedNoises(
  { summary, plan, comparisons }: Pick<NoiseFile, "summary" | "plan" | "comparisons">,
): NamedNoise[] {
  const rate = formatInteger(plan.p99AtRate.ratePerSecond);
  const named = (name: string, figure: keyof NoiseFile["summary"]): NamedNoise[] => {
    const noise = summary[figure];
    return noise === undefined ? [] : [{
      name,
      isOfToday: isOfToday(plan, figure),
      ...noise,
      detectableWithin: detectableWithin(noise.detectableDifference, noise.comparisons),
      seenShare: seenShareOf(ratiosOf(comparisons, figure), noise.detectableDifference),
      scatter: scatterOf(ratiosOf(comparisons, figure)),
    }];
  };
  return [
    ...named("warm goodput", "goodput"),
    ...named("CPU per answer", "cpuPerAnswer"),
    ...named("startup", "startup"),
    ...named(`p99 at ${rate} requests/s`, "p99AtRate"),
  ];
}

/**
 * Returns the share of intervals of a program with itself that would exclude 1, if its ratio were multiplied or divided by
 * 1 + `difference`. A smallest difference goes by how far estimates lie apart; what is seen, by each interval's own width.
 */
export function seenShareOf(
  ratios: readonly Pick<RatioInterval, "low" | "high">[],
  difference: number,
): number {
  return mean(
    ratios.flatMap(({ low, high }) =>
      [1 / low, high].map((needed) => 1 + difference > needed ? 1 : 0)
    ),
  );
}

/** The false alarms of a figure over several measurements of noise. */
export interface PooledAlarms {
  name: string;
  count: number;
  /** How many comparisons have this figure. */
  comparisons: number;
  /** The 95 % confidence interval of their share. */
  low: number;
  high: number;
}

/** Adds up the false alarms of each figure over several measurements of noise; one alone seldom has enough to tell. */
export function poolFalseAlarms(
  noises: readonly Pick<NamedNoise, "name" | "comparisons" | "falseAlarms">[],
): PooledAlarms[] {
  return [...Map.groupBy(noises, ({ name }) => name)].map(([name, those]) => {
    const count = sumOf(those, ({ falseAlarms }) => falseAlarms.count);
    const comparisons = sumOf(those, (noise) => noise.comparisons);
    return { name, count, comparisons, ...shareInterval(count, comparisons) };
  });
}

/**
 * Says of which figures the interval of the mean holds 1, and of which it does not: those are biased; and of which the
 * interval of the share of false alarms excludes one in twenty, or that of the scatter 1: those have intervals too narrow, or
 * wider than needed, or bad luck.
 */
export function describeBias(noises: readonly NamedNoise[]): string {
  const alarming = noises.filter(({ falseAlarms }) => falseAlarms.low > 0.05)
    .map(({ name, falseAlarms, comparisons }) =>
      `${name} (${falseAlarms.count} of ${comparisons})`
    );
  return describeMeans(noises) +
    (alarming.length === 0
      ? ""
      : ` More false alarms than one in twenty: ${
        list(alarming)
      }. An interval that barely excludes 1 tells little.`) +
    describeScatter(noises);
}

function describeScatter(noises: readonly NamedNoise[]): string {
  const named = (those: readonly NamedNoise[]) =>
    list(
      those.map(({ name, scatter }) =>
        `${name} (${ratioTexts(scatter).estimate} times, ${intervalText(scatter)})`
      ),
    );
  const narrow = noises.filter(({ scatter }) => scatter.low > 1);
  const wide = noises.filter(({ scatter }) => scatter.high < 1);
  if (narrow.length + wide.length === 0) {
    return " The interval of each scatter contains 1: no intervals were found too narrow, or wider than needed.";
  }
  return (narrow.length === 0
    ? ""
    : ` Intervals are too narrow, unless by chance: estimates of ${
      named(narrow)
    } lie further apart than their intervals imply.`) +
    (wide.length === 0
      ? ""
      : ` Intervals are wider than needed, unless by chance, for ${named(wide)}.`);
}

function describeMeans(noises: readonly NamedNoise[]): string {
  const biased = noises.filter(({ mean }) => verdict(mean) !== "tied");
  if (biased.length === 0) return "The interval of each mean contains 1: no bias was found.";
  const others = noises.filter((noise) => !biased.includes(noise)).map(({ name }) => name);
  const means = biased.map(({ name, mean }) =>
    `${name} (${ratioTexts(mean).estimate}, ${intervalText(mean)})`
  );
  const chance = Math.round(100 * (1 - 0.95 ** noises.length));
  return `Biased, unless by chance, because the interval of the mean does not contain 1: ${
    list(means)
  }.` +
    (others.length === 0 ? "" : ` It contains 1 for ${list(others)}.`) +
    (noises.length === 1
      ? ""
      : ` Without any bias, at least one of ${noises.length} independent intervals misses 1 in ${chance} % of the cases.`);
}
