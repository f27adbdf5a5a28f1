/**
 * What a comparison holds (protocol B): rounds of two fresh processes under interleaved slices of load, one
 * log-ratio for each round, and what follows from them. Part of a result, where the reference is the
 * control; a file of its own, where two implementations or two commits are compared.
 */
import { z } from "zod";
import { count, instant, perSecond, positiveCount, seconds } from "./values.ts";

export const comparisonPlanSchema = z.strictObject({
  budgetSeconds: seconds.describe(
    "no round begins after so long; a round has a fresh process of either side",
  ),
  minRounds: positiveCount.describe("whatever time they take"),
  levels: z.array(positiveCount).min(1).describe("open connections"),
  loads: positiveCount.describe(
    "at each level of a round, each with connections of its own: how requests fall into step lasts as long as they do",
  ),
  slices: positiveCount.describe("of each side in each load; in ABBA order"),
  sliceSeconds: seconds.describe("length of one slice of load"),
  settleSeconds: seconds.describe("of each slice, from its beginning: not counted"),
  preWarmRequests: count.describe(
    "answered by each fresh process before the first slice, or the least of them where there is a most",
  ),
  preWarmMostRequests: count.optional().describe(
    "so many were sent to a throwaway process, to find out how many make a side warm; absent where every process answers just the least",
  ),
});

const sideSchema = z.strictObject({
  correct: count.describe("correct answers in the counted part of its slices"),
  failed: count.describe("wrong and missing answers in its whole load"),
  seconds: seconds.describe("length of the counted part of its slices"),
  perSlice: z.array(count).describe("correct answers in the counted part of each slice"),
  cpuSecondsPerAnswer: seconds.optional().describe(
    "of the process, for each correct answer of its whole load",
  ),
});

const roundSchema = z.strictObject({
  startedAt: instant,
  order: z.string().regex(/^[sr]+( [sr]+)*$/).describe(
    "of the slices of each load: s for the subject, r for the reference",
  ),
  warmUpRequests: z.strictObject({ subject: count, reference: count }).optional().describe(
    "that each process answered before the first slice, the same in every round; absent where the plan says how many",
  ),
  subject: sideSchema,
  reference: sideSchema,
});

export const ratioSchema = z.strictObject({
  estimate: z.number().positive().describe("subject over reference"),
  low: z.number().positive(),
  high: z.number().positive(),
  confidence: z.number().describe(
    "that the method reaches: nominal for t; exact for ranks, on symmetric noise",
  ),
  method: z.enum(["t", "hodges-lehmann"]),
  rounds: positiveCount,
});

export const comparedLevelSchema = z.strictObject({
  connections: positiveCount,
  rounds: z.array(roundSchema).min(1).describe("in the order of measuring"),
  goodput: ratioSchema.optional().describe(
    "of goodput; absent with fewer than three rounds, and where it is invalid",
  ),
  cpuPerAnswer: ratioSchema.optional().describe("of CPU time per correct answer, likewise"),
  goodputPerSecond: z.strictObject({ subject: perSecond, reference: perSecond }).optional()
    .describe("median of the rounds, while each has the machine to itself and is warm"),
  problem: z.string().min(1).optional().describe("why no number may be published"),
});

export const comparisonSchema = z.strictObject({
  plan: comparisonPlanSchema,
  levels: z.array(comparedLevelSchema),
});

export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;
export type Comparison = z.infer<typeof comparisonSchema>;
export type ComparedLevel = z.infer<typeof comparedLevelSchema>;
export type ComparedRound = z.infer<typeof roundSchema>;
export type ComparedSide = z.infer<typeof sideSchema>;

/** Returns a side's correct answers per second of its own slices. */
export function goodputOf({ correct, seconds }: ComparedSide): number {
  return correct / seconds;
}
