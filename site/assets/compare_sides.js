// @ts-check
/**
 * What do two sides of a comparison say of each other? In: what is published below api/. Out: sentences and figures,
 * without a document. Intervals are those that were published, and verdict.js reads them, as the harness does.
 *
 * @import { ApiImpl, ApiRun } from "../../bench/site/api/schema.ts"
 * @import { RatioInterval } from "../../bench/statistics/mod.ts"
 * @import { Steps } from "./compare_steps.js"
 */
import { stepsOf } from "./compare_steps.js";
import { inverse, readRatio, verdictWords } from "./verdict.js";

/**
 * One implementation in one run.
 *
 * @typedef {{ run: ApiRun, impl: ApiImpl }} Side
 */

/**
 * A ratio with both ends of its interval.
 *
 * @typedef {Pick<RatioInterval, "estimate" | "low" | "high">} Ratio
 */

/**
 * A side at a level: its warm ratio to the control and how many runs the interval is over, or why there is none.
 *
 * @typedef {{ ratio?: Ratio, runs: number, isBound: boolean, missing?: string }} Standing
 */

/**
 * @typedef {{
 *   connections: number,
 *   a: Standing,
 *   b: Standing,
 *   between?: { ratio: Ratio, qualifier: string },
 *   verdict: string,
 * }} Row
 */

/**
 * Warm goodput with the interval of its run, and cold goodput of one load; or why there is none.
 *
 * @typedef {{ warm?: Ratio, warmMissing?: string, cold?: number, coldMissing?: string, isBound: boolean }} Goodput
 */

/**
 * @typedef {{ connections: number, a: Goodput, b: Goodput }} GoodputRow
 */

/**
 * Two sides: without rows where their ratios do not compare, and then with the reason; without goodput where that
 * does not.
 *
 * @typedef {{ a: Side, b: Side, reason?: string, rows?: Row[], goodput?: GoodputRow[], steps?: Steps }} Comparison
 */

/**
 * Puts two sides beside each other. Within a run the verdict is the published one of the pair. Between runs it says
 * only whether the intervals over runs overlap: where they do not, they differ with more confidence than either has
 * alone. The interval of a single run leaves out how far runs differ, and none covers how far ratios carry between
 * processors: then there is no verdict.
 *
 * @param {Side} a
 * @param {Side} b
 * @returns {Comparison}
 */
export function compareSides(a, b) {
  const otherJob = reasonAgainst(a, b);
  if (otherJob !== undefined) return { a, b, reason: otherJob };
  const steps = stepsOf(a.impl, b.impl);
  if (steps !== undefined) {
    return machineOf(a) === machineOf(b)
      ? { a, b, steps }
      : { a, b, reason: "figures of different machines do not compare" };
  }
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
 * Names what is compared, in which scenario, and whether that is within one run.
 *
 * @param {{ implA: string, implB: string }} choice
 * @param {ApiRun} runA
 * @param {ApiRun} runB
 */
export function titleOf({ implA, implB }, runA, runB) {
  const nameIn = (/** @type {ApiRun} */ { impls }, /** @type {string} */ wanted) =>
    impls.find(({ id }) => id === wanted)?.name ?? "every implementation";
  const names = [...new Set([nameIn(runA, implA), nameIn(runB, implB)])].join(" and ");
  const scenarios = [...new Set([runA.scenario, runB.scenario])].join(" and ");
  const where = runA.id === runB.id ? "within one run" : "in two runs, not loaded alternately";
  return `${names[0]?.toUpperCase()}${names.slice(1)}: ${scenarios}, ${where}`;
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
    const shown = stepsOf(a.impl, b.impl) === undefined
      ? " Only ratios to the control are shown, no goodput."
      : "";
    warnings.push(`Machines differ: ${machineOf(a)} and ${machineOf(b)}.${shown}`);
  }
  if (a.run.profile !== b.run.profile) {
    warnings.push(
      `Profiles differ: ${a.run.profile} and ${b.run.profile}. Warming up is a larger part of a shorter cold load.`,
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
    return `their scenarios differ, ${a.run.scenario} and ${b.run.scenario}`;
  }
  for (const { run, impl } of [a, b]) {
    if (impl.failure !== undefined) {
      return `${impl.name} failed in run ${run.id} at ${impl.failure.stage}: ${impl.failure.message}`;
    }
  }
  return a.impl.class === b.impl.class
    ? undefined
    : `one is ${a.impl.class} and the other ${b.impl.class}, which are ranked separately`;
}

/**
 * @param {Side} a
 * @param {Side} b
 * @returns {string | undefined}
 */
function reasonAgainstRatios(a, b) {
  for (const { run, impl } of [a, b]) {
    if (impl.levels.every(({ warm }) => warm.ratio === undefined)) {
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
  const isOneRun = a.run.id === b.run.id;
  const row = {
    connections,
    a: standingAt(a, connections, isOneRun),
    b: standingAt(b, connections, isOneRun),
  };
  if (row.a.ratio === undefined || row.b.ratio === undefined) {
    return { ...row, verdict: "not comparable: a ratio is missing" };
  }
  if (!isOneRun) {
    return { ...row, verdict: acrossRuns(row.a, row.b, machineOf(a) === machineOf(b)) };
  }
  const ratio = ratioOf(a, b, connections);
  if (ratio === undefined) {
    return { ...row, verdict: "not comparable: the run has no interval for these two" };
  }
  const reading = readRatio(ratio, { a: row.a.isBound, b: row.b.isBound });
  return {
    ...row,
    between: { ratio, qualifier: reading.qualifier ? `${reading.qualifier} ` : "" },
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
 */
function acrossRuns(a, b, isOneMachine) {
  if (!isOneMachine) {
    return "not decided: no interval here covers how far ratios carry between processors";
  }
  return a.runs > 1 && b.runs > 1
    ? overlapOf(a, b)
    : "not decided: the interval of a single run does not cover how far runs differ";
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
  if (!isHigherA && b.ratio.low <= a.ratio.high) {
    return "the intervals overlap: no measurable difference";
  }
  return (isHigherA ? b : a).isBound
    ? "no measurable difference: the load generator limited the lower one"
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
  const isBound = level?.isGeneratorBound ?? false;
  const { ratio, overRuns, ratioMissing } = level?.warm ?? {};
  if (ratio !== undefined) {
    return isAlone || overRuns === undefined
      ? { ratio, runs: 1, isBound }
      : { ratio: overRuns, runs: overRuns.runs, isBound };
  }
  return {
    isBound,
    runs: 0,
    missing: ratioMissing ?? level?.cold.missing ?? "not compared at this level",
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
  const { cold, warm } = level ?? {};
  return {
    isBound,
    warm: warm?.goodputPerSecond,
    warmMissing: warm?.goodputPerSecond === undefined
      ? warm?.ratioMissing ?? "not compared at this level"
      : undefined,
    cold: cold?.goodputPerSecond,
    coldMissing: cold?.goodputPerSecond === undefined
      ? cold?.missing ?? "not measured at this level"
      : undefined,
  };
}
