/**
 * Judge: is a load valid? Takes what was seen of it and what was planned; returns every reason why it is invalid, and
 * of a level the figures where there is none. The same rules hold for levels, comparisons and steps of the rate sweep.
 * Only bias invalidates, noise does not.
 */
import { formatInteger } from "../lib/format_integer.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Figures, Observation, Validity } from "../results/result_schema.ts";
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
import { judgeMachine } from "./judge_machine.ts";
import { judgeScheduling } from "./judge_scheduling.ts";
import { judgeStatements } from "./judge_statements.ts";
import { judgeCalls, judgeUpstream } from "./judge_upstream.ts";
import {
  alwaysAllowed,
  failedOf,
  type JudgeContext,
  limits,
  milliseconds,
  percent,
  type Reason,
  toldFrom,
} from "./limits.ts";
import { unansweredOf } from "../results/unanswered.ts";

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
    ...judgeStatements(load, context),
    ...judgeCalls(load, context),
    ...judgeProcess(load),
    ...judgeScheduling(load.schedulingChanges),
  ];
}

/**
 * Tells whether an answer was wrong, or rows were locked, so that no old answer could be wrong: then nothing may be measured
 * in place of this load.
 */
export function hasDoneWrong(
  { wrong, rowLocks = 0 }: Pick<LoadFacts, "wrong" | "rowLocks">,
): boolean {
  return Object.keys(wrong).length > 0 || rowLocks > 0;
}

/** Returns why what comes after a warm-up is invalid: wrong answers to its requests, or locks. */
export function judgeWarmUp(warmUp: LoadFacts | undefined): Reason[] {
  if (warmUp === undefined) return [];
  const when = "while it was warmed up";
  return [...judgeWrong(warmUp, when), ...judgeLocks(warmUp, when)];
}

/** A row that cannot change makes what is remembered of it right. */
function judgeLocks({ rowLocks = 0, rowsStillSeconds = 0 }: LoadFacts, when: string): Reason[] {
  if (rowLocks === 0 && rowsStillSeconds > limits.rowsStillSeconds) {
    return [{
      code: "row-locks",
      message: `${when}, no row changed for ${
        rowsStillSeconds.toFixed(1)
      } s, expected at most ${limits.rowsStillSeconds} s: a cached row cannot become stale meanwhile`,
    }];
  }
  if (rowLocks === 0) return [];
  const changes = rowLocks === 1
    ? "1 change of a row"
    : `${formatInteger(rowLocks)} changes of rows`;
  return [{
    code: "row-locks",
    message:
      `${when}, ${changes} waited for a lock of the server's, expected none: it locks what it only reads`,
  }];
}

/** One wrong answer is too many: whoever received it cannot tell. */
function judgeWrong({ attempted, wrong, problems }: LoadFacts, when: string): Reason[] {
  return Object.entries(wrong).map(([kind, count]) => {
    const [some, all] = [count, attempted].map(formatInteger);
    const problem = problems.find(({ check }) => check === kind);
    const first = problem === undefined
      ? ""
      : `; the first: ${problem.sent} was answered with ${problem.came}, expected ${problem.expected}`;
    return {
      code: "wrong-answer",
      message: `${when}, ${some} of ${all} answers were wrong (${kind}), expected none${first}`,
    };
  });
}

function judgeAnswers(load: LoadFacts): Reason[] {
  const { attempted, failures } = load;
  const when = "under load";
  const reasons = [...judgeWrong(load, when), ...judgeLocks(load, when)];
  const failed = failedOf(load);
  if (failed > limits.failures * attempted) {
    const [some, all] = [failed, attempted].map(formatInteger);
    const classes = Object.entries(failures)
      .map(([name, count]) => `${name}: ${formatInteger(count)}`).join(", ");
    reasons.push({
      code: "failures",
      message: `${some} of ${all} requests failed (${classes}), expected at most ${
        percent(limits.failures)
      }`,
    });
  }
  return reasons;
}

function judgeRequests(
  load: LoadFacts,
  { connections, requests = 0 }: JudgeContext,
): Reason[] {
  const { attempted, reconnects } = load;
  const reasons: Reason[] = [];
  const [sent, asked] = [attempted, requests].map(formatInteger);
  if (attempted < requests) {
    reasons.push({
      code: "unattempted",
      message: `${sent} requests were attempted, expected ${asked}`,
    });
  }
  if (
    reconnects !== undefined &&
    // A request that fails takes its connection with it.
    reconnects > Math.max(limits.reconnects * attempted, alwaysAllowed.reconnects) + failedOf(load)
  ) {
    reasons.push({
      code: "reconnects",
      message: `${formatInteger(reconnects)} connections were opened beyond the level's ${
        formatInteger(connections)
      }, expected at most ${percent(limits.reconnects)} of ${sent} requests`,
    });
  }
  return reasons;
}

function judgeProcess({ attempted, log, leftGroup = [] }: LoadFacts): Reason[] {
  const reasons: Reason[] = [];
  if (log.lines > Math.max(limits.logLines * attempted, alwaysAllowed.logLines)) {
    const [lines, requests] = [log.lines, attempted].map(formatInteger);
    reasons.push({
      code: "request-log",
      message: `${lines} lines were logged for ${requests} requests, expected no line per request`,
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
  const allowed = Math.max(
    limits.latencyGap,
    alwaysAllowed.latencyGapSeconds / durationSeconds,
    // While the last answers are awaited, half of the connections are idle on average, for about one latency.
    connections / attempted,
  );
  if (Math.abs(1 - ratio) <= allowed) return [];
  return [{
    code: "latency-gap",
    message: `mean latency was ${
      toldFrom(connections / endedPerSecond, meanSeconds, milliseconds, 2)
    }, expected ${milliseconds(connections / endedPerSecond)} of ${
      formatInteger(connections)
    } connections with ${formatInteger(endedPerSecond)} requests per second, within ${
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
    } of the load or ${alwaysAllowed.silentSeconds} s, whichever is longer`,
  }];
}

/** Returns how long no answer came, right or wrong. */
function silenceIn({ series: { correct, failed }, durationSeconds }: Observation): Silence {
  return silenceOf(correct.map((count, index) => count + (failed[index] ?? 0)), durationSeconds);
}

/** Computes the figures of one load on a fresh process: its goodput is the cold one. */
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
