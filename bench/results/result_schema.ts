/**
 * The definition of a result: a file in `.bench/runs/<run-id>/` or `site/data/runs/<run-id>/`, one per implementation
 * and run. Units are base units, and keys include them; a figure that was not or could not be measured is omitted,
 * never zero. Parsing is strict: an unknown key is an error.
 */
import { z } from "zod";
import { scenarioIds } from "../scenario/ids.ts";
import { loadFacts, type Problem, problemSchema } from "./load_schema.ts";
import { resourcesSchema } from "./resources_schema.ts";
import {
  databaseSchema,
  implSchema,
  machineSchema,
  provenanceSchema,
} from "./environment_schema.ts";
import { burstPlanSchema, burstsSchema, burstStepSchema } from "./burst_schema.ts";
import { deliveriesSchema, deliveryPlanSchema, deliveryStepSchema } from "./deliveries_schema.ts";
import { comparisonPlanSchema, comparisonSchema } from "./comparison_schema.ts";
import {
  ceilingPlanSchema,
  ceilingSchema,
  frameSchema,
  rateSweepPlanSchema,
  rateSweepSchema,
  startupSchema,
  upstreamLimitSchema,
} from "./protocols_schema.ts";
import {
  count,
  instant,
  latencySchema,
  percentilesSchema,
  perSecond,
  positiveCount,
  seconds,
  text,
} from "./values.ts";

/** Incremented when earlier files can no longer be read, or would be misread. */
export const schemaVersion = 1;

const expectedRunId = "expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4";

export const runIdSchema = z.string()
  .regex(/^\d{8}T\d{6}Z-[0-9a-f]{7}$/, { error: expectedRunId, abort: true })
  .refine((id) => !Number.isNaN(startOfRun(id).getTime()), expectedRunId);

/** Returns when a run with that id started; an invalid date where there is no such time. */
export function startOfRun(runId: string): Date {
  const [, date, hour, minute, second] = /^(.{8})T(..)(..)(..)Z/.exec(runId) ?? [];
  const day = date?.replace(/^(....)(..)(..)$/, "$1-$2-$3");
  return new Date(`${day}T${hour}:${minute}:${second}Z`);
}

export const stageSchema = z.enum([
  "discover",
  "build",
  "start",
  "verify",
  "measure",
  "compare",
  "rate-sweep",
  "startup",
  "bursts",
  "deliveries",
]);

export const planSchema = z.strictObject({
  profile: z.enum(["smoke", "quick", "full", "custom"])
    .describe("custom: a count differs from the profile's"),
  levels: z.array(positiveCount).describe(
    "open connections of the load generator, in the order of measuring; none where the scenario has no levels",
  ),
  requests: positiveCount.describe("measured requests at each level"),
  warmUpRequests: count.describe("unmeasured warm-up requests before them"),
  poolMax: positiveCount.describe("DB_POOL_MAX: database connections in total"),
  reproduces: text.optional().describe(
    "id of the article whose settings the run uses: it is in no ranking, history, comparison or claim; absent in every other run",
  ),
  seed: count.describe(
    "random seed for every shuffled order; until 29 November 2026, for the requests and the rows that change, too",
  ),
  ceiling: ceilingPlanSchema.optional().describe(
    "loads of the null server at each level; absent where its ceiling is not measured",
  ),
  comparison: comparisonPlanSchema.optional().describe("absent where it is not measured"),
  rateSweep: rateSweepPlanSchema.optional().describe("likewise"),
  startupRuns: positiveCount.optional().describe(
    "starts of each side, each of a fresh process with its files in the page cache; absent where they are not measured",
  ),
  durable: z.strictObject({
    connections: positiveCount,
    requests: positiveCount,
  }).optional().describe(
    "one more load, while every commit waits for the disk; absent where it is not measured",
  ),
  bursts: burstPlanSchema.optional().describe("absent where they are not measured"),
  deliveries: deliveryPlanSchema.optional().describe("likewise"),
});

const observationSchema = z.strictObject({
  ...loadFacts,
  durationSeconds: seconds.describe("from the first request to the last answer"),
  series: z.strictObject({
    intervalSeconds: seconds,
    correct: z.array(count).describe("correct answers in each interval, by when they ended"),
    failed: z.array(count).describe(
      "other answers in each interval; unanswered requests are in none",
    ),
  }),
  latency: latencySchema,
  resources: resourcesSchema.optional()
    .describe("absent where the system does not report it, and for loads under one second"),
});

const figuresSchema = z.strictObject({
  goodputPerSecond: perSecond.describe(
    "cold goodput (protocol A): correct answers per second of the whole load on a fresh process, which may still be warming up after its warm-up requests; the comparison has warm goodput",
  ),
  latencySeconds: percentilesSchema.describe(
    "in a closed loop: of correct answers, and of unanswered requests as at least their time-out",
  ),
  firstSecondPerSecond: perSecond.optional().describe(
    "cold goodput in the first second; absent for shorter loads",
  ),
  steadyPerSecond: perSecond.optional().describe(
    "goodput in the steady state; absent for loads under 2 s, and where none was reached",
  ),
  secondsToSteady: seconds.optional().describe(
    "until goodput reached 95 % of the steady state",
  ),
  requestsToSteady: count.optional().describe("correct answers until then"),
  silence: z.strictObject({
    intervals: count.describe("intervals of the series without an answer, right or wrong"),
    longestSeconds: seconds.describe("the longest stretch of them"),
  }).describe("times without any answer"),
});

const reasonCodeSchema = z.enum([
  "wrong-answer",
  "failures",
  "unattempted",
  "reconnects",
  "query-count",
  "no-prepared-statements",
  "statement-text",
  "row-locks",
  "pool-exceeded",
  "upstream-calls",
  "upstream-connections",
  "upstream-faults",
  "upstream-limit",
  "request-log",
  "left-group",
  "scheduling",
  "latency-gap",
  "silence",
  "foreign-load",
  "steal",
  "swapping",
  "verification",
  "subject-exited",
  "stalled",
]);

const validitySchema = z.discriminatedUnion("valid", [
  z.strictObject({ valid: z.literal(true) }),
  z.strictObject({
    valid: z.literal(false),
    reasons: z.array(z.strictObject({ code: reasonCodeSchema, message: text })).min(1),
  }),
]);

const repetitionSchema = z.strictObject({
  startedAt: instant,
  validity: validitySchema,
  figures: figuresSchema.optional().describe("present exactly where the repetition is valid"),
  observation: observationSchema.optional().describe(
    "raw measurements, valid or not; absent where the load did not finish",
  ),
}).refine((repetition) => repetition.validity.valid === (repetition.figures !== undefined), {
  message: "figures must be present exactly where the repetition is valid",
});

const levelSchema = z.strictObject({
  connections: positiveCount,
  repetitions: z.array(repetitionSchema).min(1)
    .describe(
      "in the order of measuring; a second one only where the first was invalid because of background load, steal time or swapping",
    ),
  frame: frameSchema.optional().describe(
    "what bounds this level; absent without a valid repetition or a ceiling",
  ),
}).meta({ id: "level" });

const durableSchema = z.strictObject({
  load: levelSchema.optional().describe("cold, like a level; in no ranking"),
  missing: text.optional().describe("why there is none; present exactly where there is none"),
}).refine(({ load, missing }) => (load === undefined) !== (missing === undefined), {
  message: "missing must be present exactly where load is absent",
});

export const resultSchema = z.strictObject({
  schemaVersion: z.literal(schemaVersion),
  runId: runIdSchema,
  replica: z.number().int().min(2).optional().describe(
    "number of the replica, if several machines measure the implementation in one run; absent for the first",
  ),
  scenario: z.enum(scenarioIds),
  impl: implSchema,
  status: z.enum(["complete", "incomplete", "failed"]),
  failure: z.strictObject({ stage: stageSchema, message: text, detail: z.string() }).optional()
    .describe("present exactly where the status is failed"),
  startedAt: instant,
  endedAt: instant.optional().describe("absent while incomplete"),
  measuredAgain: z.strictObject({
    bursts: z.array(burstStepSchema).optional(),
    deliveries: z.array(deliveryStepSchema).optional(),
  }).optional().describe(
    "steps that the machine disturbed, as they were before a later command measured them again; absent where none did",
  ),
  plan: planSchema,
  provenance: provenanceSchema,
  machine: machineSchema,
  database: databaseSchema.optional().describe(
    "absent where the run did not get that far, and where the scenario needs none",
  ),
  verification: z.strictObject({
    problems: z.array(problemSchema),
    outage: z.enum(["checked", "not-checked"]).optional().describe(
      "loss of the database: checked only where the harness started the server; absent where the scenario needs none",
    ),
  }).optional().describe(
    "the whole contract, before the measurement; absent where the run did not get that far",
  ),
  buildSeconds: seconds.optional().describe(
    "duration of this run's build, which may reuse an earlier one's output; absent where it was not built",
  ),
  control: z.strictObject({ version: text }).optional().describe(
    "the reference server of all ratios; ratios to different versions are not comparable",
  ),
  ceilings: z.array(ceilingSchema).optional(),
  upstreamLimit: upstreamLimitSchema.optional().describe(
    "what the upstream can do by itself, measured in the same job; absent where it was not",
  ),
  levels: z.array(levelSchema).describe("in the order of measuring"),
  durable: durableSchema.optional().describe(
    "a load while every commit waits for the disk (innodb_flush_log_at_trx_commit = 1)",
  ),
  comparison: comparisonSchema.optional().describe("with the control (protocol B)"),
  rateSweep: rateSweepSchema.optional().describe("latency at fixed offered rates (protocol C)"),
  startup: startupSchema.optional(),
  bursts: burstsSchema.optional().describe("many users at once, each with one request"),
  deliveries: deliveriesSchema.optional().describe(
    "notifications at a series of rates, and what became of each",
  ),
}).refine((result) => (result.status === "failed") === (result.failure !== undefined), {
  message: "failure must be present exactly where the status is failed",
}).refine(
  (result) =>
    result.status !== "complete" ||
    result.plan.levels.every((level) => result.levels.some((done) => done.connections === level)),
  { message: "a complete result must have every level of its plan" },
).refine(
  ({ status, plan, durable, comparison, rateSweep, startup, bursts, deliveries }) =>
    status !== "complete" || [
      [plan.durable, durable],
      [plan.comparison, comparison],
      [plan.rateSweep, rateSweep],
      [plan.startupRuns, startup],
      [plan.bursts, plan.bursts?.steps.length === bursts?.steps.length ? bursts : undefined],
      [
        plan.deliveries,
        plan.deliveries?.steps.length === deliveries?.steps.length ? deliveries : undefined,
      ],
    ].every(([planned, done]) => planned === undefined || done !== undefined),
  { message: "a complete result must have every protocol of its plan" },
);

export type Result = z.infer<typeof resultSchema>;
export type Plan = z.infer<typeof planSchema>;
export type Stage = z.infer<typeof stageSchema>;
export type Level = z.infer<typeof levelSchema>;
export type Durable = z.infer<typeof durableSchema>;
export type Repetition = z.infer<typeof repetitionSchema>;
export type Observation = z.infer<typeof observationSchema>;
export type Figures = z.infer<typeof figuresSchema>;
export type Validity = z.infer<typeof validitySchema>;
export type ReasonCode = z.infer<typeof reasonCodeSchema>;
export type { Problem };
