/**
 * The one definition of what the site publishes for other programs, below `api/`: `index.json`, `latest.json` and
 * `runs/<run-id>.json`. Units are base units and stand in the key's name; what was not or could not be measured
 * is absent. Keys may be added; what is there keeps its name and its meaning as long as `schemaVersion` does.
 */
import { z } from "zod";
import {
  implClassSchema,
  implIdSchema,
  planSchema,
  runIdSchema,
  stageSchema,
} from "../../results/result_schema.ts";
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

/** Raised when a program that reads the published JSON could no longer do so, or would read it wrongly. */
export const apiVersion = 1;

const versionSchema = z.object({
  name: text,
  version: text.optional().describe("absent where it could not be read"),
});

const apiLevelSchema = z.object({
  connections: positiveCount,
  missing: text.optional().describe(
    "why the load has no figures; absent where it has some",
  ),
  goodputPerSecond: perSecond.optional().describe(
    "throughput of correct answers in one load, warm-up included: it has no interval",
  ),
  isGeneratorBound: z.boolean().optional().describe(
    "read goodput and ratio as “at least”; absent where no ceiling was measured",
  ),
  bottleneck: frameSchema.shape.bottleneck.optional().describe("what bounds the level, likewise"),
  latencySeconds: percentilesSchema.optional().describe(
    "of correct answers, closed loop",
  ),
  attempted: count.optional().describe("requests of the load"),
  failed: count.optional().describe("requests that were not answered correctly"),
  cpuSecondsPerAnswer: seconds.optional().describe(
    "CPU seconds of the implementation for each correct answer",
  ),
  peakMemoryBytes: bytes.optional().describe("of the implementation"),
  ratio: ratioSchema.optional().describe(
    "goodput divided by the control's, from interleaved slices of load; the interval is for this ratio alone",
  ),
  ratioMissing: text.optional().describe(
    "why there is no ratio; absent where there is one, and where none was planned",
  ),
  tieGroups: z.array(text).describe(
    "letters: two implementations of a class that share one at a level are tied; empty without a ratio",
  ),
});

const apiImplSchema = z.object({
  id: implIdSchema,
  name: text,
  language: text,
  class: implClassSchema.describe("only implementations of one class are compared"),
  status: z.enum(["complete", "incomplete", "failed"]),
  failure: z.object({ stage: stageSchema, message: text }).optional().describe(
    "present exactly where the status is failed",
  ),
  command: text.describe("repeats the measurement from the repository's root"),
  machine: z.object({ cpuModel: text, cpuCount: positiveCount }).describe(
    "goodput on different machines is not comparable, ratios are",
  ),
  control: text.optional().describe(
    "version of the control; ratios to different versions are not comparable; absent without it",
  ),
  runtime: versionSchema,
  framework: versionSchema,
  driver: versionSchema.optional().describe("absent where the scenario needs no database"),
  jwt: versionSchema.optional().describe("absent where the scenario needs no tokens"),
  database: versionSchema.optional().describe(
    "absent where the run did not get that far, and where the scenario needs none",
  ),
  capacityPerSecond: perSecond.optional().describe(
    "highest sustainable rate: it and every lower step meet the objective",
  ),
  startupSeconds: seconds.optional().describe(
    "from spawning to the first correct answer, median over starts",
  ),
  levels: z.array(apiLevelSchema).describe("planned or measured, in ascending order"),
});

const apiPairSchema = z.object({
  connections: positiveCount,
  a: implIdSchema,
  b: implIdSchema,
  ratio: ratioSchema.describe(
    "a's goodput divided by b's; the intervals of all pairs of a level hold simultaneously",
  ),
  verdict: z.enum(["faster", "slower", "tied"]).describe(
    "of a, compared with b; also tied where the load generator bounds the slower one",
  ),
  qualifier: z.enum(["at least", "at most"]).optional().describe(
    "how to read the ratio where the load generator bounds one of the two",
  ),
  hiddenBy: z.enum(["a", "b", "both"]).optional().describe(
    "which of the two the load generator bounds, so that they are tied; absent where the interval decides",
  ),
});

const apiRunSummarySchema = z.object({
  id: runIdSchema.describe("its page is runs/<id>/, its data api/runs/<id>.json"),
  startedAt: instant,
  scenario: text,
  profile: planSchema.shape.profile,
  machine: text.describe("processor, and how many"),
  commit: z.string(),
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
    "all pairs of a class, by level in ascending order; absent in latest.json",
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
export type ApiLevel = ApiImpl["levels"][number];
