/**
 * The files beside results: a comparison of any two (`.bench/comparisons/<id>.json`) and a measurement of the
 * harness's own noise (`.bench/noise/<id>.json`, published in `site/data/noise/`). Their ids are like those of runs.
 */
import { z } from "zod";
import { scenarioIds } from "../scenario/ids.ts";
import { databaseSchema, implIdSchema, implSchema, machineSchema } from "./environment_schema.ts";
import { runIdSchema, schemaVersion } from "./result_schema.ts";
import { comparedLevelSchema, comparisonPlanSchema, ratioSchema } from "./comparison_schema.ts";
import { count, instant, positiveCount, seconds, text } from "./values.ts";

const commit = z.string().regex(/^[0-9a-f]{40}$/);

const circumstances = {
  schemaVersion: z.literal(schemaVersion),
  id: runIdSchema,
  scenario: z.enum(scenarioIds),
  startedAt: instant,
  endedAt: instant,
  command: text.describe("repeats this measurement from the repository's root"),
  commit,
  dirty: z.boolean(),
  tools: z.record(text, text),
  machine: machineSchema,
  database: databaseSchema.optional().describe("absent where the scenario needs none"),
  seed: count,
  plan: comparisonPlanSchema,
};

const sideSchema = z.strictObject({
  id: text.describe("an implementation, or control"),
  commit: commit.describe("of its sources"),
});

export const comparisonFileSchema = z.strictObject({
  ...circumstances,
  subject: sideSchema,
  reference: sideSchema,
  levels: z.array(comparedLevelSchema).min(1),
});

const shareOf = z.number().min(0).max(1);

const noiseSchema = z.strictObject({
  comparisons: z.int().min(2).describe("those that yielded this ratio"),
  mean: z.strictObject({
    estimate: z.number().positive(),
    low: z.number().positive(),
    high: z.number().positive(),
  }).describe(
    "geometric mean of the ratios with its 95 % confidence interval: one without 1 is bias",
  ),
  standardDeviation: z.number().nonnegative().describe("of the natural logarithm of the ratios"),
  falseAlarms: z.strictObject({
    count: count.describe("comparisons whose interval does not contain 1"),
    share: shareOf,
    low: shareOf,
    high: shareOf,
  }).describe("the share with its 95 % confidence interval"),
  detectableDifference: z.number().nonnegative().describe(
    "the smallest difference, as a share, that one comparison detects with a power of 80 %",
  ),
});

const noisePlanSchema = z.strictObject({
  ...comparisonPlanSchema.shape,
  startupRuns: positiveCount.describe("starts of each side in a comparison"),
  p99AtRate: z.strictObject({
    ratePerSecond: positiveCount.describe("offered"),
    connections: positiveCount,
    seconds: seconds.describe("length of each load, of a warm process"),
    settleSeconds: seconds.optional().describe(
      "length of the first part of each load, in which connections are opened: answers to requests that were due in it do not count in p99; absent in earlier results, where they count",
    ),
    pairs: positiveCount.describe(
      "of loads in a comparison, one of each side; of the processes of as many rounds, after their other loads (in earlier results, of processes of their own)",
    ),
  }).describe("latency at a fixed rate"),
});

const pairSchema = z.strictObject({ subject: seconds, reference: seconds });

const noiseComparisonSchema = z.strictObject({
  ...comparedLevelSchema.shape,
  startup: ratioSchema.optional().describe(
    "ratio of startup times over blocks of a start of each side; absent in earlier results, and where the scenario has no startup",
  ),
  startupPairs: z.array(pairSchema).optional().describe(
    "startup of each side in each block, in the order of measuring; absent in earlier results, and where the scenario has no startup",
  ),
  p99AtRate: ratioSchema.optional().describe(
    "ratio of p99 at the rate of the plan, over pairs; omitted where fewer than three are valid, absent in earlier results",
  ),
  p99Pairs: z.array(pairSchema.extend({
    first: z.enum(["subject", "reference"]).optional().describe(
      "whose load came first, at random; absent in earlier results",
    ),
  })).optional().describe(
    "p99 of each load of the valid pairs, in the order of measuring; absent in earlier results",
  ),
});

export const noiseFileSchema = z.strictObject({
  ...circumstances,
  plan: noisePlanSchema,
  impl: implIdSchema.describe("compared with itself"),
  program: implSchema.optional().describe(
    "the implementation with its versions; absent of the control, and in measurements from before 27 November 2026",
  ),
  plannedComparisons: positiveCount.optional().describe(
    "fixed before the first; absent in earlier results",
  ),
  comparisons: z.array(noiseComparisonSchema).min(1).describe("in the order of measuring"),
  summary: z.strictObject({
    goodput: noiseSchema,
    cpuPerAnswer: noiseSchema.optional(),
    startup: noiseSchema.optional(),
    p99AtRate: noiseSchema.optional(),
  }).describe(
    "a figure is absent where fewer than two comparisons yielded its ratio",
  ),
});

export type ComparisonFile = z.infer<typeof comparisonFileSchema>;
export type NoisePlan = z.infer<typeof noisePlanSchema>;
export type NoiseComparison = z.infer<typeof noiseComparisonSchema>;
export type NoiseFile = z.infer<typeof noiseFileSchema>;
