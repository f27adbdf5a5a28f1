/**
 * Claims: does what a well-known article claims hold here? Takes the claims and the results of one run; gives a
 * verdict for each level and one altogether. An interval decides, never a point: what it does not decide
 * stays undecided.
 */
import type { Bands, Claim, ClaimQuery, ClaimsFile } from "./claims_file.ts";
import { isGeneratorBound, type Known, ratioBetween } from "./derive_ratio.ts";
import { lastRepetition, type Result } from "./schema.ts";

export type ClaimVerdict = "confirmed" | "refuted" | "not decided" | "not yet measurable";

/** What is known of all claims: `claims.json`. */
export interface JudgedClaims {
  /** The run that tested them; absent where none is published that could. */
  runId?: string;
  bands: Bands;
  claims: JudgedClaim[];
}

export interface JudgedClaim {
  id: string;
  article: { title: string; author?: string; date?: string; url?: string };
  /** In our words. */
  claim: string;
  /** As the article gives it. */
  figure: string;
  /** In which the article measured. */
  setting: string;
  kind: ClaimQuery["kind"];
  /** Those that the claim is about; none where it cannot be tested. */
  levels: JudgedLevel[];
  verdict: ClaimVerdict;
  /** A sentence. */
  because: string;
}

export interface JudgedLevel {
  connections: number;
  measured?: Measured;
  verdict: ClaimVerdict;
  because: string;
}

/** A ratio has its interval; a rate has none. */
export type Measured =
  | { estimate: number; low: number; high: number; unit: "ratio" }
  | { estimate: number; unit: "perSecond" };

/** Both ends of what the true ratio may be. */
export interface Range {
  low: number;
  high: number;
}

/** Judges all claims by the results of one run, or of none. */
export function judgeClaims(
  { bands, articles, claims }: ClaimsFile,
  results: Result[],
): JudgedClaims {
  const [first] = results;
  return {
    ...(first === undefined ? {} : { runId: first.runId }),
    bands,
    claims: claims.map((claim) => {
      const { setting, ...article } = articles[claim.article]!;
      return {
        id: claim.id,
        article,
        claim: claim.claim,
        figure: claim.figure,
        setting: claim.setting ?? setting,
        kind: claim.query.kind,
        ...judgeQuery(claim.query, { bands, results }),
      };
    }),
  };
}

interface Evidence {
  bands: Bands;
  results: Result[];
}

function judgeQuery(
  query: Claim["query"],
  evidence: Evidence,
): Pick<JudgedClaim, "levels" | "verdict" | "because"> {
  if (query.kind === "not-yet") {
    return { levels: [], verdict: "not yet measurable", because: query.reason };
  }
  if (query.kind === "no-figure") {
    return { levels: [], verdict: "not decided", because: query.reason };
  }
  const levels = query.levels.map((connections): JudgedLevel => {
    const judged = query.kind === "goodput"
      ? judgeGoodput(query, connections, evidence)
      : judgeRatio(query, connections, evidence);
    return { connections, ...judged };
  });
  if (query.kind !== "goodput") return { levels, ...judgeAltogether(levels) };
  const because = "What one machine gives can be neither confirmed nor refuted on another.";
  return { levels, verdict: "not decided", because };
}

type RatioQuery = Extract<ClaimQuery, { kind: "ratio" | "no-benefit" }>;
type GoodputQuery = Extract<ClaimQuery, { kind: "goodput" }>;

function judgeRatio(
  query: RatioQuery,
  connections: number,
  { bands, results }: Evidence,
): Omit<JudgedLevel, "connections"> {
  const subject = find(results, query.subject);
  if ("missing" in subject) return undecided(subject.missing);
  const reference = find(results, query.reference);
  if ("missing" in reference) return undecided(reference.missing);
  const ratio = ratioBetween(subject.value, reference.value, connections);
  if ("missing" in ratio) return undecided(ratio.missing);
  const { estimate, low, high } = ratio.value;
  const bound = [subject.value, reference.value]
    .filter((result) => isGeneratorBound(result, connections)).map(({ impl }) => impl.id);
  // A generator that has no more to give holds its side back by an unknown amount.
  const range = {
    low: bound.includes(query.reference) ? 0 : low,
    high: bound.includes(query.subject) ? Infinity : high,
  };
  const judged = query.kind === "ratio"
    ? judgeAbout(range, query, bands.aboutFactor)
    : judgeNoBenefit(range, bands.benefitRatio);
  const because = bound.length === 0
    ? judged.because
    : `${judged.because} The load generator bounds ${list(bound)}.`;
  return {
    measured: { estimate, low, high, unit: "ratio" },
    verdict: judged.verdict,
    because,
  };
}

/**
 * Judges "about x": confirmed with the whole range in the band from x / factor to x · factor, refuted with
 * all of it outside.
 */
export function judgeAbout(
  range: Range,
  { about, subject, reference }: Pick<
    Extract<ClaimQuery, { kind: "ratio" }>,
    "about" | "subject" | "reference"
  >,
  factor: number,
): { verdict: ClaimVerdict; because: string } {
  const band = { low: about / factor, high: about * factor };
  const what = `The interval (${show(range)})`;
  const of = `the band of ${show(band)}`;
  const direction = range.low > 1
    ? `${subject} is faster`
    : range.high < 1
    ? `${reference} is faster`
    : "neither is shown to be faster";
  if (band.low <= range.low && range.high <= band.high) {
    return { verdict: "confirmed", because: `${what} lies within ${of}.` };
  }
  if (range.high < band.low) {
    return { verdict: "refuted", because: `${what} lies wholly below ${of}; ${direction}.` };
  }
  if (band.high < range.low) {
    return { verdict: "refuted", because: `${what} lies wholly above ${of}; ${direction}.` };
  }
  return {
    verdict: "not decided",
    because: `${what} lies partly in and partly outside ${of}; ${direction}.`,
  };
}

/** Judges "no benefit": refuted with the whole range above the limit, confirmed with all of it below. */
export function judgeNoBenefit(
  range: Range,
  limit: number,
): { verdict: ClaimVerdict; because: string } {
  const what = `The interval (${show(range)})`;
  const from = `${round(limit)}, from where a benefit counts`;
  if (range.low > limit) {
    return { verdict: "refuted", because: `${what} lies wholly above ${from}.` };
  }
  if (range.high < limit) {
    return { verdict: "confirmed", because: `${what} lies wholly below ${from}.` };
  }
  return { verdict: "not decided", because: `${what} holds ${from}.` };
}

function judgeGoodput(
  { subject, about }: GoodputQuery,
  connections: number,
  { results }: Evidence,
): Omit<JudgedLevel, "connections"> {
  const found = find(results, subject);
  if ("missing" in found) return undecided(found.missing);
  const { levels, machine } = found.value;
  const level = levels.find((level) => level.connections === connections);
  const estimate = level && lastRepetition(level).figures?.goodputPerSecond;
  if (estimate === undefined) {
    return undecided(`${subject} has no valid figure at ${connections} connections`);
  }
  const least = isGeneratorBound(found.value, connections) ? "At least " : "";
  return {
    measured: { estimate, unit: "perSecond" },
    verdict: "not decided",
    because: `${least}${count(estimate)} per second here, ${(estimate / about).toFixed(1)} times ` +
      `the figure, on ${machine.cpuModel} with ${machine.cpuCount} processors.`,
  };
}

/** Draws the verdict on a claim from those on its levels, and says at which of them what is so. */
export function judgeAltogether(
  levels: readonly JudgedLevel[],
): { verdict: ClaimVerdict; because: string } {
  const byVerdict = Map.groupBy(levels, ({ verdict }) => verdict);
  const order = ["refuted", "confirmed", "not decided"] as const;
  const verdict = byVerdict.has("refuted")
    ? "refuted"
    : byVerdict.size === 1 && byVerdict.has("confirmed")
    ? "confirmed"
    : "not decided";
  const [because, ...others] = new Set(levels.map(({ because }) => because));
  if (others.length === 0 && because !== undefined) return { verdict, because };
  const parts = order.flatMap((verdict) => {
    const at = byVerdict.get(verdict)?.map(({ connections }) => connections);
    return at === undefined ? [] : [`${verdict} at ${list(at)} connections`];
  });
  return { verdict, because: `${capitalise(parts.join("; "))}.` };
}

function find(results: Result[], implId: string): Known<Result> {
  const [first] = results;
  if (first === undefined) return { missing: "no full run has been published yet" };
  const result = results.find(({ impl }) => impl.id === implId);
  if (result === undefined) return { missing: `run ${first.runId} has no result of ${implId}` };
  return { value: result };
}

function undecided(reason: string): Omit<JudgedLevel, "connections"> {
  return { verdict: "not decided", because: `Nothing to judge by: ${reason}.` };
}

function show({ low, high }: Range): string {
  if (high === Infinity) return low === 0 ? "unbounded" : `at least ${round(low)}`;
  return low === 0 ? `at most ${round(high)}` : `${round(low)} to ${round(high)}`;
}

/** Three digits behind the point: enough to see on which side of a limit a bound lies. */
function round(ratio: number): string {
  return String(Number(ratio.toFixed(3)));
}

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function list(values: readonly (number | string)[]): string {
  return new Intl.ListFormat("en").format(values.map(String));
}

function capitalise(sentence: string): string {
  return sentence.charAt(0).toUpperCase() + sentence.slice(1);
}
