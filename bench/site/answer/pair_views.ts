/**
 * The pages of pairs: every two implementations of a class in the current run of a scenario. In: that run with those before it,
 * and the views of its scenario. Out: for each pair who is faster, by the interval of the pair that holds
 * simultaneously with those of all others of its level, and the other figures of both beside each other.
 */
import { implAddress } from "../addresses.ts";
import { figureLabels } from "./answers.ts";
import type { AnswerRow, AnswerView } from "./view.ts";
import { type CurrentRun, runIdsOf } from "../current_run.ts";
import { type HeadlineStanding, standingOverRuns } from "../headline.ts";
import type { Marks } from "../marks.ts";
import type { RunSummary } from "../run_summary.ts";
import { linearScale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import type {
  PairChoice,
  PairFigure,
  PairImpl,
  PairLevel,
  PairThroughput,
  PairView,
} from "./pair_view.ts";
import { machineOf } from "../../results/comparable.ts";
import { pairOf, type RankedPair } from "../../results/rank.ts";
import { partText } from "../../results/versions.ts";
import { behindRatio, knownEnd, proseNames, ratioTexts, timesText } from "../../results/words.ts";
import { verdictWords } from "../../statistics/mod.ts";
import { pairAddress } from "../../../site/assets/pair_address.js";

type ApiImpl = CurrentRun["api"]["impls"][number];

/** What the pages of a scenario's pairs share. */
interface Around {
  run: CurrentRun;
  /** Of this scenario. */
  views: readonly AnswerView[];
  standings: ReadonlyMap<number, HeadlineStanding>;
  names: ReadonlyMap<string, string>;
  marks: Marks;
  /** All runs of the scenario, the newest first. */
  runs: readonly RunSummary[];
}

/** The ratio of one of two to the other at a level, and what it says. */
interface ReadLevel extends Omit<RankedPair, "a" | "b" | "points"> {
  connections: number;
}

/**
 * Returns the pages of all pairs of a scenario's current run; takes the views of that scenario, the first one first, and
 * all published runs, the newest first.
 */
export function pairViews(
  run: CurrentRun,
  { views, marks, runs }: Pick<Around, "views" | "marks"> & { runs: readonly RunSummary[] },
): PairView[] {
  const { impls } = run.api;
  const levels = new Set(impls.flatMap(({ levels }) => levels.map((it) => it.connections)));
  const around: Around = {
    run,
    views,
    marks,
    runs: runs.filter(({ scenario }) => scenario === run.api.scenario),
    standings: new Map(
      [...levels].sort((a, b) => a - b).map((level) => [level, standingOverRuns(run.known, level)]),
    ),
    names: namesOf(run),
  };
  return impls.flatMap((a, index) =>
    impls.slice(index + 1).filter((b) => a.class === b.class).map((b) => pairView(a, b, around))
  );
}

/** Returns what pairs of a scenario can be chosen from; undefined where there is none. Takes its pages. */
export function pairChoice(
  run: CurrentRun,
  pairs: readonly PairView[],
  [view]: readonly AnswerView[],
): PairChoice | undefined {
  const { impls, scenario } = run.api;
  const paired = impls.filter(({ id }) =>
    pairs.some(({ impls }) => impls.some((it) => it.id === id))
  );
  const names = namesOf(run);
  const ids = view?.groups.map(({ rows }) => rows.map(({ id }) => id)).find((it) => it.length > 1);
  const [first, second] = ids ?? paired.map(({ id }) => id);
  if (first === undefined || second === undefined || paired.length === 0) return undefined;
  return {
    scenario,
    first,
    second,
    impls: paired.toSorted((a, b) => a.name.localeCompare(b.name, "en")).map((impl) => ({
      id: impl.id,
      name: nameOf(impl, names),
      address: implAddress(impl.id, scenario),
      class: impl.class,
    })),
  };
}

function pairView(one: ApiImpl, two: ApiImpl, around: Around): PairView {
  const { run: { api }, views, names } = around;
  const [first] = views;
  const [a, b] = [one, two].sort((x, y) => nameOf(x, names) < nameOf(y, names) ? -1 : 1) as [
    ApiImpl,
    ApiImpl,
  ];
  const levels = levelsOf(a, b, around);
  const told = levels.find(({ connections }) => connections === first?.connections) ?? levels[0];
  const isTurned = told !== undefined && told.ratio.estimate < 1;
  const [lead, other] = isTurned ? [b, a] : [a, b];
  const led = isTurned ? levelsOf(b, a, around) : levels;
  const [leadName, otherName] = [lead, other].map((impl) => nameOf(impl, names)) as [
    string,
    string,
  ];
  return {
    scenario: api.scenario,
    runIds: runIdsOf([a, b]),
    marks: api.marks,
    address: pairAddress(api.scenario, a.id, b.id),
    impls: [a, b].map((impl) => implOf(impl, around)),
    question: `${nameOf(a, names)} or ${nameOf(b, names)}?`,
    answer: told === undefined
      ? withoutRatio([a, b], first?.connections, names)
      : answerOf(led.find(({ connections }) => connections === told.connections)!, {
        lead: leadName,
        other: otherName,
        isOneMachine: isOneMachine(a, b),
      }),
    facts: first === undefined ? [] : [...first.facts, ...first.notes],
    throughput: led.length === 0 ? undefined : throughputOf(led, lead, other, around),
    figures: views.flatMap((view) => figureOf(view, [a.id, b.id], first?.connections)),
    others: api.impls.filter(({ id, class: its }) => ![a.id, b.id].includes(id) && its === a.class)
      .map(({ id, name }) => ({
        name: names.get(name)!,
        address: pairAddress(api.scenario, lead.id, id),
      })),
  };
}

/** Returns names for sentences: whole ones in `notify`, where implementations of one framework differ by their client. */
function namesOf({ api, results }: CurrentRun): Map<string, string> {
  const isWhole = results.some(({ plan }) => plan.deliveries !== undefined);
  return proseNames(api.impls.map(({ name }) => name), { isWhole });
}

function nameOf({ name }: ApiImpl, names: ReadonlyMap<string, string>): string {
  return names.get(name)!;
}

function implOf(impl: ApiImpl, { run, names, runs }: Around): PairImpl {
  const { runId } = impl;
  return {
    id: impl.id,
    name: nameOf(impl, names),
    madeOf: [impl.framework, impl.runtime].map(partText).join(", "),
    address: implAddress(impl.id, run.api.scenario),
    runId,
    otherRun: runs.find(({ id, impls }) => id !== runId && impls.some(({ id }) => id === impl.id))
      ?.id,
  };
}

function isOneMachine(a: ApiImpl, b: ApiImpl): boolean {
  return machineOf(a.machine) === machineOf(b.machine);
}

/** Returns a's ratio to b at each level that has one. */
function levelsOf(a: ApiImpl, b: ApiImpl, { standings }: Around): ReadLevel[] {
  return [...standings].flatMap(([connections, { pairs }]) => {
    const read = pairOf(pairs, a.id, b.id);
    return read === undefined ? [] : [{ connections, ...read }];
  });
}

/** Returns in a sentence that two cannot be compared at a level, and why each of them has no ratio to the control. */
function withoutRatio(
  impls: readonly ApiImpl[],
  connections: number | undefined,
  names: ReadonlyMap<string, string>,
): string {
  const [one, other] = impls.map((impl) => nameOf(impl, names));
  const reasons = impls.flatMap((impl) => {
    const level = impl.levels.find((level) => level.connections === connections);
    const why = level?.warm.ratio === undefined ? level?.warm.ratioMissing : undefined;
    return why === undefined ? [] : [`${nameOf(impl, names)} has no ratio to the control: ${why}`];
  });
  return [`${one} and ${other} cannot be compared here`, ...reasons].join("; ") + ".";
}

/** Returns in a sentence what the level that is shown first says. */
function answerOf(
  level: ReadLevel,
  { lead, other, isOneMachine }: { lead: string; other: string; isOneMachine: boolean },
): string {
  const { connections, ratio, verdict, qualifier, hiddenBy } = level;
  if (hiddenBy !== undefined) {
    const names = [lead, other].sort().join(" and ");
    const limited = hiddenBy === "both" ? "both" : hiddenBy === "a" ? lead : other;
    return `Which of ${names} is faster at ${connections} connections is not known: ` +
      `the load generator limited ${limited}.`;
  }
  if (verdict === "tied") {
    // Within a tie, the order of estimates means nothing.
    const [first, second] = [lead, other].sort();
    return `Tied: no difference between ${first} and ${second} could be measured at ${connections} connections.`;
  }
  const times = timesText(ratio, qualifier);
  // Rates of different machines do not compare: only the ratios to the control do.
  const says = isOneMachine
    ? `${lead} answers ${times} as many requests as ${other}`
    : `${lead}’s ratio to the control is ${times} that of ${other}`;
  return `${says} at ${connections} connections${behindRatio(ratio, qualifier)}.`;
}

function throughputOf(
  levels: ReadLevel[],
  lead: ApiImpl,
  other: ApiImpl,
  { names, marks }: Around,
): PairThroughput {
  const [leadName, otherName] = [nameOf(lead, names), nameOf(other, names)];
  const scale = linearScale(Math.max(1, ...levels.map(({ ratio }) => ratio.high)));
  return {
    axis: `Warm throughput of ${leadName}, over that of ${otherName}`,
    ticks: scale.ticks.map(({ at, value }) => ({ at, text: `${threeDigits(value)} ×` })),
    even: scale.at(1),
    levels: levels.map(({ connections, ratio, verdict, qualifier, hiddenBy }): PairLevel => ({
      connections,
      order: marks.get(verdict === "slower" ? other.id : lead.id)!,
      verdict,
      words: hiddenBy === undefined
        ? wordsOf(verdict, leadName, otherName)
        : verdictWords({ verdict, hiddenBy }, { a: leadName, b: otherName }),
      ...(hiddenBy === "both" ? {} : {
        ratio: timesText(ratio, qualifier),
        at: scale.at(knownEnd(ratio, qualifier)),
      }),
      ...(hiddenBy === "both" || qualifier !== undefined ? {} : {
        interval: ratioTexts(ratio).range,
        low: scale.at(ratio.low),
        high: scale.at(ratio.high),
      }),
    })),
  };
}

function wordsOf(verdict: ReadLevel["verdict"], lead: string, other: string): string {
  return verdict === "tied" ? "tied" : `${verdict === "faster" ? lead : other} is faster`;
}

/** Returns the rows of both in a view of another figure, at the level that is shown first. */
function figureOf(view: AnswerView, ids: string[], level: number | undefined): PairFigure[] {
  const { figure, connections, axis, ticks, groups, ownFacts = [] } = view;
  if (figure === "throughput" || (connections ?? level) !== level) return [];
  const rows = groups.flatMap(({ rows }) => rows)
    .filter(({ id, plot }) => ids.includes(id) && plot !== undefined)
    .map(({ relative: _, ...row }): AnswerRow => ({ ...row, brackets: [] }));
  if (rows.length < 2) return [];
  return [{
    figure,
    connections,
    axis,
    ticks,
    groups: [{ rows }],
    label: figureLabels[figure],
    words: rows.map(({ name, absolute }) => `${name} ${absolute}`).join(", "),
    fact: ownFacts.join("; "),
  }];
}
