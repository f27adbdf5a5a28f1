/**
 * What results say of any load: its answers, what was counted around it, and the machine meanwhile. Parts of levels, of
 * comparisons and of steps of the rate sweep.
 */
import { z } from "zod";
import { bytes, count, seconds, text } from "./values.ts";

export const problemSchema = z.strictObject({
  check: text,
  sent: z.string(),
  came: z.string(),
  expected: z.string(),
}).meta({ id: "problem" });

export const machineUseSchema = z.strictObject({
  capacityCpuSeconds: seconds.describe("length of the load times the number of processors"),
  foreignCpuSeconds: seconds.optional().describe(
    "background load: processes without a role, and ended ones that nobody waited for; absent where the database's process is not visible",
  ),
  busiestOther: z.strictObject({ name: z.string(), cpuSeconds: seconds }).optional().describe(
    "the process without a role that used the most CPU time, its ended children included, by the kernel's name of it; over several loads, of those in which it was this process; absent where none used any, and in earlier results",
  ),
  idleCpuSeconds: seconds.describe("of all processors, I/O wait included"),
  stealCpuSeconds: seconds.describe("taken by the hypervisor"),
  swappedBytes: bytes,
}).meta({ id: "machineUse" });

const queriesSchema = z.strictObject({
  perRequest: z.number().describe("statements of the subject per request of the load"),
  expectedPerRequest: z.number().nonnegative().describe(
    "statements that a server sends for these requests if it does the job, likewise",
  ),
  executesPerRequest: z.number().describe(
    "executions of server-side prepared statements, likewise",
  ),
  prepares: count.describe("statements prepared during the load"),
  pingsPerRequest: z.number()
    .describe(
      "pings, and resets of statements and connections: round trips that are not statements",
    ),
  rowsReadPerRequest: z.number().optional().describe(
    "rows that the database looked up, read or wrote for the subject; absent where accounts are not counted",
  ),
  aroundPerRequest: z.number().nonnegative().optional().describe(
    "those of the statements that begin or end a transaction, or set a variable; present where a request writes",
  ),
  transactionsPerRequest: z.number().nonnegative().optional().describe(
    "transactions of the subject, where a request writes; absent where accounts are not counted",
  ),
  peakConnections: count.optional().describe(
    "database connections of the subject; absent where the account may not see them",
  ),
  problems: z.array(text).optional().describe(
    "what is wrong with the statements themselves, by their text; absent where nothing is",
  ),
  outOfStep: text.optional().describe(
    "when executions were too few, or too many, for the answers that had come; absent where they never were",
  ),
  meanRunning: z.number().nonnegative().optional().describe(
    "mean number of the subject's statements in execution, sampled about once a second; absent without a sample",
  ),
}).meta({ id: "queries" });

const callsSchema = z.strictObject({
  received: count.describe("calls of the upstream"),
  answered: count.describe("those whose answer it wrote whole, to a caller that waited for it"),
  connectionsOpened: count.describe("connections that the subject opened to it during the load"),
  peakConnections: count.describe("the most at one time"),
  peakOpen: count.describe("calls in progress, the most at one time"),
  faults: count.optional().describe(
    "commands to answer wrongly that it received, as only the contract's checks send them; absent where there was none",
  ),
  lateSeconds: seconds.optional().describe(
    "by how much its answers were later than the 100 ms that it is to take, over all calls; absent where it is to answer at once, and in results of before 26 November 2026",
  ),
}).meta({ id: "calls" });

/** What is known of any load besides its duration: its answers, judged one by one, and what was counted around it. */
export const loadFacts = {
  attempted: count.describe("correct and wrong answers, and failures"),
  correct: count.describe(
    "right answers: status and body were right for that request at that moment",
  ),
  refused: count.describe("those of the right answers that refused a request, as it had to be"),
  wrong: z.record(text, count).describe(
    "wrong answers by kind: another-record, stale-record, wrong-body, not-refused, refused, …",
  ),
  problems: z.array(problemSchema).describe("the first wrong answer of each kind"),
  failures: z.record(text, count).describe(
    "requests without an answer, and answers of status 5xx, by class: status-500, connection-closed, …",
  ),
  reconnects: count.optional().describe("connections opened beyond the load's own"),
  queries: queriesSchema.optional().describe(
    "absent where the scenario needs no database, and where statements cannot be counted",
  ),
  calls: callsSchema.optional().describe("absent where the scenario needs no upstream"),
  notCounted: z.array(text).optional().describe(
    "what could not be counted, and why; absent where everything was",
  ),
  rowLocks: count.optional().describe(
    "changes of rows that had to wait for a lock of the subject's; absent where none had",
  ),
  rowsStillSeconds: seconds.optional().describe(
    "longest time in which no row changed; absent where rows do not change, and before 29 November 2026",
  ),
  log: z.strictObject({ lines: count.describe("logged by the subject during the load") }),
  leftGroup: z.array(text).optional().describe(
    "processes of the subject that left its process group, by their command line; absent where there was none",
  ),
  schedulingChanges: z.array(text).optional().describe(
    "which processes had another nice value, scheduling policy or processors than expected; absent where none had, and in comparisons, which have it by side",
  ),
};

export type Problem = z.infer<typeof problemSchema>;
export type Queries = z.infer<typeof queriesSchema>;
export type Calls = z.infer<typeof callsSchema>;
export type MachineUse = z.infer<typeof machineUseSchema>;

export const loadFactsSchema = z.strictObject(loadFacts).meta({ id: "loadFacts" });
export type LoadFacts = z.infer<typeof loadFactsSchema>;
