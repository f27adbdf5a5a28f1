/**
 * Judges claims about scenarios without levels: bursts of users, and deliveries of notifications. Takes the query of a claim
 * and the runs that can test it. A burst has intervals over rounds. At each rate of deliveries there is one process: shares
 * of its notifications have intervals, its other figures stand beside the article's and decide nothing. These intervals do
 * not cover how far runs differ, so every run judges, and where the runs do not agree, nothing is decided.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import { countedRounds, isSameStep, meanIsOfAll, missingBecause } from "../../results/burst.ts";
import type { BurstStep } from "../../results/burst_schema.ts";
import { failedKinds, isDisturbed, notPassedOn } from "../../results/deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import type { Known } from "../../results/known.ts";
import type { Result } from "../../results/result_schema.ts";
import { deliveryTexts, disturbedNote } from "../../results/step_texts.ts";
import { unansweredOf } from "../../results/unanswered.ts";
import { decodeLatencyHistogram, latencyPercentile, shareInterval } from "../../statistics/mod.ts";
import { list } from "../../results/words.ts";
import { shareText } from "../../../site/assets/step_text.js";
import { threeDigits } from "../three_digits.ts";
import type { Bands, ClaimQuery } from "./file.ts";
import { find, type JudgedLevel, undecided } from "./level.ts";
import { judgeAbout, judgeAltogether, judgeFailures, type Judgement } from "./verdict.ts";

type BurstQuery = Extract<ClaimQuery, { kind: "burst" }>;
type LostQuery = Extract<ClaimQuery, { kind: "lost" }>;
type DeliveriesQuery = Extract<ClaimQuery, { kind: "deliveries" }>;
type OverheadQuery = Extract<ClaimQuery, { kind: "overhead" }>;
/** A query that results of scenarios without levels can answer. */
export type StepsQuery = BurstQuery | LostQuery | DeliveriesQuery | OverheadQuery;

/** The results of a run. */
type Run = readonly Result[];

/** A claim as runs judge it. */
export interface JudgedSteps extends Judgement {
  levels: JudgedLevel[];
  /** Those of the runs that have something of what the claim is about. */
  measuredBy: Run[];
}

type AtLevel = Omit<JudgedLevel, "at" | "unit">;

/** Tells whether a query is about steps. */
export function isStepsQuery(query: ClaimQuery): query is StepsQuery {
  return ["burst", "lost", "deliveries", "overhead"].includes(query.kind);
}

/** Judges a claim about bursts or deliveries; takes the run that comes first, and others that have all of its implementations. */
export function judgeSteps(query: StepsQuery, bands: Bands, runs: readonly Run[]): JudgedSteps {
  if (query.kind === "deliveries") return besideArticle(query, runs[0]!, deliveryRow);
  if (query.kind === "overhead") return besideArticle(query, runs[0]!, overheadRow);
  const judge = (users: number, results: Run): AtLevel =>
    query.kind === "burst"
      ? judgeBurst(query, users, bands, results)
      : judgeLost(query, users, results);
  const judgeAt = (users: number): JudgedLevel => ({
    at: formatInteger(users),
    unit: query.kind === "burst" ? `users at once, ${query.delaySeconds} s` : "users",
    ...agreed(runs, (results) => judge(users, results)),
  });
  const { shown = [] } = query.kind === "lost" ? query : {};
  const beside = shown.map((users) => ({ ...judgeAt(users), verdict: "not decided" as const }));
  const levels = [...query.users.map(judgeAt), ...beside];
  const measuredBy = runs.filter((results) =>
    query.users.some((users) => judge(users, results).measured !== undefined)
  );
  return { levels, measuredBy, ...judgeAltogether(levels) };
}

/** Judges in every run, and returns the verdict of those that measured; shows the figure of the first of them. */
function agreed(runs: readonly Run[], judge: (results: Run) => AtLevel): AtLevel {
  const judged = runs.map((results) => ({ run: results[0]!.runId, ...judge(results) }));
  const measured = judged.filter(({ measured }) => measured !== undefined);
  const { run: _, ...first } = (measured[0] ?? judged[0])!;
  if (measured.length < 2) return first;
  const said = measured.map(({ run, because }) => `In run ${run}: ${because}`).join(" ");
  return measured.every(({ verdict }) => verdict === first.verdict)
    ? { ...first, because: said }
    : { ...first, verdict: "not decided", because: `The runs do not agree. ${said}` };
}

function judgeBurst(query: BurstQuery, users: number, bands: Bands, results: Run): AtLevel {
  const { subject, delaySeconds, figure, about, upTo } = query;
  const step = burstOf(find(results, subject), users, delaySeconds);
  if ("missing" in step) return undecided(step.missing);
  const { figures } = step.value;
  const estimate = figures?.[figure];
  if (figures === undefined || estimate === undefined) return undecided("no user was answered");
  const { mean, low, high } = estimate;
  const isShare = figure === "failedShare";
  const format = (value: number) =>
    isShare ? `${threeDigits(100 * value)} %` : `${threeDigits(value)} s`;
  const rounds = countedRounds(step.value).length;
  if (low === undefined || high === undefined) {
    return undecided(
      rounds < 3
        ? "fewer than three rounds have no interval"
        : `${format(mean)} in each of ${rounds} rounds tells nothing of how rounds differ`,
    );
  }
  const name = `interval over ${rounds} rounds`;
  const measured = {
    estimate: mean,
    low,
    high,
    runs: 1,
    unit: isShare ? "share" as const : "seconds" as const,
  };
  if (figure === "meanSeconds" && !meanIsOfAll(figures)) {
    const unanswered = `${threeDigits(100 * figures.failedShare.mean)} %`;
    return {
      measured,
      verdict: "not decided",
      because: `The mean wait was ${format(mean)} (${name}: ${format(low)}–${format(high)}), of ` +
        `answered users. ${unanswered} had no answer, and the more a server leaves out, the lower ` +
        "is this mean: it says nothing by itself.",
    };
  }
  return {
    measured,
    ...judgeAbout({ low, high, runs: 1, name }, { about, upTo, format }, bands.aboutFactor),
  };
}

function burstOf(found: Known<Result>, users: number, delaySeconds: number): Known<BurstStep> {
  if ("missing" in found) return found;
  const { bursts, runId } = found.value;
  const step = bursts?.steps.find((it) => isSameStep(it, { users, delaySeconds }));
  if (step === undefined) {
    const what = `${formatInteger(users)} users at once with ${delaySeconds} s`;
    return { missing: `run ${runId} has no burst of ${what}` };
  }
  const missing = missingBecause(step);
  return missing === undefined ? { value: step } : { missing };
}

/** Judges how many of the notifications that were sent were not passed on. */
function judgeLost({ subject, claimed }: LostQuery, users: number, results: Run): AtLevel {
  const step = deliveryOf(find(results, subject), users);
  if ("missing" in step) return undecided(step.missing);
  const { attempted } = step.value;
  const failed = notPassedOn(step.value);
  const { low, high } = shareInterval(failed, attempted);
  return {
    measured: { estimate: failed / attempted, low, high, runs: 1, unit: "share" as const },
    ...judgeFailures(
      { failed, requests: attempted, said: "notifications were not passed on" },
      claimed,
    ),
  };
}

function deliveryOf(found: Known<Result>, users: number): Known<DeliveryStep> {
  if ("missing" in found) return found;
  const { deliveries, runId } = found.value;
  const step = deliveries?.steps.find((it) => it.users === users);
  if (step === undefined) {
    return { missing: `run ${runId} has no notifications of ${formatInteger(users)} users` };
  }
  return step.problem === undefined ? { value: step } : { missing: step.problem };
}

/** What is shown of an implementation beside an article. */
interface Row {
  unit: string;
  /** A sentence, or why there is none. */
  said: Known<string>;
}

/** Shows what a run has of each implementation; it decides nothing. */
function besideArticle<Query extends DeliveriesQuery | OverheadQuery>(
  query: Query,
  results: Run,
  rowOf: (query: Query, found: Known<Result>) => Row,
): JudgedSteps {
  const rows = query.subjects.map((subject) => {
    const found = find(results, subject);
    return {
      at: "value" in found ? found.value.impl.name : subject,
      ...rowOf(query, found),
    };
  });
  const isMeasured = rows.some(({ said }) => "value" in said);
  const levels = rows.map(({ at, unit, said }): JudgedLevel => ({
    at,
    unit,
    ...("value" in said
      ? { verdict: "not decided", because: said.value }
      : undecided(said.missing)),
  }));
  const nothingDecides = query.kind === "deliveries"
    ? "There is one process at each rate, so no figure has an interval, and nothing decides."
    : "The article gives no figure to compare an interval with.";
  return {
    levels,
    measuredBy: isMeasured ? [results] : [],
    verdict: "not decided",
    because: isMeasured
      ? nothingDecides
      : [...new Set(levels.map(({ because }) => because))].join(" "),
  };
}

function deliveryRow({ users }: DeliveriesQuery, found: Known<Result>): Row {
  const step = deliveryOf(found, users);
  const said = "value" in step && "value" in found
    ? { value: describe(step.value, found.value) }
    : { missing: "missing" in step ? step.missing : "it has no result" };
  return { unit: `at ${formatInteger(users)} users`, said };
}

/** Returns how much longer than the delay users waited; those without an answer are in no mean. */
function overheadRow({ users, delaysSeconds }: OverheadQuery, found: Known<Result>): Row {
  const unit = `at ${formatInteger(users)} users at once`;
  const said: string[] = [];
  for (const delaySeconds of delaysSeconds) {
    const step = burstOf(found, users, delaySeconds);
    if ("missing" in step) return { unit, said: step };
    const { meanSeconds: wait, failedShare } = step.value.figures ?? {};
    if (wait === undefined) return { unit, said: { missing: "no user was answered" } };
    const beyond = (seconds: number) => threeDigits(seconds - delaySeconds);
    const interval = wait.low === undefined || wait.high === undefined
      ? []
      : [`${beyond(wait.low)}–${beyond(wait.high)}`];
    const unanswered = failedShare === undefined || failedShare.mean === 0
      ? []
      : [`without the ${shareText(failedShare.mean)} who had no answer`];
    const notes = [...interval, ...unanswered];
    const note = notes.length === 0 ? "" : ` (${notes.join(", ")})`;
    said.push(`${beyond(wait.mean)} s${note} beyond ${delaySeconds} s`);
  }
  return { unit, said: { value: `A mean wait of ${list(said)}.` } };
}

/** Returns p95, which the article has, by the rule of the percentiles of a result; undefined where none was accepted. */
function p95Text(step: DeliveryStep): string | undefined {
  if (step.correct === 0) return undefined;
  const histogram = decodeLatencyHistogram(step.latency.histogram);
  const { seconds, isAtLeast } = latencyPercentile(histogram, 950, unansweredOf(step));
  const bound = isAtLeast ? "≥ " : isDisturbed(step) ? "≤ " : "";
  return `p95 of accepting ${bound}${threeDigits(1000 * seconds)} ms`;
}

/** Returns the figures that the article has, too. */
function describe(step: DeliveryStep, { machine: { cpuCount } }: Result): string {
  const texts = deliveryTexts(step)!;
  const { acceptedPerSecond, cpuSeconds, durationSeconds } = step;
  const parts = [
    `${formatInteger(acceptedPerSecond)} accepted`,
    ...(texts.arrivedPerSecond === undefined ? [] : [`${texts.arrivedPerSecond} arriving`]),
  ];
  const failed = failedKinds(step).map(([kind, count]) => `${formatInteger(count)} ${kind}`);
  const more = [
    `${parts.join(" and ")} a second`,
    [`${texts.lost} lost`, ...failed].join(", "),
    p95Text(step),
    texts.acceptP99Milliseconds && `p99 ${texts.acceptP99Milliseconds} ms`,
    texts.peakThreads && `${texts.peakThreads} threads`,
    texts.peakMemory && `${texts.peakMemory} MiB of memory`,
    cpuSeconds === undefined
      ? undefined
      : `${threeDigits(100 * cpuSeconds / durationSeconds / cpuCount)} % of the CPU`,
    texts.drainSeconds && `the last call ${texts.drainSeconds} s after the load`,
    `the objective is ${step.holds ? "met" : "missed"}`,
    isDisturbed(step) ? disturbedNote : undefined,
  ];
  return `${more.filter((text) => text !== undefined).join("; ")}.`;
}
