// @ts-check
/**
 * Ratios of two sides to the control at each level, and what they say of the two. In: what is published below api/. Out:
 * figures and verdicts, without a document. Intervals are those that were published, and verdict.js reads them, as the
 * harness does.
 *
 * @import { RatioInterval } from "../../bench/statistics/mod.ts"
 * @import { Side } from "./compare_sides.js"
 */
import { notCompared } from "./compare_goodput.js";
import { inverse, readRatio, verdictWords } from "./verdict.js";

/**
 * A ratio with both ends of its interval.
 *
 * @typedef {Pick<RatioInterval, "estimate" | "low" | "high">} Ratio
 */

/**
 * How to read a ratio; absent where the load generator limited neither of the two.
 *
 * @typedef {"at least" | "at most"} Qualifier
 */

/**
 * A side at a level: its warm ratio to the control, how to read it and how many runs the interval is over, or why there is
 * none; and whether the load generator limited the side itself.
 *
 * @typedef {{
 *   ratio?: Ratio,
 *   qualifier?: Qualifier,
 *   runs: number,
 *   isBound: boolean,
 *   missing?: string,
 * }} Standing
 */

/**
 * One that has a ratio.
 *
 * @typedef {Standing & { ratio: Ratio }} Known
 */

/**
 * @typedef {{
 *   connections: number,
 *   a: Standing,
 *   b: Standing,
 *   between?: { ratio: Ratio, qualifier?: Qualifier },
 *   verdict: string,
 * }} RatioRow
 */

/**
 * Returns the ratios of two sides at each level. Within a run the verdict is the published one of the pair. Between runs
 * it says only whether the intervals over runs overlap: where they do not, they differ with more confidence than either
 * has alone. The interval of a single run leaves out how far runs differ, and none covers how much ratios differ between
 * processors: then there is no verdict.
 *
 * @param {Side} a
 * @param {Side} b
 * @param {{ levels: number[], isOneMachine: boolean }} of
 * @returns {RatioRow[]}
 */
export function ratioRows(a, b, { levels, isOneMachine }) {
  const isOneRun = a.run.id === b.run.id;
  const isOneImpl = a.impl.id === b.impl.id;
  return levels.map((connections) => {
    const row = {
      connections,
      a: standingAt(a, connections, isOneRun),
      b: standingAt(b, connections, isOneRun),
    };
    if (!row.a.ratio || !row.b.ratio) {
      return { ...row, verdict: "not comparable: a ratio is missing" };
    }
    return isOneRun
      ? { ...row, ...withinRun(a, b, row) }
      : { ...row, verdict: acrossRuns(row.a, row.b, isOneMachine, isOneImpl) };
  });
}

/**
 * Returns the ratio of two of one run, and what it says.
 *
 * @param {Side} a
 * @param {Side} b
 * @param {Omit<RatioRow, "verdict">} row
 * @returns {Pick<RatioRow, "between" | "verdict">}
 */
function withinRun(a, b, row) {
  const ratio = ratioOf(a, b, row.connections);
  if (ratio === undefined) {
    return { verdict: "not comparable: the run has no interval for these two" };
  }
  const reading = readRatio(ratio, { a: row.a.isBound, b: row.b.isBound });
  return {
    between: reading.hiddenBy === "both" ? undefined : { ratio, qualifier: reading.qualifier },
    verdict: verdictWords(reading, { a: a.impl.name, b: b.impl.name }),
  };
}

/**
 * Returns the ratio of two of one run as it was published, whichever way round.
 *
 * @param {Side} a
 * @param {Side} b
 * @param {number} connections
 * @returns {Ratio | undefined}
 */
function ratioOf(a, b, connections) {
  const pairs = (a.run.pairs ?? []).filter((pair) => pair.connections === connections);
  const find = (/** @type {string} */ first, /** @type {string} */ second) =>
    pairs.find((pair) => pair.a === first && pair.b === second)?.ratio;
  const turned = find(b.impl.id, a.impl.id);
  return find(a.impl.id, b.impl.id) ?? (turned && inverse(turned));
}

/**
 * Says what intervals of two runs tell, where they tell anything.
 *
 * @param {Standing} a
 * @param {Standing} b
 * @param {boolean} isOneMachine
 * @param {boolean} isOneImpl
 */
function acrossRuns(a, b, isOneMachine, isOneImpl) {
  if (!isOneMachine) {
    return "not decided: no interval here covers how much ratios differ between processors";
  }
  if (a.runs < 2 || b.runs < 2) {
    return "not decided: the interval of a single run does not cover how far runs differ";
  }
  // The later interval has the earlier runs in it.
  if (isOneImpl) return "not decided: see Changes";
  return overlapOf(/** @type {Known} */ (a), /** @type {Known} */ (b));
}

const noDifference = "no measurable difference";

/**
 * Says whether two intervals overlap. A ratio that is at least so much may be any higher than its interval, one that is at
 * most so much any lower.
 *
 * @param {Known} a
 * @param {Known} b
 */
function overlapOf(a, b) {
  const isHigherA = a.ratio.low > b.ratio.high;
  if (!isHigherA && b.ratio.low <= a.ratio.high) {
    return `the intervals overlap: ${noDifference}`;
  }
  const [higher, lower] = isHigherA ? [a, b] : [b, a];
  return lower.qualifier === "at least" || higher.qualifier === "at most"
    ? `${noDifference}: the load generator limited one of them`
    : `the intervals do not overlap: the ${isHigherA ? "first" : "second"} is higher`;
}

/**
 * @param {Side} side
 * @param {number} connections
 * @param {boolean} isAlone whether the interval of the run alone is asked for
 * @returns {Standing}
 */
function standingAt({ impl }, connections, isAlone) {
  const level = impl.levels.find((level) => level.connections === connections);
  const isBound = !!level?.isGeneratorBound;
  const { ratio, qualifier, overRuns, ratioMissing } = level?.warm ?? {};
  if (ratio) {
    return !isAlone && overRuns
      ? { ...overRuns, ratio: overRuns, isBound }
      : { ratio, qualifier, runs: 1, isBound };
  }
  return {
    isBound,
    runs: 0,
    missing: ratioMissing ?? level?.cold.missing ?? notCompared,
  };
}
