/** What a result says of bursts: many users at once, each with one request. */
import { z } from "zod";
import { problemSchema } from "./load_schema.ts";
import { bytes, count, instant, positiveCount, seconds, text } from "./values.ts";

export const burstStepPlanSchema = z.strictObject({
  users: positiveCount.describe("all at once, each with one request over a connection of its own"),
  delaySeconds: z.number().positive().describe("how long each asks the server to wait"),
});

export const burstPlanSchema = z.strictObject({
  steps: z.array(burstStepPlanSchema).min(1).describe("in the order of measuring"),
  rounds: positiveCount.describe("of each step, each with a fresh process"),
  warmUpRequests: count.describe("unmeasured requests to each process before its burst"),
  patienceSeconds: z.number().positive().describe(
    "how long a user waits from connecting to the answer",
  ),
  holdSeconds: z.number().positive().describe(
    "how long the null server makes all users of a step wait, to hold them at the same time",
  ),
});

/** The users of one burst. */
const burstFacts = {
  answered: count.describe("users with a right answer"),
  failures: z.record(text, count).describe(
    "users without one by kind: refused, reset, closed, never-connected, timed-out, status-503, …",
  ),
  wrong: z.record(text, count).describe(
    "users with a wrong answer by kind: early, wrong-body",
  ),
  problems: z.array(problemSchema).describe("the first wrong answer of each kind"),
  waitSeconds: z.strictObject({
    mean: seconds.describe("of answered users"),
    p50: seconds.optional().describe(
      "the wait within which half of all users were answered; absent where fewer were",
    ),
    p99: seconds.optional().describe("likewise, 99 of 100 users"),
    max: seconds.describe("of answered users"),
  }).optional().describe(
    "from connecting to the answer; absent where nobody was answered",
  ),
  peakConnected: count.describe("connections that users had open, the most at one time"),
};

const burstRoundSchema = z.strictObject({
  startedAt: instant,
  ...burstFacts,
  durationSeconds: seconds.describe("from the first connection to the last user's leaving"),
  dropped: z.strictObject({
    queueOverflows: count.describe(
      "handshakes that found an accept queue full, each attempt of a client counted",
    ),
    cookiesSent: count.describe(
      "handshakes that the kernel answered without keeping anything: their users believe that they are connected",
    ),
    cookiesFailed: count.describe("those that it could not accept later: their users are reset"),
  }).optional().describe(
    "what the kernel dropped meanwhile, on the whole system; absent where it does not report it",
  ),
  peakEstablished: count.optional().describe(
    "connections that the server's system had established, those that wait to be accepted included: the most seen from 2 s after the start on (in the oldest results, from the start on); read up to five times a second, more rarely where they are many; absent where none was seen, as in a shorter burst, and where the system does not report it",
  ),
  peakThreads: count.optional().describe("of the server; likewise"),
  peakMemoryBytes: bytes.optional().describe(
    "memory of the server's processes since their start, each at its peak: what processes shared after the burst is divided among them, where that may be read; likewise",
  ),
  generatorCpuSeconds: seconds.optional().describe("of the load generator; likewise"),
  generatorPeakMemoryBytes: bytes.optional().describe("resident memory of it; likewise"),
  harnessCpuSeconds: seconds.optional().describe("of the harness's own process; likewise"),
  log: z.strictObject({ lines: count.describe("logged by the server during the burst") }),
  ended: text.optional().describe("how the server's process ended during the burst; absent if not"),
  invalidBecause: z.array(text).min(1).optional().describe(
    "why this round makes its step invalid; absent where it does not",
  ),
  disturbed: text.optional().describe(
    "how the machine disturbed it in every attempt: figures leave it out; absent where an attempt was undisturbed",
  ),
  repeatedBecause: text.optional().describe(
    "how the machine disturbed the attempts before, which this one replaced (in older results, the last of them); absent where nothing was disturbed",
  ),
});

const heldSchema = z.strictObject({
  users: count.describe("answered"),
  peakOpen: count.describe("requests that it held, the most at one time"),
  lateMeanSeconds: seconds.optional().describe(
    "mean of how late its answers were, from connecting: what the load generator and the machine add to every wait; absent in the oldest results",
  ),
  lateP99Seconds: seconds.describe("99th percentile of it"),
  disturbed: text.optional().describe(
    "how the machine disturbed it: how late it was is not shown then; absent where it did not, and in results from before 26 November 2026",
  ),
  repeatedBecause: text.optional().describe(
    "why the first attempt did not count, which this one replaced; absent where it did",
  ),
});

export const burstEstimateSchema = z.strictObject({
  mean: z.number(),
  low: z.number().optional().describe(
    "lower end of the 95 % confidence interval over rounds (of users answered and failed, at least as wide as that of as many independent users, where it is computed anew)",
  ),
  high: z.number().optional().describe(
    "upper end; both absent with fewer than three rounds, and where all are the same (a result file has the ends that its harness computed; pages, api/ and CSV compute them anew from its rounds)",
  ),
});

const burstFiguresSchema = z.strictObject({
  answered: burstEstimateSchema,
  failedShare: burstEstimateSchema.describe("share of the users without a right answer"),
  meanSeconds: burstEstimateSchema.optional().describe(
    "mean wait of answered users; absent where a round has none",
  ),
  p99Seconds: burstEstimateSchema.optional().describe(
    "wait within which 99 of 100 users were answered; absent where fewer were in a round",
  ),
});

export const burstStepSchema = z.strictObject({
  ...burstStepPlanSchema.shape,
  leftOut: text.optional().describe("why this machine cannot have so many users; absent if it can"),
  nullServer: heldSchema.optional().describe(
    "what the null server did with as many users in the same job; absent where the step is left out",
  ),
  invalidBecause: text.optional().describe("why no round could count; absent where they can"),
  rounds: z.array(burstRoundSchema).describe("in the order of measuring"),
  figures: burstFiguresSchema.optional().describe(
    "over the rounds that the machine did not disturb; absent where a round is invalid, or where fewer than three rounds are undisturbed (of one or two: not all)",
  ),
}).meta({ id: "burstStep" });

export const burstsSchema = z.strictObject({
  steps: z.array(burstStepSchema).describe("in the order of measuring"),
  kernelSettings: z.record(text, text).optional().describe(
    "of the server's system, by the kernel's own names: how many connections may wait to be accepted, and how often the kernel tries again; absent where it does not report them",
  ),
});

export type BurstPlan = z.infer<typeof burstPlanSchema>;
export type BurstStepPlan = z.infer<typeof burstStepPlanSchema>;
export type BurstRound = z.infer<typeof burstRoundSchema>;
export type BurstStep = z.infer<typeof burstStepSchema>;
export type BurstFigures = z.infer<typeof burstFiguresSchema>;
export type BurstEstimate = z.infer<typeof burstEstimateSchema>;
export type Bursts = z.infer<typeof burstsSchema>;
export type Held = z.infer<typeof heldSchema>;
