/**
 * The one definition of what the site publishes for other programs, below `api/`: `index.json`, `latest.json` and
 * `runs/<run-id>.json`. Units are base units and stand in the key's name; what was not or could not be measured
 * is absent. Keys may be added; what is there keeps its name and its meaning as long as `schemaVersion` does.
 */
import { z } from "zod";
import { implClassSchema, implIdSchema, machineSchema } from "../../results/environment_schema.ts";
import { planSchema, resultSchema, runIdSchema, stageSchema } from "../../results/result_schema.ts";
import { ratioSchema } from "../../results/comparison_schema.ts";
import { frameSchema } from "../../results/protocols_schema.ts";
import {
  bytes,
  count,
  instant,
  percentilesSchema,
  perSecond,
  positiveCount,
  seconds,
  text,
} from "../../results/values.ts";
import { apiBurstSchema, apiDeliverySchema } from "./step_schema.ts";

/** Raised when a program that reads the published JSON could no longer do so, or would read it wrongly. */
export const apiVersion = 1;

const versionSchema = z.object({
  name: text,
  version: text.optional().describe("absent where it could not be read"),
});

const warmGoodputSchema = ratioSchema.omit({ method: true }).extend({
  estimate: perSecond.describe("correct answers per second"),
  low: perSecond,
  high: perSecond,
});

const qualifierSchema = z.enum(["at least", "at most"]);

const citedRatioSchema = ratioSchema.pick({
  estimate: true,
  low: true,
  high: true,
  confidence: true,
}).extend({
  runs: positiveCount.describe(
    "how many runs the interval is over; of a pair over the runs of each, those of the one with fewer, at least 2",
  ),
  machines: positiveCount.optional().describe(
    "how many machines measured in them; absent where it was one in each run, and of a pair over the runs of each",
  ),
  qualifier: qualifierSchema.optional().describe(
    "how to read it where the load generator limited one of the two in any of these runs",
  ),
});

export const coldSchema = z.object({
  missing: text.optional().describe(
    "why the cold load has no figures; absent where it has some",
  ),
  goodputPerSecond: perSecond.optional().describe(
    "cold goodput: correct answers per second of one load on a fresh process, warming up included; it has no interval",
  ),
  bottleneck: frameSchema.shape.bottleneck.optional().describe(
    "what bounds the cold load; absent where no ceiling was measured, and where the load is invalid",
  ),
  latencySeconds: percentilesSchema.optional().describe(
    "of the cold load, closed loop: of correct answers, and of unanswered requests as at least their time-out",
  ),
  attempted: count.optional().describe("requests of the cold load, answered or not"),
  failed: count.optional().describe("requests of the cold load that were not answered correctly"),
  cpuSecondsPerAnswer: seconds.optional().describe(
    "CPU seconds of the implementation for each correct answer of the cold load",
  ),
  peakMemoryBytes: bytes.optional().describe(
    "peak memory of the implementation in the cold load",
  ),
});

export const warmSchema = z.object({
  goodputPerSecond: warmGoodputSchema.optional().describe(
    "warm goodput: correct answers per second of warm processes, with the interval over the rounds of its run",
  ),
  controlGoodputPerSecond: warmGoodputSchema.optional().describe(
    "the control's warm goodput in the same rounds; at least that where the qualifier of the ratio is “at most”",
  ),
  ratio: ratioSchema.optional().describe(
    "warm goodput divided by the control's, from interleaved slices of load; the interval is over the rounds of its run, and for this ratio alone",
  ),
  qualifier: qualifierSchema.optional().describe(
    "how to read the ratio: the load generator limited the implementation (at least) or the control (at most); absent where it limited neither",
  ),
  overRuns: citedRatioSchema.optional().describe(
    "the long-run ratio over this run and the comparable ones before it, whose interval covers how far runs differ (pooled over the implementations of the level), or, of a single run, how far its machines do; absent with a single measurement",
  ),
  ratioMissing: text.optional().describe(
    "why there is no ratio; absent where there is one, and where none was planned",
  ),
  tieGroups: z.array(text).describe(
    "letters, by these results alone: two implementations of a class that share one at a level are tied; two that share none were found to differ if `pairs` has them, and were not compared otherwise; empty without a ratio",
  ),
});

export const coldStartSchema = z.object({
  share: z.number().positive().describe(
    "cold goodput as a share of warm goodput at the same connections",
  ),
  low: z.number().positive().describe(
    "lower end of its 95 % prediction interval: where the share of one more round of warm processes would lie, 19 times in 20",
  ),
  high: z.number().positive().describe("upper end of that interval"),
  secondsToSteady: seconds.optional().describe(
    "until the cold load reached 95 % of its steady state; absent where it reached none",
  ),
  requestsToSteady: count.optional().describe("correct answers until then"),
});

export const apiLevelSchema = z.object({
  connections: positiveCount,
  isGeneratorBound: z.boolean().optional().describe(
    "true: every goodput and ratio means “at least”; absent where no ceiling was measured",
  ),
  cold: coldSchema.describe(
    "one load on a fresh process after the warm-up requests of the plan (protocol A)",
  ),
  warm: warmSchema.describe("the comparison of warm processes with the control (protocol B)"),
  coldStart: coldStartSchema.optional().describe(
    "what the cold start costs; absent without both goodputs, and where the load generator limited them",
  ),
});

export const apiImplSchema = z.object({
  id: implIdSchema,
  name: text,
  language: text,
  class: implClassSchema.describe("only implementations of one class are compared"),
  status: resultSchema.shape.status,
  failure: z.object({ stage: stageSchema, message: text }).optional().describe(
    "present exactly where the status is failed",
  ),
  command: text.describe("repeats the measurement from the repository's root"),
  runId: runIdSchema.describe(
    "the run that this is from; in latest.json, an earlier one where it completes the current one",
  ),
  machine: z.object(machineSchema.pick({ cpuModel: true, cpuCount: true, idle: true }).shape)
    .describe(
      "goodput on different machines is not comparable; ratios differ between processors, too",
    ),
  control: text.optional().describe(
    "version of the control; ratios to different versions are not comparable; absent without it",
  ),
  runtime: versionSchema,
  framework: versionSchema,
  driver: versionSchema.optional().describe("absent where the scenario needs no database"),
  jwt: versionSchema.optional().describe("absent where the scenario needs no tokens"),
  client: versionSchema.optional().describe(
    "HTTP client; absent where the scenario needs no upstream",
  ),
  database: versionSchema.optional().describe(
    "absent where the run did not get that far, and where the scenario needs none",
  ),
  sustainablePerSecond: perSecond.optional().describe(
    "highest sustainable rate: it and every lower step meet the objective; the median over processes; of notifications where the scenario has deliveries",
  ),
  sustainableQualifier: z.enum(["at least"]).optional().describe(
    "present where the rate may be higher: it is the highest one offered or, of notifications, the next one up is invalid",
  ),
  sustainableMissing: text.optional().describe(
    "why there is no such rate; absent where there is one, and where none was measured",
  ),
  sustainableRange: z.object({ lowestPerSecond: perSecond, highestPerSecond: perSecond }).optional()
    .describe("of the processes, not an interval; absent with one process"),
  startupSeconds: seconds.optional().describe(
    "from spawning to the first correct answer, median over starts; it has no interval",
  ),
  startupRatio: ratioSchema.optional().describe(
    "that time divided by the control's, above 1 where it is longer; the interval is over the blocks of starts of its run",
  ),
  levels: z.array(apiLevelSchema).describe("planned or measured, in ascending order"),
  bursts: z.array(apiBurstSchema).optional().describe(
    "many users at once, each with one request, by delay and users; absent where the scenario has none",
  ),
  deliveries: z.array(apiDeliverySchema).optional().describe(
    "notifications at a rate, from the lowest up, one process each: no figure has an interval; absent where the scenario has none",
  ),
});

const verdictSchema = z.enum(["faster", "slower", "tied"]);
const hiddenBySchema = z.enum(["a", "b", "both"]).optional();

const apiPairSchema = z.object({
  connections: positiveCount,
  a: implIdSchema,
  b: implIdSchema,
  ratio: citedRatioSchema.omit({ runs: true }).describe(
    "a's warm goodput divided by b's; the interval is over rounds, and does not cover how far runs differ; in latest.json, the two may be of different runs, so read overRuns where it is present; the intervals of all pairs of a class at a level, on one kind of machine, hold simultaneously with 95 %; `confidence` is that of each alone",
  ),
  verdict: verdictSchema.describe(
    "of a, compared with b; also tied where the load generator bounds the slower one",
  ),
  qualifier: qualifierSchema.optional().describe(
    "how to read the ratio where the load generator bounds one of the two",
  ),
  hiddenBy: hiddenBySchema.describe(
    "which of the two the load generator bounds, so that they are tied; absent where the interval decides",
  ),
  overRuns: citedRatioSchema.extend({ verdict: verdictSchema, hiddenBy: hiddenBySchema }).optional()
    .describe(
      "in latest.json: ratio and verdict as the pages show them, over the comparable runs that have both, or else over those of each; the interval covers how far runs differ, or, of a single run, how far its machines do; absent where nothing tells of either",
    ),
});

export const apiRunSummarySchema = z.object({
  id: runIdSchema.describe(
    "its page is runs/<id>/, its data api/runs/<id>.json; in latest.json, the newest of the runs that it is from",
  ),
  startedAt: instant,
  scenario: text,
  profile: planSchema.shape.profile,
  machine: text.describe("its kind, in words"),
  commit: z.string(),
  reproduces: text.optional().describe(
    "the article whose levels, requests and pool the run has; such a run is in no ranking; absent where the run reproduces none",
  ),
  marks: z.array(text).describe("reasons why the run is provisional; empty where it is not"),
  impls: z.array(
    apiImplSchema.pick({ id: true, name: true, class: true, status: true }),
  ).describe("in alphabetical order of ids"),
});

export const apiRunSchema = z.object({
  schemaVersion: z.literal(apiVersion),
  ...apiRunSummarySchema.shape,
  impls: z.array(apiImplSchema).describe("in alphabetical order of ids"),
  pairs: z.array(apiPairSchema).optional().describe(
    "all pairs of a class, by level in ascending order; absent in latest.json where that is one run, and no pair is over several",
  ),
});

export const apiIndexSchema = z.object({
  schemaVersion: z.literal(apiVersion),
  latest: runIdSchema.optional().describe(
    "the run of latest.json and of the home page, of the default scenario; absent without one",
  ),
  scenarios: z.array(z.object({ scenario: text, latest: runIdSchema })).describe(
    "the current run of each scenario; of others than the default one in <scenario>/latest.json",
  ),
  runs: z.array(apiRunSummarySchema).describe("newest first"),
});

export type ApiIndex = z.infer<typeof apiIndexSchema>;
export type ApiRun = z.infer<typeof apiRunSchema>;
export type ApiImpl = ApiRun["impls"][number];
export type ApiBurst = NonNullable<ApiImpl["bursts"]>[number];
export type ApiDelivery = NonNullable<ApiImpl["deliveries"]>[number];
export type ApiLevel = ApiImpl["levels"][number];
