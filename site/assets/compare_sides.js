// @ts-check
/**
 * What do two sides of a comparison have beside each other? In: what is published below api/. Out: their figures, or in a
 * sentence why these do not compare, without a document.
 *
 * @import { ApiImpl, ApiRun } from "../../bench/site/api/schema.ts"
 * @import { GoodputRow } from "./compare_goodput.js"
 * @import { RatioRow } from "./compare_ratios.js"
 * @import { Steps } from "./compare_steps.js"
 */
import { goodputRows } from "./compare_goodput.js";
import { ratioRows } from "./compare_ratios.js";
import { stepsOf } from "./compare_steps.js";

/**
 * One implementation in one run.
 *
 * @typedef {{ run: ApiRun, impl: ApiImpl }} Side
 */

/**
 * Two sides: without rows where their ratios do not compare, and then with the reason; without goodput where that
 * does not; with steps alone where their scenario has no levels.
 *
 * @typedef {{ a: Side, b: Side, reason?: string, rows?: RatioRow[], goodput?: GoodputRow[], steps?: Steps }} Comparison
 */

/**
 * Puts two sides beside each other.
 *
 * @param {Side} a
 * @param {Side} b
 * @returns {Comparison}
 */
export function compareSides(a, b) {
  const otherJob = reasonAgainst(a, b);
  if (otherJob !== undefined) return { a, b, reason: otherJob };
  const isOneMachine = machineOf(a) === machineOf(b);
  const steps = stepsOf(a.impl, b.impl);
  if (steps !== undefined) {
    return isOneMachine
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
    reason,
    rows: reason === undefined ? ratioRows(a, b, { levels, isOneMachine }) : undefined,
    goodput: isOneMachine ? goodputRows(a, b, levels) : undefined,
  };
}

/**
 * Returns the kind of machine of a side, in words.
 *
 * @param {Side} side
 */
export function machineOf({ impl: { machine } }) {
  const idle = machine.idle ? ", polling when idle" : "";
  return `${machine.cpuModel}, ${machine.cpuCount} processors${idle}`;
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
    if (impl.failure) {
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
    if (impl.levels.every(({ warm }) => !warm.ratio)) {
      return `${impl.name} has no ratio to the control in run ${run.id}`;
    }
  }
  return a.impl.control === b.impl.control
    ? undefined
    : `one was compared with version ${a.impl.control} of the control, the other with version ${b.impl.control}`;
}
