/**
 * Claims: is what well-known articles claim reproduced here? Takes the claims, the results of one run, and what the runs
 * before it found; returns a verdict per level and an overall one, with both settings. Only intervals decide, never
 * point estimates: over runs from two comparable ones on. Figures are of warm goodput, but those of failures and of steps.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import type { Bands, ClaimQuery, ClaimsFile } from "./file.ts";
import { type JudgedLevel, judgeLevel, type MeasuredQuery, type TestedRun } from "./level.ts";
import { type Reproduction, reproductionsOf } from "./reproductions.ts";
import { isStepsQuery, judgeSteps, type StepsQuery } from "./steps.ts";
import { judgeAltogether, type Judgement } from "./verdict.ts";
import { bottleneckWords } from "../bottleneck_words.ts";
import { conditionsOf, machineOf } from "../../results/comparable.ts";
import { frameAt } from "../../results/bottleneck.ts";
import type { Result } from "../../results/result_schema.ts";
import { namedParts, partText, versionsOf } from "../../results/versions.ts";
import { capitalise, list, proseNames } from "../../results/words.ts";

/** All claims with their verdicts: `data/claims.json`. */
export interface JudgedClaims {
  /** The run that tested the claims of each scenario, if one is published. */
  runs: { scenario: string; id: string }[];
  bands: Bands;
  claims: JudgedClaim[];
  /** What published runs with the counts of an article show: they decide nothing, and stand beside its claims. */
  reproductions: Reproduction[];
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
  /** What stands behind the verdict in a sentence: at which levels it is so, or why. */
  more: string;
  /** The setting here; absent where nothing was measured. */
  settingHere?: string;
  /** What bounded the cold load of each implementation at each level, in clauses; absent where that was not looked for. */
  boundsHere?: string[];
  kind: ClaimQuery["kind"];
  /** What follows from the article's own figures, with the arithmetic. */
  implies?: string[];
  /** The levels that the claim is about; none if it cannot be tested. */
  levels: JudgedLevel[];
}

/**
 * Judges all claims; takes at most one tested run per scenario, and the published results that reproduce an article, the
 * newest first.
 */
export function judgeClaims(
  { bands, articles, claims }: ClaimsFile,
  tested: TestedRun[],
  reproduced: readonly Result[] = [],
): JudgedClaims {
  return {
    runs: tested.flatMap(({ results: [first] }) =>
      first === undefined ? [] : [{ scenario: first.scenario, id: first.runId }]
    ),
    bands,
    reproductions: reproductionsOf({ articles }, reproduced),
    claims: claims.map((claim) => {
      const { setting, reproductions: _, ...article } = articles[claim.article]!;
      const judged = judgeQuery(claim.query, bands, tested);
      return {
        id: claim.id,
        article,
        claim: claim.claim,
        figure: claim.figure,
        setting: claim.setting ?? setting,
        kind: claim.query.kind,
        implies: claim.implies,
        ...judged,
        more: moreOf(judged),
      };
    }),
  };
}

function judgeQuery(
  query: ClaimQuery,
  bands: Bands,
  tested: TestedRun[],
): Pick<JudgedClaim, "levels" | "verdict" | "because" | "settingHere" | "boundsHere"> {
  if (query.kind === "not-yet") {
    return { levels: [], verdict: "not yet measurable", because: query.reason };
  }
  if (query.kind === "no-figure") {
    return { levels: [], verdict: "not decided", because: query.reason };
  }
  const runOf = (scenario: string) =>
    tested.find(({ results: [first] }) => first?.scenario === scenario) ??
      { results: [], runs: [] };
  const run = runOf(query.scenario);
  const missing = [query.scenario, ...(query.kind === "cost" ? ["hello"] : [])]
    .find((scenario) => runOf(scenario).results.length === 0);
  if (missing !== undefined) {
    const because = `No full run of scenario ${missing} has been published.`;
    return { levels: [], verdict: "not measured yet", because };
  }
  const evidence = { bands, hello: runOf("hello").results, ...run };
  if (isStepsQuery(query)) {
    const { isMeasured, ...judged } = judgeSteps(query, evidence);
    return { ...judged, settingHere: isMeasured ? settingOf(query, run.results) : undefined };
  }
  const levels = query.levels.map((connections): JudgedLevel => ({
    ...{ at: formatInteger(connections), unit: "connections" },
    ...judgeLevel(query, connections, evidence),
  }));
  const isThere = (id: string) => run.results.some(({ impl }) => impl.id === id);
  const isMeasured = query.kind === "cold-ratio"
    ? idsOf(query).every(isThere)
    : levels.some(({ measured }) => measured !== undefined);
  const here = isMeasured
    ? { settingHere: settingOf(query, run.results), boundsHere: boundsOf(query, run.results) }
    : {};
  if (query.kind === "cold-ratio" && isMeasured) {
    const because = "It is about cold processes, and one load of each has no interval.";
    return { levels, ...here, verdict: "not decided", because };
  }
  if (query.kind !== "goodput" || !isMeasured) {
    return { levels, ...here, ...judgeAltogether(levels) };
  }
  const because = "A rate on one machine can be neither reproduced nor refuted on another.";
  return { levels, ...here, verdict: "not decided", because };
}

function moreOf({ verdict, because }: Judgement): string {
  const head = capitalise(verdict);
  return because.startsWith(`${head} at `) ? because.slice(head.length) : `. ${because}`;
}

/** Returns what bounded the cold loads of what a query is about; undefined where no load says. */
function boundsOf(query: MeasuredQuery, results: Result[]): string[] | undefined {
  const called = proseNames(results.map(({ impl }) => impl.name));
  const bounds = idsOf(query).flatMap((id) => results.filter(({ impl }) => impl.id === id))
    .flatMap((result) =>
      query.levels.flatMap((connections) => {
        const frame = frameAt(result, connections);
        return frame === undefined ? [] : [
          `${called.get(result.impl.name)!} at ${formatInteger(connections)} connections: ${
            bottleneckWords[frame.bottleneck]
          } (${frame.because})`,
        ];
      })
    );
  return bounds.length === 0 ? undefined : bounds;
}

/** Whether a commit waits for the disk: 1, MySQL's default, or not. */
const flushVariable = "innodb_flush_log_at_trx_commit";

/** Returns on what a claim was tested here: machine, versions, database, and how. */
function settingOf(query: MeasuredQuery | StepsQuery, results: Result[]): string {
  const sides = idsOf(query).flatMap((id) => results.filter(({ impl }) => impl.id === id));
  const machines = new Set(sides.map((result) => machineOf(conditionsOf(result))));
  const databases = new Set(sides.flatMap((result) => {
    const { database } = versionsOf(result);
    if (database === undefined) return [];
    const flush = result.database?.variables[flushVariable];
    // Only where rows are written does it matter.
    const writes = result.plan.durable !== undefined && flush !== undefined;
    return [
      `${partText(database)}, ${result.plan.poolMax} connections to it${
        writes ? `, ${flushVariable} = ${flush}` : ""
      }`,
    ];
  }));
  return [
    [...machines].join(" and "),
    ...sides.map((result) => {
      const versions = versionsOf(result);
      const parts = namedParts.flatMap((part) => versions[part] ? [partText(versions[part])] : []);
      return `${result.impl.name} (${parts.join(", ")})`;
    }),
    ...databases,
    `${howOf(query, sides[0]!)}, profile ${sides[0]!.plan.profile}`,
    ...isStepsQuery(query) ? notesOf(sides) : [],
  ].join("; ");
}

/** Returns the implementations that a query is about. */
function idsOf(query: MeasuredQuery | StepsQuery): string[] {
  if ("subjects" in query) return query.subjects;
  return "reference" in query ? [query.subject, query.reference] : [query.subject];
}

/** Returns how what a query is about was measured. */
function howOf(query: MeasuredQuery | StepsQuery, { plan }: Result): string {
  if (query.kind === "burst") return `${plan.bursts!.rounds} rounds, each with a fresh process`;
  if (isStepsQuery(query)) {
    return `each rate for ${plan.deliveries!.secondsPerStep} s to a fresh process, in an open loop`;
  }
  const how = query.kind === "failures" || query.kind === "cold-ratio"
    ? `${formatInteger(plan.requests)} requests to a fresh process`
    : "warm processes";
  return `${how} at ${list(query.levels.map(formatInteger))} connections`;
}

/** Returns what implementations say of their settings, which decide what becomes of so many users. */
function notesOf(sides: readonly Result[]): string[] {
  return sides.flatMap(({ impl: { name, note } }) =>
    note === undefined ? [] : [`${name}: ${note.replace(/\.$/, "")}`]
  );
}
