/**
 * Judges one level of a claim: what was measured there, and what its interval says of the claim. Takes the query of the
 * claim and the results that test it.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import { sum } from "../../lib/sum.ts";
import type { Bands, ClaimQuery, Figures } from "./file.ts";
import { judgeAbout, judgeFailures, type Judgement, judgeNoBenefit } from "./verdict.ts";
import type { ComparedRun } from "../../results/compared_run.ts";
import type { Known } from "../../results/known.ts";
import { coldGoodputOfFirst, warmGoodputAt } from "../../results/goodput.ts";
import {
  isGeneratorBound,
  isOfMachine,
  lastRepetition,
  levelAt,
  outcomeOf,
} from "../../results/outcome.ts";
import type { Result } from "../../results/result_schema.ts";
import type { CitedRatio } from "../../results/over_runs.ts";
import { pairOverRuns, pairVarianceOf } from "../../results/pairs_over_runs.ts";
import { isBoundIn, seriesOf } from "../../results/series.ts";
import { shareOfHello } from "../../results/share_of_hello.ts";
import { capitalise, intervalName, list, proseNames, ratioText } from "../../results/words.ts";
import { inverse, readRatio, shareInterval } from "../../statistics/mod.ts";
import { threeDigits } from "../three_digits.ts";

export interface JudgedLevel extends Judgement {
  /** What of its unit: `50`. */
  at: string;
  /** `connections`, or what a scenario without levels has in their place. */
  unit: string;
  measured?: Measured;
}

/**
 * What was measured, with its interval; a rate's is of a single run. The qualifier says how to read the estimate if the
 * load generator bounds one side; it is absent if it bounds both, so that the ratio is unknown.
 */
export interface Measured {
  estimate: number;
  low: number;
  high: number;
  unit: "ratio" | "perSecond" | "share" | "seconds";
  /** How many runs the interval is over; 1 for the interval of a single run. */
  runs: number;
  qualifier?: "at least" | "at most";
}

/** A run that may test claims of its scenario. */
export interface TestedRun {
  results: Result[];
  /** What it and the published runs before it found, the newest first. */
  runs: readonly ComparedRun[];
}

/** What tests the claims of a scenario. */
export interface Evidence extends TestedRun {
  bands: Bands;
  /** Results of the run that tests claims about `hello`. */
  hello: Result[];
}

type RatioQuery = Extract<ClaimQuery, { kind: "ratio" | "no-benefit" }>;
type ColdRatioQuery = Extract<ClaimQuery, { kind: "cold-ratio" }>;
type GoodputQuery = Extract<ClaimQuery, { kind: "goodput" }>;
type CostQuery = Extract<ClaimQuery, { kind: "cost" }>;
type FailuresQuery = Extract<ClaimQuery, { kind: "failures" }>;
/** A query that results can answer. */
export type MeasuredQuery = RatioQuery | ColdRatioQuery | GoodputQuery | CostQuery | FailuresQuery;

/** Judges a claim at a level. */
export function judgeLevel(
  query: MeasuredQuery,
  connections: number,
  evidence: Evidence,
): Omit<JudgedLevel, "at" | "unit"> {
  if (query.kind === "goodput") return judgeGoodput(query, connections, evidence);
  if (query.kind === "cold-ratio") return judgeColdRatio(query, connections, evidence);
  if (query.kind === "cost") return judgeCost(query, connections, evidence);
  if (query.kind === "failures") return judgeFailed(query, connections, evidence);
  return judgeRatio(query, connections, evidence);
}

function judgeRatio(
  query: RatioQuery,
  connections: number,
  { bands, results, runs }: Evidence,
): Omit<JudgedLevel, "at" | "unit"> {
  const subject = find(results, query.subject);
  if ("missing" in subject) return undecided(subject.missing);
  const reference = find(results, query.reference);
  if ("missing" in reference) return undecided(reference.missing);
  const [ofSubject, ofReference] = [query.subject, query.reference].map((id) => seriesOf(id, runs));
  // Those of one class are ranked together, so how far runs differ is theirs.
  const ranked = (runs[0]?.impls ?? []).filter((impl) =>
    impl.class === subject.value.impl.class && impl.conditions.control !== undefined
  );
  const all = ranked.map(({ id }) => seriesOf(id, runs));
  const pooled = pairVarianceOf(all, connections);
  const ratio = pairOverRuns(ofSubject!, ofReference!, connections, { pooled });
  if ("missing" in ratio) return undecided(ratio.missing);
  const sides = [subject.value, reference.value];
  const [a, b] = [ofSubject!, ofReference!].map((series) => isBoundIn(series, connections));
  const { range: known, qualifier } = readRatio(ratio.value, { a: a!, b: b! });
  const range = { ...known, runs: ratio.value.runs, machines: ratio.value.machines };
  const called = proseNames(results.map(({ impl }) => impl.name));
  const names = sides.map(({ impl }) => called.get(impl.name)!);
  const judged = query.kind === "ratio"
    ? judgeAbout(
      range,
      { ...query, names: { subject: names[0]!, reference: names[1]! } },
      bands.aboutFactor,
    )
    : judgeNoBenefit(range, bands.benefitRatio);
  const bound = names.filter((_, index) => [a, b][index]);
  return {
    measured: { ...measuredOf(ratio.value), unit: "ratio", qualifier },
    verdict: judged.verdict,
    because: bound.length === 0
      ? judged.because
      : `${judged.because} The load generator limited ${list(bound)}.`,
  };
}

/** Has the ratio of two cold loads, as far as the article's went; one load each has no interval, so it decides nothing. */
function judgeColdRatio(
  { subject, reference, requests }: ColdRatioQuery,
  connections: number,
  { results }: Evidence,
): Omit<JudgedLevel, "at" | "unit"> {
  const called = proseNames(results.map(({ impl }) => impl.name));
  const sides: { name: string; perSecond: number; first: string }[] = [];
  for (
    const [id, first] of [[subject, requests.subject], [reference, requests.reference]] as const
  ) {
    const found = find(results, id);
    if ("missing" in found) return undecided(found.missing);
    const name = called.get(found.value.impl.name)!;
    const rate = coldGoodputOfFirst(found.value, connections, first);
    if ("missing" in rate) return undecided(`${name}: ${rate.missing}`);
    sides.push({ name, perSecond: rate.value, first: formatInteger(first) });
  }
  const said = sides.map(({ name, perSecond, first }) =>
    `${name} answered ${threeDigits(perSecond)} per second over its first ${first} requests`
  );
  return {
    verdict: "not decided",
    because: `${said.join(", ")}: ${
      ratioText(sides[0]!.perSecond / sides[1]!.perSecond)
    } times as many, in one load each, so without an interval.`,
  };
}

/**
 * Returns what implementations do with every commit on disk, as MySQL does by default, in one row; none where that was not
 * measured. It is one cold load of each, so it decides nothing.
 */
export function durableLevels(ids: readonly string[], results: Result[]): JudgedLevel[] {
  const called = proseNames(results.map(({ impl }) => impl.name));
  const sides = ids.flatMap((id) => {
    const result = results.find(({ impl }) => impl.id === id);
    const load = result?.durable?.load;
    const outcome = load && outcomeOf(load);
    return outcome === undefined || "missing" in outcome ? [] : [{
      name: called.get(result!.impl.name)!,
      connections: formatInteger(load!.connections),
      perSecond: outcome.value.figures.goodputPerSecond,
    }];
  });
  const [first, second] = sides;
  if (first === undefined || sides.length < ids.length) return [];
  const said = sides.map(({ name, perSecond }) => `${name} ${threeDigits(perSecond)} per second`);
  return [{
    at: first.connections,
    unit: "connections, with every commit on disk",
    verdict: "not decided",
    because: `Cold: ${list(said)}, in one load${
      second === undefined ? "" : " each"
    }, so without an interval.`,
  }];
}

/** Judges how many times its goodput in a scenario an implementation has in `hello`. */
function judgeCost(
  { subject, about }: CostQuery,
  connections: number,
  { bands, results, hello }: Evidence,
): Omit<JudgedLevel, "at" | "unit"> {
  const ofJob = find(results, subject);
  if ("missing" in ofJob) return undecided(ofJob.missing);
  const ofHello = find(hello, subject);
  if ("missing" in ofHello) return undecided(ofHello.missing);
  const around = [...results, ...hello];
  const share = shareOfHello(ofJob.value, ofHello.value, connections, around);
  if ("missing" in share) return undecided(share.missing);
  const times = inverse(share.value);
  const bound = {
    a: isGeneratorBound(ofHello.value, connections),
    b: isGeneratorBound(ofJob.value, connections),
  };
  const { range, qualifier } = readRatio(times, bound);
  const name = `interval over the rounds of both runs${
    share.value.coversDrift ? " and their drift" : ""
  }`;
  const { estimate, low, high } = times;
  return {
    measured: { estimate, low, high, runs: 1, unit: "ratio", qualifier },
    ...judgeAbout({ ...range, runs: 1, name }, { about }, bands.aboutFactor),
  };
}

/** Judges how many requests of the cold load failed: a load that is invalid for nothing else counts, too. */
function judgeFailed(
  { subject, claimed }: FailuresQuery,
  connections: number,
  { results }: Evidence,
): Omit<JudgedLevel, "at" | "unit"> {
  const found = find(results, subject);
  if ("missing" in found) return undecided(found.missing);
  const level = levelAt(found.value, connections);
  if (level === undefined) return undecided(`there is no level of ${connections} connections`);
  const { validity, observation } = lastRepetition(level);
  const reasons = validity.valid ? [] : validity.reasons;
  const ended = reasons.find(({ code }) => code === "stalled" || code === "subject-exited");
  if (ended !== undefined && !reasons.some(isOfMachine)) {
    const verdict = claimed === "none" ? "not reproduced here" : "reproduced here";
    return { verdict, because: `${capitalise(ended.message)}.` };
  }
  const others = reasons.filter(({ code }) => code !== "failures");
  if (observation === undefined || others.length > 0) {
    return undecided(others.map(({ message }) => message).join("; ") || "the load did not finish");
  }
  const { attempted: requests } = observation;
  const failed = sum(Object.values(observation.failures));
  return {
    measured: {
      estimate: failed / requests,
      ...shareInterval(failed, requests),
      runs: 1,
      unit: "share",
    },
    ...judgeFailures({ failed, requests }, claimed),
  };
}

function judgeGoodput(
  query: GoodputQuery,
  connections: number,
  { results }: Evidence,
): Omit<JudgedLevel, "at" | "unit"> {
  const found = find(results, query.subject);
  if ("missing" in found) return undecided(found.missing);
  const { impl: { name }, runId } = found.value;
  const called = proseNames(results.map(({ impl }) => impl.name)).get(name)!;
  const warm = warmGoodputAt(found.value, connections);
  if ("missing" in warm) return undecided(warm.missing);
  const isBound = isGeneratorBound(found.value, connections);
  const [rate, low, high] = [warm.value.estimate, warm.value.low, warm.value.high]
    .map(threeDigits);
  return {
    measured: {
      ...measuredOf({ ...warm.value, runs: 1 }),
      unit: "perSecond",
      qualifier: isBound ? "at least" : undefined,
    },
    verdict: "not decided",
    because: `${called}, warm, answered ${
      isBound ? "at least " : ""
    }${rate} requests per second in run ${runId} (${intervalName({ runs: 1 })}: ${low}–${high}), ${
      timesText(warm.value.estimate, query)
    }.`,
  };
}

function timesText(value: number, { about, upTo }: Figures): string {
  return upTo === undefined
    ? `${ratioText(value / about)} times the figure`
    : `${ratioText(value / upTo)} to ${ratioText(value / about)} times the figures`;
}

function measuredOf({ estimate, low, high, runs }: CitedRatio): Omit<Measured, "unit"> {
  return { estimate, low, high, runs };
}

/** Returns the result of an implementation in a run, or why there is none. */
export function find(results: readonly Result[], implId: string): Known<Result> {
  const value = results.find(({ impl }) => impl.id === implId);
  return value === undefined
    ? { missing: `run ${results[0]!.runId} has no result of ${implId}` }
    : { value };
}

/** Returns that nothing was measured that could decide. */
export function undecided(reason: string): Omit<JudgedLevel, "at" | "unit"> {
  return { verdict: "not decided", because: `No comparison: ${reason}.` };
}
