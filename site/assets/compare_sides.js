// @ts-check
/**
 * What two sides of a comparison have to say to each other. In: what is published below api/. Out: sentences and figures,
 * without a document and without statistics: intervals are read as they were published.
 *
 * @import { ApiImpl, ApiRun } from "../../bench/site/api/schema.ts"
 * @import { RatioInterval } from "../../bench/statistics/mod.ts"
 */

/**
 * One implementation in one run.
 *
 * @typedef {{ run: ApiRun, impl: ApiImpl }} Side
 */

/**
 * @typedef {NonNullable<ApiRun["pairs"]>[number]} ApiPair
 */

/**
 * A side at a level: its ratio to the control, or why there is none.
 *
 * @typedef {{ ratio?: RatioInterval, isBound: boolean, missing?: string }} Standing
 */

/**
 * @typedef {{
 *   connections: number,
 *   a: Standing,
 *   b: Standing,
 *   between?: { ratio: RatioInterval, qualifier: string },
 *   verdict: string,
 * }} Row
 */

/**
 * Goodput of one load, or why there is none.
 *
 * @typedef {{ perSecond?: number, isBound: boolean, missing?: string }} Goodput
 */

/**
 * @typedef {{ connections: number, a: Goodput, b: Goodput }} GoodputRow
 */

/**
 * Two sides: without rows where their ratios do not compare, and then with the reason; without goodput where that
 * does not.
 *
 * @typedef {{ a: Side, b: Side, reason?: string, rows?: Row[], goodput?: GoodputRow[] }} Comparison
 */

/**
 * Puts two sides beside each other. Within a run the verdict is the published one of the pair. Between runs it says
 * only whether the two intervals overlap: where they do not, they differ with more confidence than either has alone.
 *
 * @param {Side} a
 * @param {Side} b
 * @returns {Comparison}
 */
export function compareSides(a, b) {
  const otherJob = reasonAgainst(a, b);
  if (otherJob !== undefined) return { a, b, reason: otherJob };
  const levels = [
    ...new Set([...a.impl.levels, ...b.impl.levels].map(({ connections }) => connections)),
  ].sort((x, y) => x - y);
  const reason = reasonAgainstRatios(a, b);
  return {
    a,
    b,
    ...(reason === undefined
      ? { rows: levels.map((connections) => rowAt(a, b, connections)) }
      : { reason }),
    ...(machineOf(a) === machineOf(b)
      ? {
        goodput: levels.map((connections) => ({
          connections,
          a: goodputAt(a, connections),
          b: goodputAt(b, connections),
        })),
      }
      : {}),
  };
}

/**
 * Tells what a reader must know before the figures of two sides, a sentence each.
 *
 * @param {Side} a
 * @param {Side} b
 * @returns {string[]}
 */
export function warningsFor(a, b) {
  const warnings = [];
  if (machineOf(a) !== machineOf(b)) {
    warnings.push(
      `Machines differ: ${machineOf(a)} and ${
        machineOf(b)
      }. Only ratios to the control are shown, no goodput.`,
    );
  }
  if (a.run.profile !== b.run.profile) {
    warnings.push(
      `Profiles differ: ${a.run.profile} and ${b.run.profile}. A shorter load has more of warming up in it.`,
    );
  }
  for (const run of new Set([a.run, b.run])) {
    if (run.marks.length > 0) {
      warnings.push(`Run ${run.id} is provisional: ${run.marks.join("; ")}.`);
    }
  }
  return warnings;
}

/**
 * Returns the processor of a side and how many.
 *
 * @param {Side} side
 */
export function machineOf({ impl: { machine } }) {
  return `${machine.cpuModel}, ${machine.cpuCount} processors`;
}

/**
 * @param {Side} a
 * @param {Side} b
 * @returns {string | undefined}
 */
function reasonAgainst(a, b) {
  if (a.run.scenario !== b.run.scenario) {
    return `they did different jobs, scenario ${a.run.scenario} and scenario ${b.run.scenario}`;
  }
  for (const { run, impl } of [a, b]) {
    if (impl.failure !== undefined) {
      return `${impl.name} failed in run ${run.id} at ${impl.failure.stage}: ${impl.failure.message}`;
    }
  }
  return a.impl.class === b.impl.class
    ? undefined
    : `one is ${a.impl.class} and the other ${b.impl.class}, which are compared apart`;
}

/**
 * @param {Side} a
 * @param {Side} b
 * @returns {string | undefined}
 */
function reasonAgainstRatios(a, b) {
  for (const { run, impl } of [a, b]) {
    if (impl.levels.every(({ ratio }) => ratio === undefined)) {
      return `${impl.name} has no ratio to the control in run ${run.id}`;
    }
  }
  return a.impl.control === b.impl.control
    ? undefined
    : `one was compared with version ${a.impl.control} of the control, the other with version ${b.impl.control}`;
}

/**
 * @param {Side} a
 * @param {Side} b
 * @param {number} connections
 * @returns {Row}
 */
function rowAt(a, b, connections) {
  const row = { connections, a: standingAt(a, connections), b: standingAt(b, connections) };
  if (row.a.ratio === undefined || row.b.ratio === undefined) {
    return { ...row, verdict: "not comparable: a ratio is missing" };
  }
  if (a.run.id !== b.run.id) return { ...row, verdict: overlapOf(row.a, row.b) };
  for (const pair of a.run.pairs ?? []) {
    if (pair.connections !== connections) continue;
    const isTurned = pair.a === b.impl.id && pair.b === a.impl.id;
    if (isTurned || (pair.a === a.impl.id && pair.b === b.impl.id)) {
      return { ...row, ...pairOf(row, isTurned ? turn(pair) : pair) };
    }
  }
  return { ...row, verdict: "not comparable: the run has no interval for these two" };
}

/**
 * Says whom the load generator bounds where a reader must know: with the one with less bound, two are published as tied,
 * although their interval is on one side of 1.
 *
 * @param {{ a: Standing, b: Standing }} row
 * @param {Pick<ApiPair, "ratio" | "verdict">} pair
 * @returns {Pick<Row, "between" | "verdict">}
 */
function pairOf({ a, b }, { ratio, verdict }) {
  const isLesserBound = (ratio.low > 1 && b.isBound) || (ratio.high < 1 && a.isBound);
  const isBoth = a.isBound && b.isBound;
  const bound = isBoth ? "both" : isLesserBound ? "the one with less" : undefined;
  const qualifier = isBoth ? "" : a.isBound ? "at least " : b.isBound ? "at most " : "";
  return {
    between: { ratio, qualifier },
    verdict: bound === undefined ? verdict : `${verdict}; the load generator bounds ${bound}`,
  };
}

/**
 * Says whether two intervals overlap. What the load generator bounds may be any higher than its interval.
 *
 * @param {Standing} a
 * @param {Standing} b
 */
function overlapOf(a, b) {
  if (a.ratio === undefined || b.ratio === undefined) return "";
  const isHigherA = a.ratio.low > b.ratio.high;
  if (!isHigherA && b.ratio.low <= a.ratio.high) return "overlap: not told apart";
  return (isHigherA ? b : a).isBound
    ? "not told apart: the load generator bounds the lower one"
    : `no overlap: differs, the ${isHigherA ? "first" : "second"} is higher`;
}

/**
 * @param {Side} side
 * @param {number} connections
 * @returns {Standing}
 */
function standingAt({ impl }, connections) {
  const level = impl.levels.find((level) => level.connections === connections);
  const isBound = level?.isGeneratorBound ?? false;
  if (level?.ratio !== undefined) return { ratio: level.ratio, isBound };
  return {
    isBound,
    missing: level?.ratioMissing ?? level?.missing ?? "not compared at this level",
  };
}

/**
 * @param {Side} side
 * @param {number} connections
 * @returns {Goodput}
 */
function goodputAt({ impl }, connections) {
  const level = impl.levels.find((level) => level.connections === connections);
  const isBound = level?.isGeneratorBound ?? false;
  return level?.goodputPerSecond === undefined
    ? { isBound, missing: level?.missing ?? "not measured at this level" }
    : { isBound, perSecond: level.goodputPerSecond };
}

/**
 * Returns a pair the other way round.
 *
 * @param {ApiPair} pair
 * @returns {ApiPair}
 */
function turn({ connections, a, b, ratio, verdict }) {
  const { estimate, low, high } = ratio;
  const turned = /** @type {const} */ ({ faster: "slower", slower: "faster", tied: "tied" });
  return {
    connections,
    a: b,
    b: a,
    ratio: { ...ratio, estimate: 1 / estimate, low: 1 / high, high: 1 / low },
    verdict: turned[verdict],
  };
}
