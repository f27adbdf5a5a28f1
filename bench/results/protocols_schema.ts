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
  lowPerSecond: z.number().describe("lower end of its 95 % confidence interval"),
  highPerSecond: perSecond.describe("upper end of it"),
  loads: positiveCount.describe("how many there were"),
  perLoadPerSecond: z.array(perSecond).optional().describe(
    "goodput of each load, in order; the interval is by the first five; absent from results up to 27 November 2026",
  ),
  machine: machineUseSchema.optional().describe(
    "from the first load to the last; absent where the system does not report it, and in earlier results",
  ),
  repeatedBecause: text.optional().describe(
    "how the machine disturbed loads that these replaced; absent where they replaced none",
  ),
});

export const frameSchema = z.strictObject({
  shareOfCeiling: z.number().nonnegative().describe(
    "cold goodput of the level divided by the null server's, in the same job; above 1 where the null server's short loads show less than the load generator can do",
  ),
  isGeneratorBound: z.boolean().describe(
    "by the null server, the load generator is the bottleneck of the cold load, or may be by the interval of the ceiling; goodput then reads “at least”, unless what the load generator delivered to the control shows that it can do more",
  ),
  bottleneck: z.enum(["subject", "database", "upstream", "pool", "generator", "undecided"]),
  because: text.describe("the figures that decided, as a sentence"),
});

export const upstreamLimitSchema = z.strictObject({
  callsPerSecond: count.describe(
    "the highest of the offered rates, which double, and around the limit are at most 15 % apart, at which p99 is at most 5 ms later than near idle; in earlier results, they only double",
  ),
  openCalls: count.optional().describe(
    "likewise, the highest number of calls in progress of 100 ms each; only in earlier results",
  ),
});

export const rateSweepPlanSchema = z.strictObject({
  ratesPerSecond: z.array(positiveCount).min(1).describe(
    "offered rates, the same for every implementation",
  ),
  stepRatio: z.number().gt(1).optional().describe(
    "around the limit of a process, rates between these are offered so that neighbours have at most this ratio; absent where none are",
  ),
  processes: positiveCount.describe(
    "fresh processes, each of which goes through the sweep by itself",
  ),
  connections: positiveCount.describe(
    "at most; at rates below ten times this number, a tenth of the rate",
  ),
  secondsPerStep: seconds,
  settleSeconds: seconds.optional().describe(
    "length of the first part of a step, in which connections are opened: answers to requests that were due in it do not count in latency, but in everything else; absent in earlier plans, where they count",
  ),
  warmUpRequests: count.describe("warm-up requests to each process before its first step"),
  mostSecondsToQuiet: seconds.optional().describe(
    "how long a just-in-time compiler may take to become quiet, besides these requests; absent where the warm-up is fixed",
  ),
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
  machine: machineUseSchema.optional().describe(
    "absent where the system does not report it",
  ),
  latencySeconds: percentilesSchema.optional().describe(
    "latency from when each request was due: of correct answers to requests due after the plan's settleSeconds, and of all unanswered requests as at least their time-out; absent where there are no such answers",
  ),
  uncorrectedSeconds: percentilesSchema.optional().describe(
    "the same from when each request was sent, which hides stalls (coordinated omission)",
  ),
  settlingSeconds: percentilesSchema.optional().describe(
    "latency from when each request was due, of correct answers to requests due in the plan's settleSeconds; absent where there are none, and in earlier plans",
  ),
  latency: latencySchema.describe(
    "from when each request was due, of those due after the plan's settleSeconds",
  ),
  cpuSecondsPerAnswer: seconds.optional().describe(
    "CPU time of the server for each correct answer; absent where it was not measured",
  ),
  holds: z.boolean().describe("meets the objective"),
  problem: text.optional().describe("why this step is invalid; holds is then false"),
  repeatedBecause: text.optional().describe(
    "why this rate was measured again; absent where it was not",
  ),
});

const sweptProcessSchema = z.strictObject({
  steps: z.array(rateStepSchema).describe(
    "from the lowest rate up; those around the limit were offered last; none where the process was not warm, or ended",
  ),
  sustainablePerSecond: perSecond.optional().describe(
    "the highest step such that it and every lower one meet the objective; absent where none does, or a step is invalid",
  ),
  problem: text.optional().describe("why the sweep of this process is invalid"),
  repeatedBecause: text.optional().describe(
    "why the sweep of another process, which this one replaced, was invalid; absent where it replaced none",
  ),
});

export const rateSweepSchema = z.strictObject({
  plan: rateSweepPlanSchema,
  processes: z.array(sweptProcessSchema).min(1).describe("in the order of measuring"),
  floor: z.array(z.strictObject({
    ratePerSecond: positiveCount,
    unsent: count,
    latencySeconds: percentilesSchema,
  })).describe(
    "the null server at the same rates: latency of the load generator and the machine themselves",
  ),
  sustainablePerSecond: perSecond.optional().describe(
    "highest sustainable rate: the median over processes, where one that sustains no rate counts as 0; absent where that is 0, or the sweep of a process is invalid",
  ),
  range: z.strictObject({ lowestPerSecond: perSecond, highestPerSecond: perSecond }).optional()
    .describe("of the processes, not an interval; absent with one process, or an invalid one"),
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
      "in the order of measuring, one start of each; which side starts first is random (until 29 November 2026, sides took turns)",
    ),
  ratio: ratioSchema.optional().describe(
    "ratio of the times in each block, above 1 where the subject takes longer; omitted for fewer than three blocks",
  ),
  artefactBytes: bytes.optional().describe("size of the deployable artefact, where known"),
});

export type UpstreamLimit = z.infer<typeof upstreamLimitSchema>;
export type CeilingPlan = z.infer<typeof ceilingPlanSchema>;
export type Ceiling = z.infer<typeof ceilingSchema>;
export type Frame = z.infer<typeof frameSchema>;
export type RateSweepPlan = z.infer<typeof rateSweepPlanSchema>;
export type RateSweep = z.infer<typeof rateSweepSchema>;
export type SweptProcess = z.infer<typeof sweptProcessSchema>;
export type RateStep = z.infer<typeof rateStepSchema>;
export type Startup = z.infer<typeof startupSchema>;
export type StartupSide = z.infer<typeof startupSideSchema>;
