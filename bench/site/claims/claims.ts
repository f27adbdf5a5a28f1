/**
 * Claims: is what well-known articles claim reproduced here? Takes the claims, the results of one run, and what the runs
 * before it found; returns a verdict per level and an overall one, with both settings. Only intervals decide, never
 * point estimates: over runs from two comparable ones on. All figures are of warm goodput.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import type { Bands, ClaimQuery, ClaimsFile } from "./file.ts";
import { judgeAbout, judgeAltogether, type Judgement, judgeNoBenefit } from "./verdict.ts";
import { conditionsOf, machineOf } from "../../results/comparable.ts";
import type { ComparedRun } from "../../results/compared_run.ts";
import type { Known } from "../../results/known.ts";
import { warmGoodputAt } from "../../results/goodput.ts";
import { isGeneratorBound } from "../../results/outcome.ts";
import type { Result } from "../../results/result_schema.ts";
import { type CitedRatio, pairOverRuns, seriesOf } from "../../results/over_runs.ts";
import { ownParts, partText, versionsOf } from "../../results/versions.ts";
import { intervalName, list, proseNames, ratioText } from "../../results/words.ts";
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
  /** The setting here; absent where nothing was measured. */
  settingHere?: string;
  kind: ClaimQuery["kind"];
  /** The levels that the claim is about; none if it cannot be tested. */
  levels: JudgedLevel[];
}

export interface JudgedLevel extends Judgement {
  connections: number;
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
  unit: "ratio" | "perSecond";
  /** How many runs the interval is over; 1 for the interval of a single run. */
  runs: number;
  qualifier?: "at least" | "at most";
}

/** The run that tests the claims of a scenario. */
export interface TestedRun {
  results: Result[];
  /** What it and the published runs before it found, the newest first. */
  runs: readonly ComparedRun[];
}

/** Judges all claims; takes at most one tested run per scenario. */
export function judgeClaims(
  { bands, articles, claims }: ClaimsFile,
  tested: TestedRun[],
): JudgedClaims {
  return {
    runs: tested.flatMap(({ results: [first] }) =>
      first === undefined ? [] : [{ scenario: first.scenario, id: first.runId }]
    ),
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
        ...judgeQuery(claim.query, bands, tested),
      };
    }),
  };
}

interface Evidence extends TestedRun {
  bands: Bands;
}

function judgeQuery(
  query: ClaimQuery,
  bands: Bands,
  tested: TestedRun[],
): Pick<JudgedClaim, "levels" | "verdict" | "because" | "settingHere"> {
  if (query.kind === "not-yet") {
    return { levels: [], verdict: "not yet measurable", because: query.reason };
  }
  if (query.kind === "no-figure") {
    return { levels: [], verdict: "not decided", because: query.reason };
  }
  const run = tested.find(({ results: [first] }) => first?.scenario === query.scenario) ??
    { results: [], runs: [] };
  const evidence = { bands, ...run };
  const levels = query.levels.map((connections): JudgedLevel => {
    const judged = query.kind === "goodput"
      ? judgeGoodput(query, connections, evidence)
      : judgeRatio(query, connections, evidence);
    return { connections, ...judged };
  });
  const isMeasured = levels.some(({ measured }) => measured !== undefined);
  const settingHere = isMeasured ? settingOf(query, run.results) : undefined;
  if (query.kind !== "goodput" || !isMeasured) {
    return { levels, settingHere, ...judgeAltogether(levels) };
  }
  const because = "A rate on one machine can be neither reproduced nor refuted on another.";
  return { levels, settingHere, verdict: "not decided", because };
}

type RatioQuery = Extract<ClaimQuery, { kind: "ratio" | "no-benefit" }>;
type GoodputQuery = Extract<ClaimQuery, { kind: "goodput" }>;

function judgeRatio(
  query: RatioQuery,
  connections: number,
  { bands, results, runs }: Evidence,
): Omit<JudgedLevel, "connections"> {
  const subject = find(results, query.subject, query.scenario);
  if ("missing" in subject) return undecided(subject.missing);
  const reference = find(results, query.reference, query.scenario);
  if ("missing" in reference) return undecided(reference.missing);
  const [ofSubject, ofReference] = [query.subject, query.reference].map((id) => seriesOf(id, runs));
  const ratio = pairOverRuns(ofSubject!, ofReference!, connections);
  if ("missing" in ratio) return undecided(ratio.missing);
  const sides = [subject.value, reference.value];
  const [a, b] = sides.map((result) => isGeneratorBound(result, connections));
  const { range: known, qualifier } = readRatio(ratio.value, { a: a!, b: b! });
  const range = { ...known, runs: ratio.value.runs, machines: ratio.value.machines };
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
    measured: { ...measuredOf(ratio.value), unit: "ratio", qualifier },
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
  const { impl: { name }, runId } = found.value;
  const called = proseNames(results.map(({ impl }) => impl.name)).get(name)!;
  const warm = warmGoodputAt(found.value, connections);
  if ("missing" in warm) return undecided(warm.missing);
  const isBound = isGeneratorBound(found.value, connections);
  const [rate, low, high] = [warm.value.estimate, warm.value.low, warm.value.high]
    .map(formatInteger);
  return {
    measured: {
      ...measuredOf({ ...warm.value, runs: 1 }),
      unit: "perSecond",
      qualifier: isBound ? "at least" : undefined,
    },
    verdict: "not decided",
    because: `${called}, warm, gave ${
      isBound ? "at least " : ""
    }${rate} per second in run ${runId} (${intervalName({ runs: 1 })}: ${low}–${high}), ${
      ratioText(warm.value.estimate / about)
    } times the figure.`,
  };
}

function measuredOf({ estimate, low, high, runs }: CitedRatio): Omit<Measured, "unit"> {
  return { estimate, low, high, runs };
}

/** Returns on what a claim was tested here: machine, versions, database, and how. */
function settingOf(query: RatioQuery | GoodputQuery, results: Result[]): string {
  const ids = query.kind === "goodput" ? [query.subject] : [query.subject, query.reference];
  const sides = ids.flatMap((id) => results.filter(({ impl }) => impl.id === id));
  const machines = new Set(sides.map((result) => machineOf(conditionsOf(result))));
  const databases = new Set(sides.flatMap((result) => {
    const { database } = versionsOf(result);
    return database === undefined
      ? []
      : [`${partText(database)}, ${result.plan.poolMax} connections to it`];
  }));
  return [
    [...machines].join(" and "),
    ...sides.map((result) => {
      const versions = versionsOf(result);
      const parts = ownParts.flatMap((part) => versions[part] ? [partText(versions[part])] : []);
      return `${result.impl.name} (${parts.join(", ")})`;
    }),
    ...databases,
    `warm processes at ${list(query.levels)} connections, profile ${sides[0]!.plan.profile}`,
  ].join("; ");
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
