// @ts-check
/**
 * Goodput of two sides at each level. In: what is published below api/. Out: figures, or why there are none, without a
 * document. Each is of its own run, so nothing is judged by it.
 *
 * @import { Ratio } from "./compare_ratios.js"
 * @import { Side } from "./compare_sides.js"
 */

/**
 * Warm goodput with the interval of its run, and cold goodput of one load; or why there is none.
 *
 * @typedef {{ warm?: Ratio, warmMissing?: string, cold?: number, coldMissing?: string, isBound: boolean }} Goodput
 */

/**
 * @typedef {{ connections: number, a: Goodput, b: Goodput }} GoodputRow
 */

/** Why a level has no figure, where nothing else tells. */
export const notCompared = "not compared at this level";

/**
 * Returns the goodput of two sides of one machine at each level.
 *
 * @param {Side} a
 * @param {Side} b
 * @param {number[]} levels
 * @returns {GoodputRow[]}
 */
export function goodputRows(a, b, levels) {
  return levels.map((connections) => ({
    connections,
    a: goodputAt(a, connections),
    b: goodputAt(b, connections),
  }));
}

/**
 * @param {Side} side
 * @param {number} connections
 * @returns {Goodput}
 */
function goodputAt({ impl }, connections) {
  const level = impl.levels.find((level) => level.connections === connections);
  const isBound = !!level?.isGeneratorBound;
  const { cold, warm } = level ?? {};
  return {
    isBound,
    warm: warm?.goodputPerSecond,
    warmMissing: warm?.goodputPerSecond === undefined
      ? warm?.ratioMissing ?? notCompared
      : undefined,
    cold: cold?.goodputPerSecond,
    coldMissing: cold?.goodputPerSecond === undefined
      ? cold?.missing ?? "not measured at this level"
      : undefined,
  };
}
