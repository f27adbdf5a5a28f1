/**
 * Claims: do claims of well-known articles hold here? Takes the claims and the results of one run; returns a verdict
 * per level and an overall one. Only intervals decide, never point estimates.
 */
import type { Bands, ClaimQuery, ClaimsFile } from "./file.ts";
import { judgeAbout, judgeAltogether, type Judgement, judgeNoBenefit } from "./verdict.ts";
import { ratioBetween } from "../../results/compared.ts";
import type { Known } from "../../results/known.ts";
import { isGeneratorBound, outcomeAt } from "../../results/outcome.ts";
import type { Result } from "../../results/result_schema.ts";
import { list, proseNames, ratioText } from "../../results/words.ts";
import { readRatio } from "../../statistics/mod.ts";

/** All claims with their verdicts: `claims.json`. */
export interface JudgedClaims {
  /** The run that tested the claims of each scenario, if one is published. */
  runs: { scenario: string; id: string }[];
  bands: Bands;
  claims: JudgedClaim[];
}

export interface JudgedClaim extends Judgement {
  id: string;
  article: { title: string; author?: string; date?: string; url?: string };
  /** The claim, reworded. */
  claim: string;
  /** The article's figure. */
  figure: string;
  /** The article's setting. */
  setting: string;
  kind: ClaimQuery["kind"];
  /** The levels that the claim is about; none if it cannot be tested. */
  levels: JudgedLevel[];
}

export interface JudgedLevel extends Judgement {
  connections: number;
  measured?: Measured;
}

/**
 * A ratio has an interval, a rate has none. The qualifier says how to read the estimate if the load generator bounds
 * one side; it is absent if it bounds both, so that the ratio is unknown.
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

/** Judges all claims; takes the results of at most one run per scenario. */
export function judgeClaims(
  { bands, articles, claims }: ClaimsFile,
  runs: Result[][],
): JudgedClaims {
  return {
    runs: runs.flatMap(([first]) => first ? [{ scenario: first.scenario, id: first.runId }] : []),
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
        ...judgeQuery(claim.query, bands, runs),
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
  bands: Bands,
  runs: Result[][],
): Pick<JudgedClaim, "levels" | "verdict" | "because"> {
  if (query.kind === "not-yet") {
    return { levels: [], verdict: "not yet measurable", because: query.reason };
  }
  if (query.kind === "no-figure") {
    return { levels: [], verdict: "not decided", because: query.reason };
  }
  const results = runs.find(([first]) => first?.scenario === query.scenario) ?? [];
  const evidence = { bands, results };
  const levels = query.levels.map((connections): JudgedLevel => {
    const judged = query.kind === "goodput"
      ? judgeGoodput(query, connections, evidence)
      : judgeRatio(query, connections, evidence);
    return { connections, ...judged };
  });
  if (query.kind !== "goodput" || levels.every(({ measured }) => measured === undefined)) {
    return { levels, ...judgeAltogether(levels) };
  }
  const because = "A rate on one machine can be neither confirmed nor refuted on another.";
  return { levels, verdict: "not decided", because };
}

type RatioQuery = Extract<ClaimQuery, { kind: "ratio" | "no-benefit" }>;
type GoodputQuery = Extract<ClaimQuery, { kind: "goodput" }>;

function judgeRatio(
  query: RatioQuery,
  connections: number,
  { bands, results }: Evidence,
): Omit<JudgedLevel, "connections"> {
  const subject = find(results, query.subject, query.scenario);
  if ("missing" in subject) return undecided(subject.missing);
  const reference = find(results, query.reference, query.scenario);
  if ("missing" in reference) return undecided(reference.missing);
  const ratio = ratioBetween(subject.value, reference.value, connections);
  if ("missing" in ratio) return undecided(ratio.missing);
  const { estimate, low, high } = ratio.value;
  const sides = [subject.value, reference.value];
  const [a, b] = sides.map((result) => isGeneratorBound(result, connections));
  const { range, qualifier } = readRatio(ratio.value, { a: a!, b: b! });
  const called = proseNames(results.map(({ impl }) => impl.name));
  const names = sides.map(({ impl }) => called.get(impl.name)!);
  const judged = query.kind === "ratio"
    ? judgeAbout(
      range,
      { about: query.about, subject: names[0]!, reference: names[1]! },
      bands.aboutFactor,
    )
    : judgeNoBenefit(range, bands.benefitRatio);
  const bound = names.filter((_, index) => [a, b][index]);
  return {
    measured: { estimate, low, high, unit: "ratio", qualifier },
    verdict: judged.verdict,
    because: bound.length === 0
      ? judged.because
      : `${judged.because} The load generator limited ${list(bound)}.`,
  };
}

function judgeGoodput(
  { subject, about, scenario }: GoodputQuery,
  connections: number,
  { results }: Evidence,
): Omit<JudgedLevel, "connections"> {
  const found = find(results, subject, scenario);
  if ("missing" in found) return undecided(found.missing);
  const { impl: { name }, machine } = found.value;
  const outcome = outcomeAt(found.value, connections);
  if ("missing" in outcome) {
    return undecided(`${name} has no valid figure at ${connections} connections`);
  }
  const estimate = outcome.value.figures.goodputPerSecond;
  const isBound = isGeneratorBound(found.value, connections);
  const rate = Math.round(estimate).toLocaleString("en");
  return {
    measured: { estimate, unit: "perSecond", qualifier: isBound ? "at least" : undefined },
    verdict: "not decided",
    because: `${isBound ? "At least " : ""}${rate} per second here, ${
      ratioText(estimate / about)
    } times the figure, on ${machine.cpuModel} with ${machine.cpuCount} processors.`,
  };
}

function find(results: Result[], implId: string, scenario: string): Known<Result> {
  const [first] = results;
  if (first === undefined) {
    return { missing: `no full run of scenario ${scenario} has been published yet` };
  }
  const value = results.find(({ impl }) => impl.id === implId);
  return value === undefined
    ? { missing: `run ${first.runId} has no result of ${implId}` }
    : { value };
}

function undecided(reason: string): Omit<JudgedLevel, "connections"> {
  return { verdict: "not decided", because: `No comparison: ${reason}.` };
}
