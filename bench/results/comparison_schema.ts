/**
 * A comparison (protocol B): rounds of two fresh processes under interleaved slices of load, one log-ratio per
 * round, and the intervals over rounds. Part of a result where the reference is the control; a file of its own
 * where two implementations or two commits are compared.
 */
import { z } from "zod";
import { loadFactsSchema, machineUseSchema } from "./load_schema.ts";
import { count, instant, perSecond, positiveCount, seconds, text } from "./values.ts";

export const comparisonPlanSchema = z.strictObject({
  budgetSeconds: seconds.describe(
    "no round starts after this time; each round starts a fresh process of each side",
  ),
  minRounds: positiveCount.describe(
    "measured even where they exceed the budget, unless too many are left out for a valid ratio",
  ),
  levels: z.array(positiveCount).min(1).describe("open connections"),
  loads: positiveCount.describe(
    "per level and round, each over new connections: how requests interleave stays the same while connections are open",
  ),
  slices: positiveCount.describe("per side and load, in ABBA order"),
  sliceSeconds: seconds.describe("length of one slice of load"),
  settleSeconds: seconds.describe(
    "first part of each slice that follows a freeze, which is not counted",
  ),
  joinsSlices: z.literal(true).optional().describe(
    "true where consecutive slices of one side run without a freeze between; absent where a side is frozen after each of its slices",
  ),
  warmUpRequests: count.describe("warm-up requests per process, at least"),
  mostSecondsToQuiet: seconds.optional().describe(
    "how long a process with a just-in-time compiler may be warmed up further, until its compilers are quiet; absent where the warm-up is fixed",
  ),
});

const sideSchema = z.strictObject({
  correct: count.describe("correct answers in the counted part of its slices"),
  failed: count.describe("wrong and missing answers, uncounted parts included"),
  seconds: seconds.describe("length of the counted part of its slices"),
  perSlice: z.array(count).describe("correct answers in the counted part of each slice"),
  secondsPerLoad: z.array(seconds).optional().describe(
    "length of the counted part of its slices in each load; absent in earlier results",
  ),
  settling: z.strictObject({
    correct: count.describe("correct answers meanwhile"),
    seconds: seconds.describe("length of these parts"),
  }).optional().describe(
    "the first part of each turn, which does not count; absent before 29 November 2026",
  ),
  cpuSecondsPerAnswer: seconds.optional().describe(
    "CPU time of its processes during its slices, uncounted parts included, per correct answer meanwhile; in earlier results, of whole loads",
  ),
  schedulingChanges: z.array(text).optional().describe(
    "which processes, of this side or another part, had another nice value, scheduling policy or processors than expected after it had run; absent where none had",
  ),
  frozenCpuSeconds: seconds.optional().describe(
    "CPU time that its processes used while they were frozen; absent where they used none",
  ),
  ranOnSeconds: seconds.optional().describe(
    "how long the database still worked for it after it was frozen, at most; absent where it was idle in time",
  ),
  rivalConnections: positiveCount.optional().describe(
    "connections that were opened to the other server while only this side ran; absent where there were none, and before 29 November 2026, when they were not counted",
  ),
  load: loadFactsSchema.optional().describe("its whole loads, uncounted parts included"),
  warmUp: z.strictObject({
    requests: count.describe("before the first slice of the process"),
    isQuiet: z.boolean().optional().describe(
      "whether its just-in-time compilers had become quiet: if not, ratios leave the round out; absent where it has none, none was seen, or the warm-up is fixed",
    ),
    load: loadFactsSchema.optional().describe(
      "present where an answer to these requests was wrong",
    ),
  }).optional().describe("of the process"),
}).meta({ id: "comparedSide" });

const orderSchema = z.string().regex(/^[sr]+( [sr]+)*$/).describe(
  "order of slices in each load: s for the subject, r for the reference",
);

const replacedSideSchema = sideSchema.pick({ correct: true, seconds: true });

const replacedLoadSchema = z.strictObject({
  order: orderSchema,
  subject: replacedSideSchema,
  reference: replacedSideSchema,
  machine: machineUseSchema.optional(),
});

const roundSchema = z.strictObject({
  startedAt: instant,
  place: positiveCount.optional().describe("which level of its round this was, from 1"),
  order: orderSchema,
  subject: sideSchema,
  reference: sideSchema,
  machine: machineUseSchema.optional().describe(
    "from the first to the last slice of each load; absent where the system does not report it",
  ),
  disturbed: text.optional().describe(
    "how the machine still disturbed it when loads had been measured again as often as allowed: ratios leave it out; absent where nothing did",
  ),
  repeatedBecause: z.array(text).optional().describe(
    "why its loads were measured again, each time; absent where they were not",
  ),
  replacedLoads: z.array(z.array(replacedLoadSchema)).optional().describe(
    "the loads that were measured again and count no more, a list for each time; absent where there are none, and before 28 November 2026, when they were not kept",
  ),
});

export const ratioSchema = z.strictObject({
  estimate: z.number().positive().describe("subject over reference"),
  low: z.number().positive(),
  high: z.number().positive(),
  confidence: z.number().describe(
    "of the interval: nominal for t; exact for ranks if noise is symmetric",
  ),
  method: z.enum(["t", "hodges-lehmann"]),
  rounds: positiveCount,
}).meta({ id: "ratio" });

export const comparedLevelSchema = z.strictObject({
  connections: positiveCount,
  rounds: z.array(roundSchema).min(1).describe("in the order of measuring"),
  goodput: ratioSchema.optional().describe(
    "ratio of goodput; omitted for fewer than three rounds, and where the comparison is invalid",
  ),
  cpuPerAnswer: ratioSchema.optional().describe("ratio of CPU time per correct answer, likewise"),
  goodputPerSecond: z.strictObject({ subject: perSecond, reference: perSecond }).optional()
    .describe(
      "goodput of each side (protocol B), its median over rounds, measured while the other side is frozen; warm goodput with its interval is computed from the rounds",
    ),
  problem: text.optional().describe("why the comparison is invalid"),
});

export const comparisonSchema = z.strictObject({
  plan: comparisonPlanSchema,
  levels: z.array(comparedLevelSchema),
  repeatedBecause: text.optional().describe(
    "why all of it was measured again, in place of a comparison that said its processes were not warm; absent where it was not",
  ),
});

export type ComparisonPlan = z.infer<typeof comparisonPlanSchema>;
export type ComparedLevel = z.infer<typeof comparedLevelSchema>;
export type ComparedRound = z.infer<typeof roundSchema>;
export type ComparedSide = z.infer<typeof sideSchema>;

/** Returns a side's correct answers per second of its own slices. */
export function goodputOf({ correct, seconds }: ComparedSide): number {
  return correct / seconds;
}

/** What decides whether a round counts. */
export type JudgedRound = Pick<ComparedRound, "disturbed" | "subject" | "reference">;

/**
 * Returns why ratios leave a round out, undefined where they do not: the machine disturbed it, or a process was not warm.
 * Neither depends on how many requests were answered.
 */
export function whyLeftOut({ disturbed, ...sides }: JudgedRound): string | undefined {
  if (disturbed !== undefined) return disturbed;
  const cold = (["subject", "reference"] as const)
    .find((name) => sides[name].warmUp?.isQuiet === false);
  return cold && `compilers of the ${cold} were still at work after the warm-up`;
}

/** Returns the rounds that ratios are made of. */
export function counted<Round extends JudgedRound>(rounds: Round[]): Round[] {
  return rounds.filter((round) => whyLeftOut(round) === undefined);
}
