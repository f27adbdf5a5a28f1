/**
 * Judge: is a load valid? Takes what was seen of it and what was planned; returns every reason why it is invalid, and
 * of a level the figures where there is none. The same rules hold for levels, comparisons and steps of the rate sweep.
 * Only bias invalidates, noise does not.
 */
import type {
  Figures,
  Observation,
  ReasonCode,
  Repetition,
  Validity,
} from "../results/result_schema.ts";
import type { UpstreamLimit } from "../results/protocols_schema.ts";
import type { Calls, LoadFacts, MachineUse, Queries } from "../results/load_schema.ts";
import {
  decodeLatencyHistogram,
  latencyPercentiles,
  littlesLawRatio,
  meanLatency,
  seriesIntervalSeconds,
  type Silence,
  silenceOf,
  warmUpFigures,
} from "../statistics/mod.ts";
import { unansweredOf } from "./unanswered.ts";

/** Limits beyond which a load is invalid, as in the README's table of reasons. */
export const limits = {
  /** Failures per attempted request. */
  failures: 0.001,
  /** Connections beyond the level's own, per attempted request. */
  reconnects: 0.001,
  /** Deviation of statements per request, and of executions of prepared ones, from the expected number. */
  queries: 0.01,
  /** Statements around the one that writes, per request: they begin and end its transaction. */
  around: 5,
  /** Prepares per request: a statement is prepared once on each connection. */
  prepares: 0.01,
  /** Deviation of the upstream's calls from one for each request: what a cache or joined requests save. */
  calls: 0.001,
  /** Connections to the upstream beyond the level's own, per request: with keep-alive, there are hardly any. */
  upstreamConnections: 0.01,
  /** Share of what the upstream can do by itself; above, it may bound a figure. */
  upstream: 0.7,
  /** Logged lines per request. */
  logLines: 0.01,
  /** Deviation of mean latency from connections divided by throughput, in a closed loop; honest loads have up to 0.6 %. */
  latencyGap: 0.05,
  /** Share of the load in which no answer came, in intervals of 250 ms. */
  silence: 0.01,
  /** Background load: share of the machine's CPU time used by processes without a role. */
  foreignCpu: 0.05,
  /** Share of the machine's CPU time that the hypervisor took. */
  steal: 0.005,
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
  calls: 10,
  upstreamConnections: 64,
  logLines: 10,
  /** Of the load's length: connections open, and the last answers are awaited. */
  latencyGapSeconds: 0.25,
  silentSeconds: 1,
  foreignCpuSeconds: 0.25,
  /** Three ticks of the kernel's clock. */
  stealCpuSeconds: 0.03,
};

/** What a load was to be, and what else is known of it. */
export interface JudgeContext {
  connections: number;
  /** Most connections to the database that the subject may hold. */
  poolMax: number;
  /** Requests that were to be sent; absent for a load of a fixed time. */
  requests?: number;
  /** What the upstream can do by itself; absent where that is unknown. */
  upstreamLimit?: UpstreamLimit;
  /** What the same process answered while it was warmed up. */
  warmUp?: LoadFacts;
  /** Violations of the contract right after the load, as sentences. */
  verificationFailures?: string[];
}

export type Reason = { code: ReasonCode; message: string };

/** Judges one observation. */
export function judge(
  observation: Observation,
  context: JudgeContext,
): { validity: Validity; figures?: Figures } {
  const reasons = [
    ...judgeLoad(observation, context),
    ...judgeLatency(observation, context),
    ...judgeSilence(observation),
    ...judgeUpstream(observation.calls, observation, context),
    ...judgeMachine(observation.resources?.machine),
  ];
  if (reasons.length > 0) return { validity: { valid: false, reasons } };
  return { validity: { valid: true }, figures: computeFigures(observation) };
}

/** Returns every reason that lies with the subject. */
export function judgeLoad(load: LoadFacts, context: JudgeContext): Reason[] {
  const { verificationFailures = [], warmUp } = context;
  return [
    ...verificationFailures.map((message) => ({ code: "verification" as const, message })),
    ...judgeWarmUp(warmUp),
    ...judgeAnswers(load),
    ...judgeRequests(load, context),
    ...judgeQueries(load, context),
    ...judgeCalls(load, context),
    ...judgeProcess(load),
  ];
}

const ofMachine: ReasonCode[] = ["foreign-load", "steal", "swapping"];

/** Returns why a repetition must be measured again: all its reasons lie with the machine. */
export function reasonToRepeat({ validity }: Repetition): string | undefined {
  if (validity.valid || !validity.reasons.every(({ code }) => ofMachine.includes(code))) {
    return undefined;
  }
  return validity.reasons.map(({ message }) => message).join("; ");
}

/** Returns why what comes after a warm-up is invalid: wrong answers to its requests. */
export function judgeWarmUp(warmUp: LoadFacts | undefined): Reason[] {
  return warmUp === undefined ? [] : judgeWrong(warmUp, "while it was warmed up");
}

/** One wrong answer is too many: whoever received it cannot tell. */
function judgeWrong({ attempted, wrong = {}, problems = [] }: LoadFacts, when: string): Reason[] {
  return Object.entries(wrong).map(([kind, count]) => {
    const problem = problems.find(({ check }) => check === kind);
    const first = problem === undefined
      ? ""
      : `; the first: ${problem.sent} was answered with ${problem.came}, expected ${problem.expected}`;
    return {
      code: "wrong-answer",
      message:
        `${when}, ${count} of ${attempted} answers were wrong (${kind}), expected none${first}`,
    };
  });
}

function judgeAnswers(load: LoadFacts): Reason[] {
  const { attempted, failures } = load;
  const reasons = judgeWrong(load, "under load");
  const failed = failedOf(load);
  if (failed > limits.failures * attempted) {
    const classes = Object.entries(failures).map(([name, count]) => `${name}: ${count}`).join(", ");
    reasons.push({
      code: "failures",
      message: `${failed} of ${attempted} requests failed (${classes}), expected at most ${
        percent(limits.failures)
      }`,
    });
  }
  return reasons;
}

/** Counts requests that were not answered, or with a status 5xx. */
function failedOf({ failures }: LoadFacts): number {
  return Object.values(failures).reduce((sum, count) => sum + count, 0);
}

function judgeRequests(
  load: LoadFacts,
  { connections, requests = 0 }: JudgeContext,
): Reason[] {
  const { attempted, reconnects } = load;
  const reasons: Reason[] = [];
  if (attempted < requests) {
    reasons.push({
      code: "unattempted",
      message: `${attempted} requests were attempted, expected ${requests}`,
    });
  }
  if (
    reconnects !== undefined &&
    // A request that fails takes its connection with it.
    reconnects > Math.max(limits.reconnects * attempted, alwaysAllowed.reconnects) + failedOf(load)
  ) {
    reasons.push({
      code: "reconnects",
      message:
        `${reconnects} connections were opened beyond the level's ${connections}, expected at most ${
          percent(limits.reconnects)
        } of ${attempted} requests`,
    });
  }
  return reasons;
}

function judgeProcess({ attempted, log, leftGroup = [] }: LoadFacts): Reason[] {
  const reasons: Reason[] = [];
  if (log.lines > Math.max(limits.logLines * attempted, alwaysAllowed.logLines)) {
    reasons.push({
      code: "request-log",
      message:
        `${log.lines} lines were logged for ${attempted} requests, expected no line per request`,
    });
  }
  if (leftGroup.length > 0) {
    reasons.push({
      code: "left-group",
      message: `a process left the group of the server, expected all to stay in it: ${
        leftGroup.join("; ")
      }`,
    });
  }
  return reasons;
}

/**
 * In a closed loop, the figures must fit together: where latency falls short of the time that connections waited, answers
 * are missing that were waited for.
 */
function judgeLatency(
  { attempted, durationSeconds, latency }: Observation,
  { connections }: JudgeContext,
): Reason[] {
  const endedPerSecond = attempted / durationSeconds;
  const meanSeconds = meanLatency(decodeLatencyHistogram(latency.histogram));
  const ratio = littlesLawRatio({ connections, endedPerSecond, meanSeconds });
  const allowed = Math.max(limits.latencyGap, alwaysAllowed.latencyGapSeconds / durationSeconds);
  if (Math.abs(1 - ratio) <= allowed) return [];
  return [{
    code: "latency-gap",
    message: `mean latency was ${milliseconds(meanSeconds)}, expected ${
      milliseconds(connections / endedPerSecond)
    } of ${connections} connections with ${endedPerSecond.toFixed(0)} requests per second, within ${
      percent(allowed)
    }`,
  }];
}

function judgeSilence(observation: Observation): Reason[] {
  const { durationSeconds } = observation;
  const { intervals, longestSeconds } = silenceIn(observation);
  const seconds = intervals * seriesIntervalSeconds;
  if (seconds <= Math.max(limits.silence * durationSeconds, alwaysAllowed.silentSeconds)) return [];
  return [{
    code: "silence",
    message: `no answer came in ${seconds.toFixed(2)} s of ${durationSeconds.toFixed(1)} s, for ${
      longestSeconds.toFixed(2)
    } s at a stretch, expected at most ${
      percent(limits.silence)
    } and ${alwaysAllowed.silentSeconds} s`,
  }];
}

/** Returns how long no answer came, right or wrong. */
function silenceIn({ series: { correct, failed }, durationSeconds }: Observation): Silence {
  return silenceOf(correct.map((count, index) => count + (failed[index] ?? 0)), durationSeconds);
}

function judgeQueries(
  load: LoadFacts,
  { poolMax }: Pick<JudgeContext, "poolMax">,
): Reason[] {
  const { queries } = load;
  if (queries === undefined) return [];
  const reasons: Reason[] = [];
  const { expectedPerRequest: expected } = queries;
  if (expected !== undefined) reasons.push(...judgeStatements(load, queries, expected));
  if (queries.peakConnections !== undefined && queries.peakConnections > poolMax) {
    reasons.push({
      code: "pool-exceeded",
      message:
        `${queries.peakConnections} connections to the database were open at one time, expected at most ${poolMax}`,
    });
  }
  return reasons;
}

function judgeStatements(load: LoadFacts, queries: Queries, expected: number): Reason[] {
  const { attempted } = load;
  // Nobody knows whether the statement of a request was sent that failed.
  const allowed = Math.max(limits.queries * attempted, alwaysAllowed.statements) + failedOf(load);
  const isOff = (perRequest: number) => Math.abs(perRequest - expected) * attempted > allowed;
  const { aroundPerRequest: around, transactionsPerRequest: transactions } = queries;
  const counted = queries.perRequest - (around ?? 0);
  const offCount = (message: string): Reason[] => [{ code: "query-count", message }];
  if (isOff(counted)) {
    return offCount(
      `the database counted ${counted.toFixed(3)} queries per request, expected ${
        expected.toFixed(3)
      }`,
    );
  }
  if (around !== undefined && (around - limits.around * expected) * attempted > allowed) {
    return offCount(
      `the database counted ${
        around.toFixed(3)
      } statements around transactions per request, expected at most ${limits.around}`,
    );
  }
  if (transactions !== undefined && (expected - transactions) * attempted > allowed) {
    return offCount(
      `the database counted ${transactions.toFixed(3)} transactions per request, expected ${
        expected.toFixed(3)
      }: one for each`,
    );
  }
  if (
    isOff(queries.executesPerRequest) ||
    queries.prepares > Math.max(limits.prepares * attempted, alwaysAllowed.prepares)
  ) {
    return [{
      code: "no-prepared-statements",
      message:
        `the database counted ${
          queries.executesPerRequest.toFixed(3)
        } executions of server-side prepared statements per request and ${queries.prepares} prepares, ` +
        `expected ${expected.toFixed(3)} and one for each connection`,
    }];
  }
  const { rowsReadPerRequest: read } = queries;
  if (read !== undefined && around !== undefined && isOff(read)) {
    return offCount(
      `the database wrote ${read.toFixed(3)} rows per request, expected ${expected.toFixed(3)}`,
    );
  }
  if (read !== undefined && (expected - read) * attempted > allowed) {
    return [{
      code: "query-count",
      message: `the database read ${read.toFixed(3)} rows per request, expected at least ${
        expected.toFixed(3)
      }`,
    }];
  }
  return [];
}

/** Each request is to be one call of the upstream, over connections that are kept. */
function judgeCalls(load: LoadFacts, { connections }: JudgeContext): Reason[] {
  const { attempted, calls } = load;
  if (calls === undefined) return [];
  const reasons: Reason[] = [];
  const failed = failedOf(load);
  const allowed = Math.max(limits.calls * attempted, alwaysAllowed.calls) + failed;
  if (Math.abs(calls.received - attempted) > allowed) {
    const because = calls.received < attempted
      ? "answers came from a cache, were shared by requests that were joined, or were made up"
      : "calls were repeated";
    reasons.push({
      code: "upstream-calls",
      message:
        `the upstream received ${calls.received} calls for ${attempted} requests, expected one for each ` +
        `(within ${Math.round(allowed)}): ${because}`,
    });
  }
  const most = connections + failed +
    Math.max(limits.upstreamConnections * attempted, alwaysAllowed.upstreamConnections);
  if (calls.connectionsOpened > most) {
    reasons.push({
      code: "upstream-connections",
      message:
        `${calls.connectionsOpened} connections to the upstream were opened for ${attempted} requests, ` +
        `expected at most ${Math.round(most)}: they were not kept alive`,
    });
  }
  return reasons;
}

/** The upstream must have had to spare, or it is what was measured. */
export function judgeUpstream(
  calls: Calls | undefined,
  { attempted, durationSeconds }: { attempted: number; durationSeconds: number },
  { upstreamLimit }: Pick<JudgeContext, "upstreamLimit">,
): Reason[] {
  if (calls === undefined || upstreamLimit === undefined) return [];
  const judgeNumber = (number: number, most: number, what: string): Reason[] => {
    if (number <= limits.upstream * most) return [];
    const message = `the upstream had ${Math.round(number)} ${what}, expected at most ${
      percent(limits.upstream)
    } of the ${most} up to which it is in time by itself: it may have been what was measured`;
    return [{ code: "upstream-limit", message }];
  };
  return [
    ...judgeNumber(attempted / durationSeconds, upstreamLimit.callsPerSecond, "calls per second"),
    ...judgeNumber(calls.peakOpen, upstreamLimit.openCalls, "calls in progress at one time"),
  ];
}

/** Returns the reasons that lie with the machine, not with the subject. */
export function judgeMachine(machine: MachineUse | undefined): Reason[] {
  if (machine === undefined) return [];
  const { capacityCpuSeconds, foreignCpuSeconds = 0, stealCpuSeconds, swappedBytes } = machine;
  const isBeyond = (seconds: number, limit: number, allowed: number) =>
    seconds > Math.max(limit * capacityCpuSeconds, allowed);
  const reasons: Reason[] = [];
  if (isBeyond(foreignCpuSeconds, limits.foreignCpu, alwaysAllowed.foreignCpuSeconds)) {
    reasons.push({
      code: "foreign-load",
      message: `other processes used ${
        percent(foreignCpuSeconds / capacityCpuSeconds)
      } of the machine's CPU time, expected at most ${percent(limits.foreignCpu)}`,
    });
  }
  if (isBeyond(stealCpuSeconds, limits.steal, alwaysAllowed.stealCpuSeconds)) {
    reasons.push({
      code: "steal",
      message: `the hypervisor took ${
        percent(stealCpuSeconds / capacityCpuSeconds)
      } of the machine's CPU time, expected at most ${percent(limits.steal)}`,
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
  const histogram = decodeLatencyHistogram(latency.histogram);
  return {
    goodputPerSecond: correct / durationSeconds,
    latencySeconds: latencyPercentiles(histogram, unansweredOf(observation)),
    silence: silenceIn(observation),
    ...warmUpFigures(series.correct, durationSeconds),
  };
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1000).toFixed(2)} ms`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}
