/**
 * Who is faster than whom, in words, among the implementations of one class at one level. In: the verdicts on pairs.
 * Out: a sentence for each group of tied implementations, and one for each implementation.
 */
import { list, proseNames } from "./words.ts";
import { type RatioInterval, verdict } from "../statistics/mod.ts";

/** The ids that an implementation is tied with, faster than and slower than, the fastest first. */
export interface Standing {
  tiedWith: string[];
  fasterThan: string[];
  slowerThan: string[];
}

/** An implementation among those of its class. */
export interface Ranked extends Standing {
  id: string;
  name: string;
  /** Letters: two that share one are tied. */
  groups: string[];
  /** Ratio to the control; absent if there is none, for example because the load generator limited both. */
  ratio?: Pick<RatioInterval, "estimate" | "low" | "high">;
  isGeneratorBound: boolean;
}

/**
 * Returns the sort key of an implementation, the fastest highest: its ratio to the control. One in a tie group
 * without a ratio was limited by the load generator, and ranks above those with one.
 */
export function orderValue(
  { ratio, groups, isGeneratorBound }: Pick<Ranked, "ratio" | "groups" | "isGeneratorBound">,
): number {
  return ratio?.estimate ?? (isGeneratorBound && groups.length > 0 ? Number.MAX_VALUE : 0);
}

/** The verdict on a pair. */
export interface PairVerdict {
  a: string;
  b: string;
  /** Of a. */
  verdict: "faster" | "slower" | "tied";
}

/** Returns the standing of an implementation; `order` has all ids, the fastest first. */
export function standingOf(id: string, pairs: readonly PairVerdict[], order: string[]): Standing {
  const ids = (wanted: PairVerdict["verdict"]) =>
    order.filter((other) =>
      pairs.some(({ a, b, verdict }) =>
        (a === id && b === other && verdict === wanted) ||
        (b === id && a === other && verdict === oppositeVerdict[wanted])
      )
    );
  return { tiedWith: ids("tied"), fasterThan: ids("faster"), slowerThan: ids("slower") };
}

/** The verdict on b by that on a. */
export const oppositeVerdict = { faster: "slower", slower: "faster", tied: "tied" } as const;

/**
 * Returns a sentence without its period for each tie group, the fastest first. Takes all entries of a class, the
 * highest ratio first. An implementation can be in several groups: only what holds for the whole group is said.
 */
export function groupSentences(entries: readonly Ranked[]): string[] {
  return groupsOf(entries).map((group) => sentenceOf(group, entries).join(""));
}

/**
 * Returns sentences, without the last period, on who leads at each level of a run; levels with the same sentence
 * share it. Takes the entries of each class and level, the highest ratio first; undefined if nothing was compared.
 */
export function leadSentences(
  levels: readonly { connections: number; class: string; entries: readonly Ranked[] }[],
): string | undefined {
  const said = levels.flatMap(({ connections, class: implClass, entries }) => {
    const [first] = groupsOf(entries);
    if (first === undefined) return [];
    const [head, tail] = sentenceOf(first, entries);
    return [{ connections, head: implClass === "tuned" ? `Tuned: ${head}` : head, tail }];
  });
  const sentences = [...Map.groupBy(said, ({ head, tail }) => `${head}|${tail}`).values()]
    .map((same) => {
      const { head, tail } = same[0]!;
      return `${head} at ${list(same.map(({ connections }) => connections))} connections${tail}`;
    });
  return sentences.length === 0 ? undefined : sentences.join(". ");
}

/** Returns the standing of an implementation in its class, as briefly as possible. */
export function standingWords(entry: Ranked, entries: readonly Ranked[]): string {
  const { tiedWith, fasterThan, slowerThan } = entry;
  const others = othersOf(entries.filter(({ id }) => id !== entry.id), entries);
  const isKnown = tiedWith.length + fasterThan.length + slowerThan.length === others.compared;
  const rest = others.compared < others.all ? "the rest of those compared" : "the rest";
  const sides = [{ word: "faster", ids: fasterThan }, { word: "slower", ids: slowerThan }]
    .filter(({ ids }) => ids.length > 0)
    // Names the shorter list; the longer one is "the rest".
    .sort((a, b) => a.ids.length - b.ids.length);
  const clauses = tiedWith.length === 0 ? [] : [`tied with ${listOf(tiedWith, others)}`];
  for (const [index, { word, ids }] of sides.entries()) {
    const isRest = isKnown && clauses.length > 0 && index === sides.length - 1 && ids.length > 1;
    clauses.push(`${word} than ${isRest ? rest : listOf(ids, others)}`);
  }
  return clauses.join(", ");
}

/**
 * Returns the place in a class in words, `1st` or `tied for 2nd`: one behind all that are faster. Undefined for one that
 * was compared with no other.
 */
export function placeWords({ tiedWith, fasterThan, slowerThan }: Standing): string | undefined {
  if (tiedWith.length + fasterThan.length + slowerThan.length === 0) return undefined;
  const place = ordinal(slowerThan.length + 1);
  return tiedWith.length === 0 ? place : `tied for ${place}`;
}

const endings: Partial<Record<Intl.LDMLPluralRule, string>> = { one: "st", two: "nd", few: "rd" };
const ordinals = new Intl.PluralRules("en", { type: "ordinal" });

function ordinal(place: number): string {
  return `${place}${endings[ordinals.select(place)] ?? "th"}`;
}

function groupsOf(entries: readonly Ranked[]): Ranked[][] {
  return [...new Set(entries.flatMap(({ groups }) => groups))]
    .map((letter) => entries.filter(({ groups }) => groups.includes(letter)));
}

/** Returns a sentence on a group in two parts, so that levels can be inserted between them. */
function sentenceOf(group: Ranked[], entries: readonly Ranked[]): [head: string, tail: string] {
  const rest = entries.filter((entry) => !group.includes(entry));
  const others = othersOf(rest, entries);
  const everyIs = (than: "fasterThan" | "slowerThan") =>
    rest.filter(({ id }) => group.every((entry) => entry[than].includes(id))).map(({ id }) => id);
  const [faster, slower] = [everyIs("fasterThan"), everyIs("slowerThan")];
  // Within a tie, the order of estimates means nothing.
  const names = list(group.map(({ id }) => others.names.get(id)!).sort());
  if (group.length > 1 && faster.length === others.compared && faster.length > 0) {
    const isAnyKnown = group.some(({ ratio }) => ratio !== undefined);
    return [
      `${names} lead`,
      isAnyKnown
        ? "; no difference between them could be measured"
        : `; the load generator limits ${
          group.length === 2 ? "both" : "them all"
        }, so which is fastest is not known`,
    ];
  }
  const than = faster.length > 0
    ? `faster than ${listOf(faster, others)}`
    : slower.length > 0
    ? `slower than ${listOf(slower, others)}`
    : undefined;
  if (group.length > 1) return [`${names} are tied${than === undefined ? "" : `, ${than}`}`, ""];
  const { ratio } = group[0]!;
  if (than === undefined && ratio === undefined) {
    return [
      `${names} and the control are both limited by the load generator`,
      ", so which is faster is not known",
    ];
  }
  return [`${names} is ${than ?? againstControl(ratio)}`, ""];
}

function againstControl(ratio: Ranked["ratio"]): string {
  const found = ratio && verdict(ratio);
  return found === "faster" || found === "slower"
    ? `${found} than the control`
    : "tied with the control";
}

interface Others {
  all: number;
  /** How many of them were compared with the control. */
  compared: number;
  /** Of all of the class, by id. */
  names: Map<string, string>;
}

function othersOf(others: readonly Ranked[], entries: readonly Ranked[]): Others {
  const names = proseNames(entries.map(({ name }) => name));
  return {
    all: others.length,
    compared: others.filter(({ ratio, groups }) => ratio !== undefined || groups.length > 0).length,
    names: new Map(entries.map(({ id, name }) => [id, names.get(name)!])),
  };
}

function listOf(ids: string[], { all, compared, names }: Others): string {
  if (ids.length < compared || compared < 2) return list(ids.map((id) => names.get(id) ?? id));
  // The number tells a run of a few from one of all.
  return `the other ${compared}${compared < all ? " that were compared" : ""}`;
}
