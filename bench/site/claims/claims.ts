/**
 * Claims: does what a well-known article claims hold here? Takes the claims and the results of one run; gives a
 * verdict for each level and one altogether. An interval decides, never a point: what it does not decide
 * stays undecided.
 */
import type { Bands, ClaimQuery, ClaimsFile } from "./file.ts";
import { judgeAbout, judgeAltogether, type Judgement, judgeNoBenefit, list } from "./verdict.ts";
import { isGeneratorBound, type Known, ratioBetween } from "../../results/compared.ts";
import { lastRepetition, type Result } from "../../results/result_schema.ts";

/** What is known of all claims: `claims.json`. */
export interface JudgedClaims {
  /** The run that tested them; absent where none is published that could. */
  runId?: string;
  bands: Bands;
  claims: JudgedClaim[];
}

export interface JudgedClaim extends Judgement {
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
}

export interface JudgedLevel extends Judgement {
  connections: number;
  measured?: Measured;
}

/**
 * A ratio has its interval; a rate has none. The qualifier says how to read the estimate where the load generator bounds
 * one side; it is absent where it bounds both, which leaves the ratio open.
 */
export type Measured =
  | {
    estimate: number;
    low: number;
    high: number;
    unit: "ratio";
    qualifier?: "at least" | "at most";
  }
  | { estimate: number; unit: "perSecond"; qualifier?: "at least" };

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
  query: ClaimQuery,
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
  const qualifier = bound.length !== 1
    ? undefined
    : bound[0] === query.subject
    ? "at least"
    : "at most";
  return {
    measured: {
      estimate,
      low,
      high,
      unit: "ratio",
      ...(qualifier === undefined ? {} : { qualifier }),
    },
    verdict: judged.verdict,
    because,
  };
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
  const isBound = isGeneratorBound(found.value, connections);
  return {
    measured: { estimate, unit: "perSecond", ...(isBound ? { qualifier: "at least" } : {}) },
    verdict: "not decided",
    because:
      `${isBound ? "At least " : ""}${count(estimate)} per second here, ${
        (estimate / about).toFixed(1)
      } times ` +
      `the figure, on ${machine.cpuModel} with ${machine.cpuCount} processors.`,
  };
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

function count(value: number): string {
  return Math.round(value).toLocaleString("en");
}
