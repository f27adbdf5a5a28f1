/**
 * The one definition of a result: what a file in `.bench/runs/<run-id>/` or `site/data/runs/<run-id>/` holds.
 * One file per implementation and run. Units are base units and stand in the key's name; what was not or could
 * not be measured is absent, never zero. Reading is strict: an unknown key is an error.
 */
import { z } from "zod";
import { scenarioIds } from "../scenario/ids.ts";
import { comparisonPlanSchema, comparisonSchema } from "./comparison_schema.ts";
import {
  ceilingSchema,
  frameSchema,
  ladderPlanSchema,
  ladderSchema,
  startupSchema,
} from "./protocols_schema.ts";
import {
  bytes,
  count,
  instant,
  latencySchema,
  percentilesSchema,
  perSecond,
  seconds,
  text,
} from "./values.ts";

/** Raised when a file written before could no longer be read, or would be read wrongly. */
export const schemaVersion = 1;

export const runIdSchema = z.string().regex(
  /^\d{8}T\d{6}Z-[0-9a-f]{7}$/,
  "expected a UTC start and a short commit, like 20261121T014500Z-1a2b3c4",
);

export const implIdSchema = z.string().regex(
  /^[a-z][a-z0-9-]*$/,
  "expected a lower-case letter, then lower-case letters, digits and hyphens",
);
export const implClassSchema = z.enum(["standard", "tuned"]);
export const stageSchema = z.enum([
  "discover",
  "build",
  "start",
  "verify",
  "measure",
  "compare",
  "ladder",
  "startup",
]);

const versioned = z.strictObject({
  name: text.describe("the package's name, as its lock file has it"),
  version: text.optional()
    .describe(
      "read from the lock file or from the runtime, never typed; absent where neither could be read",
    ),
});

const implSchema = z.strictObject({
  id: implIdSchema.describe("the folder's name under impls/"),
  name: text,
  language: text,
  class: implClassSchema,
  website: z.url(),
  note: text.optional().describe("what a reader of the figures must know"),
  runtime: versioned,
  framework: versioned,
  driver: versioned.optional().describe("absent where the scenario needs no database"),
  jwt: versioned.optional().describe("absent where the scenario needs no tokens"),
});

export const planSchema = z.strictObject({
  profile: z.enum(["smoke", "quick", "full", "custom"])
    .describe("custom: a count was given that is not the profile's own"),
  levels: z.array(z.number().int().positive()).min(1)
    .describe("open connections of the load generator, in the order of measuring"),
  requests: z.number().int().positive().describe("measured requests at each level"),
  warmUpRequests: count.describe("requests before them, not measured"),
  poolMax: z.number().int().positive().describe("DB_POOL_MAX: database connections in total"),
  seed: count.describe(
    "of every random order, and of what the side client asks; the load generator draws its own",
  ),
  ceilingSeconds: seconds.optional().describe(
    "load of the null server at each level; absent where its ceiling is not to be measured",
  ),
  comparison: comparisonPlanSchema.optional().describe("absent where it is not to be measured"),
  ladder: ladderPlanSchema.optional().describe("likewise"),
  startupRuns: z.number().int().positive().optional().describe("likewise"),
});

export const machineSchema = z.strictObject({
  os: text,
  kernel: text,
  architecture: text,
  cpuModel: text,
  cpuCount: z.number().int().positive(),
  memoryBytes: bytes,
  virtualization: text.optional().describe("as the processor's flags tell: absent on bare metal"),
});

const provenanceSchema = z.strictObject({
  commit: z.string().regex(/^[0-9a-f]{40}$/),
  dirty: z.boolean().describe("something that decides a result differed from the commit"),
  command: text.describe("repeats this measurement from the repository's root"),
  build: z.array(text).describe("the command that built the implementation, as run in its folder"),
  start: z.array(text).describe("the command that started it, as run in its folder"),
  tools: z.record(text, text).describe("name to version, of what measured"),
});

export const databaseSchema = z.strictObject({
  provider: z.enum(["DATABASE_URL", "mysqld", "packages", "docker", "podman"]),
  engine: z.enum(["MySQL", "MariaDB"]),
  version: text,
  variables: z.record(text, z.string()).describe(
    "server variables that matter, as the server has them",
  ),
  rows: count,
  rowsSha256: z.string().regex(/^[0-9a-f]{64}$/).describe(
    "tells apart results from different data",
  ),
});

export const problemSchema = z.strictObject({
  check: text,
  sent: z.string(),
  came: z.string(),
  expected: z.string(),
});

const roleSchema = z.strictObject({
  cpuSeconds: seconds.describe("user and system time of all its processes during the load"),
  cpuSecondsPerAnswer: seconds.optional().describe("CPU seconds for each correct answer"),
  busiestThreadCpuSeconds: seconds.describe("of the thread that used the most, around the load"),
  peakMemoryBytes: bytes,
  peakThreads: count,
  contextSwitches: count.describe("voluntary and involuntary, during the load"),
});

const resourcesSchema = z.strictObject({
  source: z.enum(["proc"]).describe("where the figures come from"),
  memorySource: z.enum(["pss", "rss"]).describe("pss: shared pages counted once"),
  subject: roleSchema,
  database: roleSchema.optional().describe("absent where its process cannot be seen from here"),
  generator: roleSchema,
  harness: roleSchema,
  machine: z.strictObject({
    capacityCpuSeconds: seconds.describe("length of the load times the number of processors"),
    foreignCpuSeconds: seconds.optional().describe(
      "of processes outside the roles; absent without the database's",
    ),
    idleCpuSeconds: seconds.describe("of all processors, waiting for a disk included"),
    stealCpuSeconds: seconds.describe("taken by the hypervisor"),
    swappedBytes: bytes,
  }),
});

const observationSchema = z.strictObject({
  durationSeconds: seconds.describe("from the first request to the last answer"),
  attempted: count.describe("correct + all failures"),
  correct: count.describe("status 200 and a length that a right body can have"),
  failures: z.record(text, count).describe(
    "by class: status-500, wrong-length, connection-closed, …",
  ),
  reconnects: count.optional().describe("connections beyond one for each that the level asks for"),
  series: z.strictObject({
    intervalSeconds: seconds,
    correct: z.array(count).describe("correct answers in each interval, by the time of their end"),
    failed: z.array(count).describe(
      "answers that were not correct; unanswered requests have no time",
    ),
  }),
  latency: latencySchema,
  queries: z.strictObject({
    perRequest: z.number().describe(
      "statements that the subject sent, for each request of the load",
    ),
    executesPerRequest: z.number().describe(
      "executions of server-side prepared statements, likewise",
    ),
    prepares: count.describe("statements prepared during the load"),
    pingsPerRequest: z.number()
      .describe("administrative commands, pings above all: round trips that are no statements"),
    peakConnections: count.optional().describe(
      "of the subject to the database; absent where it may not be asked",
    ),
    meanRunning: z.number().nonnegative().optional().describe(
      "statements of the subject in execution at once, read about once a second; absent without a reading",
    ),
  }).optional().describe("absent where the scenario needs no database"),
  log: z.strictObject({ lines: count.describe("that the subject logged during the load") }),
  sideClient: z.strictObject({
    requests: count.describe("not part of any other figure"),
    checks: z.record(text, count).describe("how often each kind was asked"),
    problems: z.array(problemSchema),
  }).optional().describe("absent where the scenario has none"),
  resources: resourcesSchema.optional()
    .describe("absent where the system does not tell, and for a load of less than a second"),
});

const figuresSchema = z.strictObject({
  goodputPerSecond: perSecond.describe(
    "correct answers per second, warm-up of this process included",
  ),
  latencySeconds: percentilesSchema.describe(
    "of correct answers, closed loop: connections divided by goodput, in the mean",
  ),
  firstSecondPerSecond: perSecond.optional().describe(
    "goodput in the first second; absent for a shorter load",
  ),
  steadyPerSecond: perSecond.optional().describe(
    "goodput once warm; absent for a load under 2 s, and where it never became steady",
  ),
  secondsToSteady: seconds.optional().describe(
    "until goodput had reached 95 % of steady; absent where never",
  ),
  requestsToSteady: count.optional().describe("correct answers until then"),
});

export const reasonCodeSchema = z.enum([
  "wrong-answer",
  "failures",
  "unattempted",
  "reconnects",
  "query-count",
  "no-prepared-statements",
  "pool-exceeded",
  "request-log",
  "foreign-load",
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
    "what was seen, valid or not; absent where the load did not end",
  ),
}).refine((repetition) => repetition.validity.valid === (repetition.figures !== undefined), {
  message: "figures must be present exactly where the repetition is valid",
});

const levelSchema = z.strictObject({
  connections: z.number().int().positive(),
  repetitions: z.array(repetitionSchema).min(1)
    .describe(
      "in the order of measuring: a second one only where the first was invalid by no fault of the subject",
    ),
  frame: frameSchema.optional().describe(
    "what bounds this level; absent without a valid repetition, or without a ceiling to compare with",
  ),
});

export const resultSchema = z.strictObject({
  schemaVersion: z.literal(schemaVersion),
  runId: runIdSchema,
  scenario: z.enum(scenarioIds),
  impl: implSchema,
  status: z.enum(["complete", "incomplete", "failed"]),
  failure: z.strictObject({ stage: stageSchema, message: text, detail: z.string() }).optional()
    .describe("present exactly where the status is failed"),
  startedAt: instant,
  endedAt: instant.optional().describe("absent while incomplete"),
  plan: planSchema,
  provenance: provenanceSchema,
  machine: machineSchema,
  database: databaseSchema.optional().describe(
    "absent where it was not reached, and where the scenario needs none",
  ),
  verification: z.strictObject({
    problems: z.array(problemSchema),
    outage: z.enum(["checked", "not-checked"]).optional().describe(
      "database loss: checked only where the server is ours to stop; absent where the scenario needs none",
    ),
  }).optional().describe(
    "the whole contract, before the measurement; absent where it was not reached",
  ),
  buildSeconds: seconds.optional().describe(
    "of this run's build, with whatever an earlier one left; absent where it was not built",
  ),
  control: z.strictObject({ version: text }).optional().describe(
    "the server that ratios are to; ratios to different versions do not compare",
  ),
  ceilings: z.array(ceilingSchema).optional(),
  levels: z.array(levelSchema).describe("in the order of measuring"),
  comparison: comparisonSchema.optional().describe("with the control (protocol B)"),
  ladder: ladderSchema.optional().describe("latency at fixed rates (protocol C)"),
  startup: startupSchema.optional(),
}).refine((result) => (result.status === "failed") === (result.failure !== undefined), {
  message: "failure must be present exactly where the status is failed",
}).refine(
  (result) =>
    result.status !== "complete" ||
    result.plan.levels.every((level) => result.levels.some((done) => done.connections === level)),
  { message: "a complete result must hold every level of its plan" },
).refine(
  ({ status, plan, comparison, ladder, startup }) =>
    status !== "complete" || [
      [plan.comparison, comparison],
      [plan.ladder, ladder],
      [plan.startupRuns, startup],
    ].every(([planned, done]) => planned === undefined || done !== undefined),
  { message: "a complete result must hold every protocol of its plan" },
);

export type Result = z.infer<typeof resultSchema>;
export type Plan = z.infer<typeof planSchema>;
export type Stage = z.infer<typeof stageSchema>;
export type Level = z.infer<typeof levelSchema>;
export type Repetition = z.infer<typeof repetitionSchema>;
export type Observation = z.infer<typeof observationSchema>;
export type Figures = z.infer<typeof figuresSchema>;
export type Resources = z.infer<typeof resourcesSchema>;
export type Role = z.infer<typeof roleSchema>;
export type Validity = z.infer<typeof validitySchema>;
export type ReasonCode = z.infer<typeof reasonCodeSchema>;
export type Problem = z.infer<typeof problemSchema>;
export type ImplFacts = z.infer<typeof implSchema>;
export type Machine = z.infer<typeof machineSchema>;
