/**
 * Judges claims about scenarios without levels: bursts of users, and deliveries of notifications. Takes the query of a claim
 * and the results that test it. A burst has intervals over rounds. At each rate of deliveries there is one process: shares
 * of its notifications have intervals, its other figures stand beside the article's and decide nothing.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import { countedRounds, isSameStep, meanIsOfAll, missingBecause } from "../../results/burst.ts";
import type { BurstStep } from "../../results/burst_schema.ts";
import { isDisturbed, notPassedOn } from "../../results/deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import type { Known } from "../../results/known.ts";
import type { Result } from "../../results/result_schema.ts";
import { deliveryTexts, disturbedNote } from "../../results/step_texts.ts";
import { shareInterval } from "../../statistics/mod.ts";
import { threeDigits } from "../three_digits.ts";
import type { ClaimQuery } from "./file.ts";
import { type Evidence, find, type JudgedLevel, undecided } from "./level.ts";
import { judgeAbout, judgeAltogether, judgeFailures, type Judgement } from "./verdict.ts";

type BurstQuery = Extract<ClaimQuery, { kind: "burst" }>;
type LostQuery = Extract<ClaimQuery, { kind: "lost" }>;
type DeliveriesQuery = Extract<ClaimQuery, { kind: "deliveries" }>;
/** A query that results of scenarios without levels can answer. */
export type StepsQuery = BurstQuery | LostQuery | DeliveriesQuery;

/** A claim as results judge it. */
export interface JudgedSteps extends Judgement {
  levels: JudgedLevel[];
  isMeasured: boolean;
}

type AtLevel = Omit<JudgedLevel, "at" | "unit">;

/** Tells whether a query is about steps. */
export function isStepsQuery(query: ClaimQuery): query is StepsQuery {
  return query.kind === "burst" || query.kind === "lost" || query.kind === "deliveries";
}

/** Judges a claim about bursts or deliveries. */
export function judgeSteps(query: StepsQuery, evidence: Evidence): JudgedSteps {
  if (query.kind === "deliveries") return judgeDeliveries(query, evidence);
  const levels = query.users.map((users): JudgedLevel =>
    query.kind === "burst"
      ? {
        at: formatInteger(users),
        unit: `users at once, ${query.delaySeconds} s`,
        ...judgeBurst(query, users, evidence),
      }
      : { at: formatInteger(users), unit: "users", ...judgeLost(query, users, evidence) }
  );
  const isMeasured = levels.some(({ measured }) => measured !== undefined);
  return { levels, isMeasured, ...judgeAltogether(levels) };
}

function judgeBurst(query: BurstQuery, users: number, { bands, results }: Evidence): AtLevel {
  const { subject, delaySeconds, figure, about, upTo } = query;
  const step = burstOf(find(results, subject), users, delaySeconds);
  if ("missing" in step) return undecided(step.missing);
  const { figures } = step.value;
  const estimate = figures?.[figure];
  if (figures === undefined || estimate === undefined) return undecided("no user was answered");
  const { mean, low, high } = estimate;
  if (low === undefined || high === undefined) {
    return undecided("fewer than three rounds have no interval");
  }
  const isShare = figure === "failedShare";
  const format = (value: number) =>
    isShare ? `${threeDigits(100 * value)} %` : `${threeDigits(value)} s`;
  const name = `interval over ${countedRounds(step.value).length} rounds`;
  const measured = {
    ...{ estimate: mean, low, high, runs: 1 },
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
function judgeLost({ subject, claimed }: LostQuery, users: number, evidence: Evidence) {
  const step = deliveryOf(find(evidence.results, subject), users);
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

function judgeDeliveries(query: DeliveriesQuery, { results }: Evidence): JudgedSteps {
  const { subjects, users } = query;
  const told = subjects.map((subject) => {
    const found = find(results, subject);
    const step = deliveryOf(found, users);
    return {
      name: "value" in found ? found.value.impl.name : subject,
      judged: "value" in step && "value" in found
        ? { verdict: "not decided" as const, because: describe(step.value, found.value) }
        : undecided("missing" in step ? step.missing : "it has no result"),
      isMeasured: "value" in step,
    };
  });
  const isMeasured = told.some((it) => it.isMeasured);
  return {
    levels: told.map(({ name, judged }) => ({
      at: name,
      unit: `with ${formatInteger(users)} users`,
      ...judged,
    })),
    isMeasured,
    verdict: "not decided",
    because: isMeasured
      ? "There is one process at each rate, so no figure has an interval, and nothing decides."
      : [...new Set(told.map(({ judged }) => judged.because))].join(" "),
  };
}

/** Returns the figures that the article has, too. */
function describe(step: DeliveryStep, { machine: { cpuCount } }: Result): string {
  const texts = deliveryTexts(step)!;
  const { acceptedPerSecond, cpuSeconds, durationSeconds } = step;
  const parts = [
    `${formatInteger(acceptedPerSecond)} accepted`,
    ...(texts.arrivedPerSecond === undefined ? [] : [`${texts.arrivedPerSecond} arriving`]),
  ];
  const more = [
    `${parts.join(" and ")} a second`,
    texts.acceptP99Milliseconds && `p99 of accepting ${texts.acceptP99Milliseconds} ms`,
    texts.peakThreads && `${texts.peakThreads} threads`,
    texts.peakMemory && `${texts.peakMemory} MiB of memory`,
    cpuSeconds === undefined
      ? undefined
      : `${threeDigits(100 * cpuSeconds / durationSeconds / cpuCount)} % of the CPU`,
    texts.drainSeconds && `the last call ${texts.drainSeconds} s after the load`,
    isDisturbed(step) ? disturbedNote : undefined,
  ];
  return `${more.filter((text) => text !== undefined).join("; ")}.`;
}
