/**
 * Judge: is a level valid? Takes an observation and the plan; returns the figures, or every reason why the level is
 * invalid. Only bias invalidates a level, noise does not.
 */
import type {
  Figures,
  Observation,
  Plan,
  ReasonCode,
  Repetition,
  Validity,
} from "../results/result_schema.ts";
import { decodeLatencyHistogram, latencyPercentiles, warmUpFigures } from "../statistics/mod.ts";

/** Limits beyond which a level is invalid, as in the README's table of reasons. */
export const limits = {
  /** Failures per attempted request. */
  failures: 0.001,
  /** Connections beyond the level's own, per attempted request. */
  reconnects: 0.001,
  /** Deviation of statements per request, and of executions of prepared ones, from the expected number. */
  queries: 0.01,
  /** Prepares per request: a statement is prepared once on each connection. */
  prepares: 0.01,
  /** Logged lines per request. */
  logLines: 0.01,
  /** Background load: share of the machine's CPU time used by processes without a role. */
  foreignCpu: 0.05,
  /** Bytes swapped in or out. */
  swapping: 1024 * 1024,
};

/**
 * Absolute allowances for what happens a few times in any load, however short: a pool opens its last connection, a
 * line is logged at the start, a kernel thread runs.
 */
const alwaysAllowed = {
  reconnects: 10,
  statements: 64,
  prepares: 64,
  logLines: 10,
  foreignCpuSeconds: 0.5,
};

/** The plan of a level, and what else is known of it. */
export interface JudgeContext {
  connections: number;
  plan: Plan;
  /** The scenario's; absent where none are counted. */
  queriesPerRequest?: number;
  /** Violations of the contract right after the load, as sentences. */
  verificationFailures: string[];
}

type Reason = { code: ReasonCode; message: string };

/** Judges one observation. */
export function judge(
  observation: Observation,
  context: JudgeContext,
): { validity: Validity; figures?: Figures } {
  const reasons = [
    ...judgeAnswers(observation, context),
    ...judgeFairness(observation, context),
    ...judgeMachine(observation),
  ];
  if (reasons.length > 0) return { validity: { valid: false, reasons } };
  return { validity: { valid: true }, figures: computeFigures(observation) };
}

/** Returns why a repetition must be measured again: all its reasons are background load or swapping. */
export function reasonToRepeat({ validity }: Repetition): string | undefined {
  if (validity.valid) return undefined;
  const isOfMachine = validity.reasons.every(({ code }) =>
    code === "foreign-load" || code === "swapping"
  );
  return isOfMachine ? validity.reasons.map(({ message }) => message).join("; ") : undefined;
}

function judgeAnswers(observation: Observation, context: JudgeContext): Reason[] {
  const { attempted, correct, failures, reconnects, sideClient } = observation;
  const reasons: Reason[] = [];
  for (const message of context.verificationFailures) {
    reasons.push({ code: "verification", message });
  }
  for (const { check, sent, came, expected } of sideClient?.problems ?? []) {
    reasons.push({
      code: "wrong-answer",
      message:
        `while the load ran, "${check}" (${sent}) was answered with ${came}, expected ${expected}`,
    });
  }
  const failed = attempted - correct;
  if (failed > limits.failures * attempted) {
    const classes = Object.entries(failures).map(([name, count]) => `${name}: ${count}`).join(", ");
    reasons.push({
      code: "failures",
      message: `${failed} of ${attempted} requests failed (${classes}), expected at most ${
        percent(limits.failures)
      }`,
    });
  }
  if (attempted < context.plan.requests) {
    reasons.push({
      code: "unattempted",
      message: `${attempted} requests were attempted, expected ${context.plan.requests}`,
    });
  }
  if (
    reconnects !== undefined &&
    reconnects > Math.max(limits.reconnects * attempted, alwaysAllowed.reconnects)
  ) {
    reasons.push({
      code: "reconnects",
      message:
        `${reconnects} connections were opened beyond the level's ${context.connections}, expected at most ${
          percent(limits.reconnects)
        } of ${attempted} requests`,
    });
  }
  return reasons;
}

function judgeFairness(observation: Observation, context: JudgeContext): Reason[] {
  const { attempted, log } = observation;
  const reasons = judgeQueries(observation, context);
  if (log.lines > Math.max(limits.logLines * attempted, alwaysAllowed.logLines)) {
    reasons.push({
      code: "request-log",
      message:
        `${log.lines} lines were logged for ${attempted} requests, expected no line per request`,
    });
  }
  return reasons;
}

function judgeQueries(
  { attempted, queries }: Observation,
  { plan, queriesPerRequest: expected }: JudgeContext,
): Reason[] {
  if (queries === undefined || expected === undefined) return [];
  const reasons: Reason[] = [];
  const isOff = (perRequest: number) =>
    Math.abs(perRequest - expected) * attempted >
      Math.max(limits.queries * attempted, alwaysAllowed.statements);
  if (isOff(queries.perRequest)) {
    reasons.push({
      code: "query-count",
      message: `the database counted ${
        queries.perRequest.toFixed(3)
      } queries per request, expected ${expected}`,
    });
  } else if (
    isOff(queries.executesPerRequest) ||
    queries.prepares > Math.max(limits.prepares * attempted, alwaysAllowed.prepares)
  ) {
    reasons.push({
      code: "no-prepared-statements",
      message:
        `the database counted ${
          queries.executesPerRequest.toFixed(3)
        } executions of server-side prepared statements per request and ${queries.prepares} prepares, ` +
        `expected ${expected} and one for each connection`,
    });
  }
  if (queries.peakConnections !== undefined && queries.peakConnections > plan.poolMax) {
    reasons.push({
      code: "pool-exceeded",
      message:
        `${queries.peakConnections} connections to the database were open at one time, expected at most ${plan.poolMax}`,
    });
  }
  return reasons;
}

/** Returns the reasons that lie with the machine, not with the subject. */
export function judgeMachine({ resources }: Observation): Reason[] {
  if (resources === undefined) return [];
  const { capacityCpuSeconds, foreignCpuSeconds = 0, swappedBytes } = resources.machine;
  const reasons: Reason[] = [];
  if (
    foreignCpuSeconds >
      Math.max(limits.foreignCpu * capacityCpuSeconds, alwaysAllowed.foreignCpuSeconds)
  ) {
    reasons.push({
      code: "foreign-load",
      message: `other processes used ${
        percent(foreignCpuSeconds / capacityCpuSeconds)
      } of the machine's CPU time, expected at most ${percent(limits.foreignCpu)}`,
    });
  }
  if (swappedBytes > limits.swapping) {
    reasons.push({
      code: "swapping",
      message: `the machine swapped ${swappedBytes} bytes, expected at most ${limits.swapping}`,
    });
  }
  return reasons;
}

function computeFigures(observation: Observation): Figures {
  const { correct, durationSeconds, series, latency } = observation;
  return {
    goodputPerSecond: correct / durationSeconds,
    latencySeconds: latencyPercentiles(decodeLatencyHistogram(latency.histogram)),
    ...warmUpFigures(series.correct, durationSeconds),
  };
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
