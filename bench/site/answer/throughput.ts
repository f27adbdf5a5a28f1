/**
 * Which implementation is fastest at one level? In: the headline of a run at this level. Out: warm goodput of each
 * relative to the leader of its class, with the interval of that pair. A class without pairs is shown against the control,
 * and a run without a comparison by cold goodput, without an interval and without a verdict.
 */
import {
  type Headline,
  type HeadlineClass,
  type HeadlineEntry,
  intervalsName,
} from "../headline.ts";
import { list, proseNames, timesText } from "../../results/words.ts";
import { inverse } from "../../statistics/mod.ts";
import { threeDigits } from "../three_digits.ts";
import type { Marks } from "../marks.ts";
import { bracketsOf } from "./brackets.ts";
import { linearScale, type Scale } from "../scale.ts";
import {
  type AnswerGroup,
  type AnswerRow,
  type AnswerView,
  percentRange,
  percentText,
} from "./view.ts";

/** A view of throughput before it knows of the others. */
export type Throughput = Pick<
  AnswerView,
  "question" | "answer" | "axis" | "ticks" | "groups" | "facts"
>;

/** What the axis counts. */
type Measure = "leader" | "control" | "cold";

/** A figure on the axis. */
interface Placed {
  estimate: number;
  low?: number;
  high?: number;
}

/** What the axis of each measure is called. */
export const axes: Record<Measure, string> = {
  leader: "warm throughput of correct answers, relative to the fastest",
  control: "warm throughput of correct answers, relative to the control",
  cold: "correct answers per second of one cold load: no interval, so no verdict",
};

/** Returns the answer at the level of a headline; takes the marks of all implementations. */
export function throughputView(headline: Headline, marks: Marks): Throughput {
  const measure = measureOf(headline);
  const placed = headline.classes.map(({ entries }) =>
    entries.map((entry) => placeOf(entry, entries[0]!, measure))
  );
  const scale = linearScale(
    Math.max(0, ...placed.flat().flatMap((it) => it === undefined ? [] : it.high ?? it.estimate)),
  );
  return {
    question: "Which web backend is fastest?",
    answer: answerOf(headline, measure),
    facts: [
      measure === "cold" ? "no interval" : `95 % ${intervalsOf(headline, measure)}`,
      ...withoutFigure(headline, placed),
    ],
    axis: axes[measure],
    ticks: scale.ticks.map(({ at, value }) => ({
      at,
      text: measure === "cold" ? threeDigits(value) : percentText(value),
    })),
    groups: headline.classes.map((it, index) =>
      groupOf(it, { placed: placed[index]!, scale, measure, marks })
    ),
  };
}

/** Names the intervals that are shown: a pair can be over fewer runs than the ratios to the control, or over those of both. */
function intervalsOf({ classes, interval, runIds }: Headline, measure: Measure): string {
  const shown = classes.flatMap(({ entries }) => entries.flatMap(({ toLeader }) => toLeader ?? []));
  return measure === "leader" && shown.length > 0 ? intervalsName(shown, runIds) : interval;
}

/** Names those of whom nothing is said, because a sentence on who leads could be read as one on them, too. */
function withoutFigure({ classes }: Headline, placed: (Placed | undefined)[][]): string[] {
  const entries = classes.flatMap(({ entries }) => entries);
  const names = proseNames(entries.map(({ name }) => name));
  const without = placed.flat().flatMap((it, index) =>
    it === undefined ? [names.get(entries[index]!.name)!] : []
  );
  return without.length === 0 ? [] : [`without a figure: ${list(without)}`];
}

function measureOf({ classes, ratios }: Headline): Measure {
  if (ratios.count === 0) return "cold";
  const hasPairs = classes.some(({ entries }) => entries.some(({ toLeader }) => toLeader));
  return hasPairs ? "leader" : "control";
}

function placeOf(
  entry: HeadlineEntry,
  first: HeadlineEntry,
  measure: Measure,
): Placed | undefined {
  if (measure === "control") return entry.ratio;
  if (measure === "leader") {
    return entry === first && entry.groups.length > 0 ? { estimate: 1 } : entry.toLeader;
  }
  const estimate = entry.coldGoodputPerSecond;
  return estimate === undefined || entry.missing !== undefined ? undefined : { estimate };
}

function groupOf(
  { class: implClass, entries }: HeadlineClass,
  { placed, scale, measure, marks }: {
    placed: (Placed | undefined)[];
    scale: Scale;
    measure: Measure;
    marks: Marks;
  },
): AnswerGroup {
  const names = proseNames(entries.map(({ name }) => name));
  const letters = [...new Set(entries.flatMap(({ groups }) => groups))];
  const groups = letters.map((letter) =>
    entries.flatMap(({ id, groups }) => groups.includes(letter) ? [id] : [])
  );
  const brackets = bracketsOf(entries.map(({ id }) => id), groups);
  const nameOf = (id: string) => names.get(entries.find((entry) => entry.id === id)!.name)!;
  return {
    label: implClass === "tuned" ? "Tuned, ranked separately" : undefined,
    rows: entries.map((entry, row): AnswerRow => {
      const { id, name, tiedWith, missing } = entry;
      const it = placed[row];
      // Where the load generator limits all of them, nothing says that they differ little.
      const isKnown = !entry.isGeneratorBound ||
        entries.some((other) => tiedWith.includes(other.id) && !other.isGeneratorBound);
      const tied = tiedWith.length === 0
        ? undefined
        : `${isKnown ? "tied with" : "indistinguishable from"} ${list(tiedWith.map(nameOf))}`;
      return {
        id,
        name: names.get(name)!,
        order: marks.get(id)!,
        runId: entry.runId,
        brackets: brackets[row]!,
        tied,
        ...(it === undefined
          ? { missing: missing ?? "in no pair with the fastest" }
          : figuresOf(entry, it, { scale, measure, leader: entries[0]! })),
      };
    }),
  };
}

function figuresOf(
  entry: HeadlineEntry,
  { estimate, low, high }: Placed,
  { scale, measure, leader }: { scale: Scale; measure: Measure; leader: HeadlineEntry },
): Partial<AnswerRow> {
  const { warmGoodput, coldGoodputPerSecond, coldStart, isGeneratorBound } = entry;
  const isWarm = measure !== "cold";
  // A share that one more warm load may have, too, is no cost.
  const share = isWarm && coldStart !== undefined && coldStart.high < 1 ? coldStart.share : 1;
  const bound = isGeneratorBound ? "≥ " : "";
  const perSecond = isWarm ? warmGoodput?.estimate : coldGoodputPerSecond;
  const bounds = shareBound(entry, leader, measure);
  if (bounds === "unknown") {
    return { missing: "not known: the load generator limited it and the fastest" };
  }
  // Of a bound, one end is known: it is all that is shown.
  const interval = low === undefined || high === undefined || bounds !== ""
    ? undefined
    : { low, high };
  const shown = knownEnd({ estimate, low, high }, bounds);
  return {
    plot: {
      at: scale.at(shown),
      bar: { from: 0, to: scale.at(shown * share) },
      tail: share < 1 ? { from: scale.at(shown * share), to: scale.at(shown) } : undefined,
      interval: interval && { from: scale.at(interval.low), to: scale.at(interval.high) },
    },
    relative: isWarm ? `${bounds}${percentText(shown)}` : undefined,
    interval: interval && percentRange(interval),
    absolute: perSecond === undefined ? undefined : `${bound}${threeDigits(perSecond)}/s`,
    cold: share < 1 ? `cold start ${percentText(share)} of warm` : undefined,
  };
}

/** Returns the end of an interval that is known of a bound; else the estimate. */
function knownEnd({ estimate, low = estimate, high = estimate }: Placed, bounds: string): number {
  return bounds === "≥ " ? low : bounds === "≤ " ? high : estimate;
}

const signs = { "": "", "at least": "≥ ", "at most": "≤ " } as const;

/**
 * Returns how to read a share of the leader's throughput where the load generator limited one of the two. Where it limited
 * both, nothing is known of it.
 */
function shareBound(
  entry: HeadlineEntry,
  leader: HeadlineEntry,
  measure: Measure,
): "" | "≥ " | "≤ " | "unknown" {
  if (measure === "control") return signs[entry.ratio?.qualifier ?? ""];
  if (measure === "cold") return entry.isGeneratorBound ? "≥ " : "";
  if (entry === leader) return "";
  // Over several runs, it may have limited them in an earlier one.
  return entry.toLeader?.hiddenBy === "both" ? "unknown" : signs[entry.toLeader?.qualifier ?? ""];
}

/** Returns the answer in at most 20 words: who leads, and by how much over the next that is slower. */
function answerOf({ classes, machines }: Headline, measure: Measure): string {
  const [first] = classes;
  if (first === undefined) return "Nothing was measured.";
  if (measure === "cold") {
    return "No answer: each has one cold load at this level, without an interval.";
  }
  const names = proseNames(first.entries.map(({ name }) => name));
  const [leader] = first.entries;
  // Those tied with the leader need not be tied with each other; those of one group are.
  const [group] = leader!.groups;
  const leaders = first.entries.filter((entry) =>
    entry === leader || (group !== undefined && entry.groups.includes(group))
  );
  // Within a tie, the order of estimates means nothing.
  const called = list(leaders.map(({ name }) => names.get(name)!).sort());
  const next = first.entries.find(({ id }) => leader!.fasterThan.includes(id));
  const [one, other] = [leader!, next].map((entry) => entry && names.get(entry.name)!);
  if (next?.toLeader === undefined) {
    if (leaders.length === 1) return `${called} ${againstControl(leader!)}.`;
    const isAll = first.entries.every((entry) =>
      entry.groups.length === 0 || leaders.includes(entry)
    );
    const tied = isAll
      ? "are tied: no difference could be measured"
      : "are tied; every other differs from at least one of them";
    return shortest([`${called} ${tied}.`, `${leaders.length} implementations ${tied}.`]);
  }
  const toNext = inverse(next.toLeader);
  const factor = timesText(
    toNext,
    next.toLeader.qualifier === "at most" ? "at least" : undefined,
  );
  const isAlone = leaders.length === 1;
  const [who, whose] = isAlone ? ["it", "its"] : [one, `${one}’s`];
  // Rates of different machines or runs do not compare: only the ratios to the control do.
  const over = (name: string) =>
    machines.length > 1 || leader!.runId !== next.runId
      ? `${whose} ratio to the control is ${factor} that of ${name}`
      : `${who} answers ${factor} as many requests as ${name}`;
  if (!isAlone && leaders.every(({ isGeneratorBound }) => isGeneratorBound)) {
    return shortest(
      [called, `${leaders.length} implementations`].map((these) =>
        `The load generator limits ${these}: which of them is fastest is not known.`
      ),
    );
  }
  const heads = isAlone
    ? [`${one} leads:`]
    : [`${called} lead, tied;`, `${leaders.length} implementations lead, tied;`];
  return shortest(
    heads.flatMap((head) => [`${head} ${over(other!)}.`, `${head} ${over("the next")}.`]),
  );
}

function againstControl({ ratio }: HeadlineEntry): string {
  if (ratio === undefined) {
    return "and the control are both limited by the load generator: which is faster is not known";
  }
  const times = timesText(ratio, ratio.qualifier);
  return `answers ${times} as many requests as the control`;
}

/** How many words the answer may have. */
export const mostWords = 20;

/** Returns the first sentence that is short enough, else the last. */
function shortest(sentences: string[]): string {
  return sentences.find((sentence) => sentence.split(" ").length <= mostWords) ?? sentences.at(-1)!;
}
