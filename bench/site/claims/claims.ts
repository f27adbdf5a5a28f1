/**
 * Claims: is what well-known articles claim reproduced here? Takes the claims, the results of runs, and what the runs
 * before each found; returns a verdict per level and an overall one, with both settings. Only intervals decide, never
 * point estimates: over runs from two comparable ones on. Figures are of warm goodput, but those of failures and of steps.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import type { Bands, ClaimQuery, ClaimsFile } from "./file.ts";
import {
  durableLevels,
  type Evidence,
  type JudgedLevel,
  judgeLevel,
  type MeasuredQuery,
  type TestedRun,
} from "./level.ts";
import { type Reproduction, reproductionsOf } from "./reproductions.ts";
import { isStepsQuery, judgeSteps, type StepsQuery } from "./steps.ts";
import { judgeAltogether, type Judgement } from "./verdict.ts";
import { bottleneckWords } from "../../results/bottleneck_words.ts";
import { conditionsOf, machineOf } from "../../results/comparable.ts";
import { frameAt } from "../../results/bottleneck.ts";
import type { Result } from "../../results/result_schema.ts";
import { namedParts, partText, versionsOf } from "../../results/versions.ts";
import { capitalise, list, proseNames } from "../../results/words.ts";
import { roundTripsFacts } from "../round_trips.ts";

/** How many runs test a claim about steps: the newest, because their figures stand side by side. */
export const mostTesting = 5;

/** All claims with their verdicts: `data/claims.json`. */
export interface JudgedClaims {
  /** The runs that tested claims. */
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
  /** What it says of this claim's setting besides. */
  settingOfClaim?: string;
  /** What stands behind the verdict in a sentence: at which levels it is so, or why. */
  more: string;
  /** The setting here; absent where nothing was measured. */
  settingHere?: string;
  /** What bounded the cold load of each implementation at each level, in clauses; absent where that was not looked for. */
  boundsHere?: string[];
  kind: ClaimQuery["kind"];
  /** The ids of the runs that tested it: one, or two for what a job costs beside `hello`; none where none did. */
  testedBy: string[];
  /** What follows from the article's own figures, with the arithmetic. */
  implies?: string[];
  /** The levels that the claim is about; none if it cannot be tested. */
  levels: JudgedLevel[];
}

/**
 * Judges all claims; takes the runs that can test them, the current one of each scenario before others of it, and the
 * published results that reproduce an article, the newest first. The current run tests a claim; if it lacks an implementation of
 * the claim, the first other run that has all of them does. A claim about bursts or lost notifications, which no interval over
 * runs covers, is tested by the newest few that have all of them.
 */
export function judgeClaims(
  { bands, articles, claims }: ClaimsFile,
  tested: TestedRun[],
  reproduced: readonly Result[] = [],
): JudgedClaims {
  const judgedClaims = claims.map((claim): JudgedClaim => {
    const { setting, reproductions: _, ...article } = articles[claim.article]!;
    const judged = judgeQuery(claim.query, bands, tested);
    return {
      id: claim.id,
      article,
      claim: claim.claim,
      figure: claim.figure,
      setting,
      settingOfClaim: claim.setting,
      kind: claim.query.kind,
      implies: claim.implies,
      ...judged,
      more: moreOf(judged),
    };
  });
  const used = new Set(judgedClaims.flatMap(({ testedBy }) => testedBy));
  return {
    runs: tested.flatMap(({ results: [first] }) =>
      first !== undefined && used.has(first.runId)
        ? [{ scenario: first.scenario, id: first.runId }]
        : []
    ),
    bands,
    reproductions: reproductionsOf({ articles }, reproduced),
    claims: judgedClaims,
  };
}

function judgeQuery(
  query: ClaimQuery,
  bands: Bands,
  tested: TestedRun[],
): Pick<JudgedClaim, "levels" | "verdict" | "because" | "settingHere" | "boundsHere" | "testedBy"> {
  if (query.kind === "not-yet") {
    return { levels: [], testedBy: [], verdict: "not yet measurable", because: query.reason };
  }
  if (query.kind === "no-figure") {
    return { levels: [], testedBy: [], verdict: "not decided", because: query.reason };
  }
  const { scenarios, impls } = neededBy(query);
  const runs = scenarios.map((scenario) => runThatTests(scenario, impls, tested));
  const [run, hello] = runs;
  const missing = scenarios.find((_, index) => runs[index] === undefined);
  if (run === undefined || missing !== undefined) {
    const because = `No full run of scenario ${missing} has been published.`;
    return { levels: [], testedBy: [], verdict: "not measured yet", because };
  }
  if (isStepsQuery(query)) {
    const testing = [run, ...othersThatTest(run, impls, tested)].slice(0, mostTesting);
    return judgeStepsOf(query, bands, testing);
  }
  const testedBy = runs.map((run) => run!.results[0]!.runId);
  return { testedBy, ...judgeMeasured(query, { bands, hello: hello?.results ?? [], ...run }) };
}

function judgeStepsOf(
  query: StepsQuery,
  bands: Bands,
  runs: readonly TestedRun[],
): Pick<JudgedClaim, "levels" | "verdict" | "because" | "settingHere" | "testedBy"> {
  const { measuredBy, ...judged } = judgeSteps(query, bands, runs.map(({ results }) => results));
  const testedBy = (measuredBy.length > 0 ? measuredBy : [runs[0]!.results])
    .map(([first]) => first!.runId);
  const [setting, ...others] = measuredBy.map((results) => settingOf(query, results));
  const differing = others.flatMap((other, index) =>
    other === setting ? [] : [`in run ${testedBy[index + 1]}: ${other}`]
  );
  return {
    ...judged,
    testedBy,
    settingHere: setting && [setting, ...differing].join("; "),
  };
}

/** Returns of which scenarios, and with which implementations, a claim needs runs; none where it cannot be tested. */
export function neededBy(query: ClaimQuery): { scenarios: string[]; impls: string[] } {
  if (query.kind === "not-yet" || query.kind === "no-figure") return { scenarios: [], impls: [] };
  const scenarios = [query.scenario, ...(query.kind === "cost" ? ["hello"] : [])];
  return { scenarios, impls: idsOf(query) };
}

/** Returns the first run of a scenario that has all of the implementations, or its first; undefined where it has none. */
function runThatTests(
  scenario: string,
  ids: string[],
  tested: TestedRun[],
): TestedRun | undefined {
  const runs = tested.filter(({ results: [first] }) => first?.scenario === scenario);
  return runs.find((run) => hasAll(run, ids)) ?? runs[0];
}

function hasAll({ results }: TestedRun, ids: string[]): boolean {
  return ids.every((id) => results.some(({ impl }) => impl.id === id));
}

/** Returns the other runs of a run's scenario that have complete results of all of the implementations. */
function othersThatTest(run: TestedRun, ids: string[], tested: TestedRun[]): TestedRun[] {
  return tested.filter((other) =>
    other !== run && other.results[0]?.scenario === run.results[0]?.scenario &&
    hasAll({ ...other, results: other.results.filter(({ status }) => status === "complete") }, ids)
  );
}

function judgeMeasured(
  query: MeasuredQuery,
  evidence: Evidence,
): Pick<JudgedClaim, "levels" | "verdict" | "because" | "settingHere" | "boundsHere"> {
  const { results } = evidence;
  const levels = query.levels.map((connections): JudgedLevel => ({
    at: formatInteger(connections),
    unit: "connections",
    ...judgeLevel(query, connections, evidence),
  }));
  const isThere = (id: string) => results.some(({ impl }) => impl.id === id);
  const isMeasured = query.kind === "cold-ratio"
    ? idsOf(query).every(isThere)
    : levels.some(({ measured }) => measured !== undefined);
  const here = isMeasured
    ? { settingHere: settingOf(query, results), boundsHere: boundsOf(query, results) }
    : {};
  if (query.kind === "cold-ratio" && isMeasured) {
    const because = "It is about cold processes, and one load of each has no interval.";
    return { levels, ...here, verdict: "not decided", because };
  }
  const isRate = query.kind === "ratio" || query.kind === "goodput";
  const shown = isRate ? [...levels, ...durableLevels(idsOf(query), results)] : levels;
  if (query.kind !== "goodput" || !isMeasured) {
    return { levels: shown, ...here, ...judgeAltogether(levels) };
  }
  const because = "A rate on one machine can be neither reproduced nor refuted on another.";
  return { levels: shown, ...here, verdict: "not decided", because };
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
function settingOf(query: MeasuredQuery | StepsQuery, results: readonly Result[]): string {
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
    ...isStepsQuery(query)
      ? notesOf(sides)
      : query.levels.slice(0, 1).flatMap((connections) => roundTripsFacts(sides, connections)),
  ].join("; ");
}

/** Returns the implementations that a query is about. */
function idsOf(query: MeasuredQuery | StepsQuery): string[] {
  if ("subjects" in query) return query.subjects;
  return "reference" in query ? [query.subject, query.reference] : [query.subject];
}

/** Returns how what a query is about was measured. */
function howOf(query: MeasuredQuery | StepsQuery, { plan }: Result): string {
  if (query.kind === "burst" || query.kind === "overhead") {
    return `${plan.bursts!.rounds} rounds, each with a fresh process`;
  }
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
