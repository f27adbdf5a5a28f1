/**
 * What the protocols beside the mandated one add to a result: its frame (the ceiling of the load generator and
 * what bounds a level), latency at a fixed rate (protocol C), and startup.
 */
import { z } from "zod";
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

export const ceilingSchema = z.strictObject({
  connections: positiveCount,
  requests: positiveCount,
  goodputPerSecond: perSecond.describe("of the null server, at this level, in the same job"),
  generatorCpuSecondsPerAnswer: seconds.optional(),
});

export const frameSchema = z.strictObject({
  shareOfCeiling: z.number().nonnegative().describe(
    "goodput over that of the null server, same level, same job",
  ),
  isGeneratorBound: z.boolean().describe("goodput is then to be read as: at least"),
  bottleneck: z.enum(["subject", "database", "pool", "generator", "undecided"]),
  because: text.describe("the figures that the rule looked at, in a sentence"),
});

export const ladderPlanSchema = z.strictObject({
  ratesPerSecond: z.array(positiveCount).min(1).describe("offered; the same for all"),
  connections: positiveCount,
  secondsPerRung: seconds,
  preWarmRequests: count.describe("answered before the first rung"),
  goal: z.strictObject({
    p99Seconds: seconds,
    failureShare: z.number().describe("of the requests that were due: failed or unsent"),
  }),
});

const rungSchema = z.strictObject({
  ratePerSecond: positiveCount.describe("offered"),
  durationSeconds: seconds,
  due: count.describe("requests that the rate asks for in this time"),
  attempted: count.describe("that were sent, answered or not"),
  unsent: count.describe("due, less attempted"),
  correct: count,
  failures: z.record(z.string(), count).describe("by class, as at a level"),
  latencySeconds: percentilesSchema.optional().describe(
    "of correct answers, from the moment when each was due; absent where there are none",
  ),
  uncorrectedSeconds: percentilesSchema.optional().describe(
    "the same from the moment of sending: what a stall hides in",
  ),
  latency: latencySchema.describe("from the moment when each was due"),
  holds: z.boolean().describe("meets the goal"),
  problem: text.optional().describe("why this rung is invalid; it then does not hold"),
  repeatedBecause: text.optional().describe(
    "why this is the second load at this rate; absent where it is the first",
  ),
});

export const ladderSchema = z.strictObject({
  plan: ladderPlanSchema,
  rungs: z.array(rungSchema).describe(
    "from the lowest rate up; those above two that did not hold are left out",
  ),
  floor: z.array(z.strictObject({
    ratePerSecond: positiveCount,
    unsent: count,
    latencySeconds: percentilesSchema,
  })).describe("the null server at the same rates: what generator and machine take themselves"),
  capacityPerSecond: perSecond.optional().describe(
    "the highest rate of which it, and every lower one, held the goal; absent where none did, or a rung is invalid",
  ),
});

const startupSideSchema = z.strictObject({
  seconds: z.array(seconds).describe("from spawning to the first correct answer, in order"),
  memoryBytes: z.array(bytes).describe("of its processes at that moment, likewise"),
});

export const startupSchema = z.strictObject({
  runs: positiveCount,
  tool: text,
  memorySource: z.enum(["pss", "rss"]),
  subject: startupSideSchema,
  control: startupSideSchema,
  artefactBytes: bytes.optional().describe("of what the build made to be deployed, where known"),
});

export type Ceiling = z.infer<typeof ceilingSchema>;
export type Frame = z.infer<typeof frameSchema>;
export type LadderPlan = z.infer<typeof ladderPlanSchema>;
export type Ladder = z.infer<typeof ladderSchema>;
export type Rung = z.infer<typeof rungSchema>;
export type Startup = z.infer<typeof startupSchema>;
