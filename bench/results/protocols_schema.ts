/**
 * What a result holds besides its levels: the load generator's ceiling and what bounds each level, the rate sweep
 * (latency at fixed offered rates, protocol C), and startup.
 */
import { z } from "zod";
import { firstStageLoads } from "../statistics/mod.ts";
import { ratioSchema } from "./comparison_schema.ts";
import { loadFacts, machineUseSchema } from "./load_schema.ts";
import {
  bytes,
  count,
  latencySchema,
  percentilesSchema,
  perSecond,
  positiveCount,
  seconds,
  text,
} from "./values.ts";

export const ceilingPlanSchema = z.strictObject({
  loadSeconds: seconds.describe("length of one load"),
  mostLoads: z.number().int().min(firstStageLoads).describe(
    "loads at most; as many as needed for an interval of ± 5 %, fixed by the first five",
  ),
});

export const ceilingSchema = z.strictObject({
  connections: positiveCount,
  requests: positiveCount.describe("in all loads"),
  goodputPerSecond: perSecond.describe(
    "of the null server at this level, in the same job: the mean over loads",
  ),
  lowPerSecond: z.number().optional().describe(
    "lower end of its 95 % confidence interval; absent in earlier results, which had one load",
  ),
  highPerSecond: perSecond.optional().describe("upper end, likewise"),
  loads: positiveCount.optional().describe("likewise"),
  generatorCpuSecondsPerAnswer: seconds.optional().describe("earlier results only"),
});

export const frameSchema = z.strictObject({
  shareOfCeiling: z.number().nonnegative().describe(
    "goodput divided by the null server's at the same level, in the same job",
  ),
  isGeneratorBound: z.boolean().describe(
    "the load generator is the bottleneck, or may be by the interval of the ceiling; read goodput as “at least”",
  ),
  bottleneck: z.enum(["subject", "database", "pool", "generator", "undecided"]),
  because: text.describe("the figures that decided, as a sentence"),
});

export const rateSweepPlanSchema = z.strictObject({
  ratesPerSecond: z.array(positiveCount).min(1).describe(
    "offered rates, the same for every implementation",
  ),
  connections: positiveCount,
  secondsPerStep: seconds,
  warmUpRequests: count.describe("warm-up requests before the first step"),
  goal: z.strictObject({
    p99Seconds: seconds,
    failureShare: z.number().describe(
      "highest share of the due requests that may fail or stay unsent",
    ),
  }),
});

const rateStepSchema = z.strictObject({
  ratePerSecond: positiveCount.describe("offered"),
  durationSeconds: seconds,
  due: count.describe("requests due at this rate in this time"),
  ...loadFacts,
  unsent: count.describe("due, minus attempted"),
  log: loadFacts.log.optional().describe("likewise; absent in earlier results"),
  machine: machineUseSchema.optional().describe(
    "absent where the system does not report it, and in earlier results",
  ),
  latencySeconds: percentilesSchema.optional().describe(
    "latency from when each request was due: of correct answers, and of unanswered requests as at least their time-out; absent where there are no answers, without unanswered requests in earlier results",
  ),
  uncorrectedSeconds: percentilesSchema.optional().describe(
    "the same from when each request was sent, which hides stalls (coordinated omission)",
  ),
  latency: latencySchema.describe("from when each request was due"),
  holds: z.boolean().describe("meets the objective"),
  problem: text.optional().describe("why this step is invalid; holds is then false"),
  repeatedBecause: text.optional().describe(
    "why this rate was measured again; absent where it was not",
  ),
});

export const rateSweepSchema = z.strictObject({
  plan: rateSweepPlanSchema,
  steps: z.array(rateStepSchema).describe(
    "steps of the rate sweep, from the lowest rate up; it ends after two in a row that miss the objective",
  ),
  floor: z.array(z.strictObject({
    ratePerSecond: positiveCount,
    unsent: count,
    latencySeconds: percentilesSchema,
  })).describe(
    "the null server at the same rates: latency of the load generator and the machine themselves",
  ),
  sustainablePerSecond: perSecond.optional().describe(
    "highest sustainable rate: the highest step such that it and every lower one meet the objective; absent where none does, or a step is invalid",
  ),
});

const startupSideSchema = z.strictObject({
  seconds: z.array(seconds).min(1).describe("from spawning to the first correct answer, in order"),
  memoryBytes: z.array(bytes).describe("of its processes at that moment, in the same order"),
});

export const startupSchema = z.strictObject({
  tool: text,
  memorySource: z.enum(["pss", "rss"]),
  blocks: z.array(z.strictObject({ subject: startupSideSchema, control: startupSideSchema })).min(1)
    .describe(
      "in the order of measuring, the first side in turn; one start of each, in earlier results up to four",
    ),
  ratio: ratioSchema.optional().describe(
    "ratio of the times in each block, above 1 where the subject takes longer; omitted for fewer than three blocks",
  ),
  artefactBytes: bytes.optional().describe("size of the deployable artefact, where known"),
});

export type CeilingPlan = z.infer<typeof ceilingPlanSchema>;
export type Ceiling = z.infer<typeof ceilingSchema>;
export type Frame = z.infer<typeof frameSchema>;
export type RateSweepPlan = z.infer<typeof rateSweepPlanSchema>;
export type RateSweep = z.infer<typeof rateSweepSchema>;
export type RateStep = z.infer<typeof rateStepSchema>;
export type Startup = z.infer<typeof startupSchema>;
export type StartupSide = z.infer<typeof startupSideSchema>;
