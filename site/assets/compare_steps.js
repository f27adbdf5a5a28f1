// @ts-check
/**
 * What scenarios without levels have beside each other: bursts of users, or notifications at a rate. In: two sides as
 * published below api/. Out: for each step a row of texts for either side, without a document, and without a verdict: two
 * runs, or two implementations, were not loaded alternately, so nothing tells their difference from chance.
 *
 * @import { ApiImpl } from "../../bench/site/api/schema.ts"
 */
import { burstFigureTexts, burstLabel, deliveryFigureTexts, deliveryLabel } from "./step_text.js";

/**
 * One side of a step: its figures in the order of the columns, each undefined where it was not measured, or why there are none.
 *
 * @typedef {{ label: string, cells: (string | undefined)[], missing?: string }} StepRow
 */

/**
 * @typedef {{ label: string, rows: StepRow[] }} StepGroup
 */

/**
 * @typedef {{ kind: "bursts" | "deliveries", groups: StepGroup[] }} Steps
 */

/**
 * Returns the steps of two sides; undefined where they have levels.
 *
 * @param {ApiImpl} a
 * @param {ApiImpl} b
 * @returns {Steps | undefined}
 */
export function stepsOf(a, b) {
  if (a.bursts ?? b.bursts) {
    const groups = groupsOf(a.bursts ?? [], b.bursts ?? [], burstLabel, burstFigureTexts);
    return { kind: "bursts", groups };
  }
  if (a.deliveries ?? b.deliveries) {
    const groups = groupsOf(
      a.deliveries ?? [],
      b.deliveries ?? [],
      deliveryLabel,
      deliveryFigureTexts,
    );
    return { kind: "deliveries", groups };
  }
  return undefined;
}

/**
 * @template {{ missing?: string }} Step
 * @param {Step[]} a
 * @param {Step[]} b
 * @param {(step: Step) => string} labelOf
 * @param {(step: Step) => Record<string, string | undefined>} textsOf
 * @returns {StepGroup[]}
 */
function groupsOf(a, b, labelOf, textsOf) {
  const labels = [...new Set([...a, ...b].map(labelOf))];
  return labels.map((label) => {
    const rowOf = (/** @type {string} */ side, /** @type {Step[]} */ steps) => {
      const step = steps.find((step) => labelOf(step) === label);
      if (step === undefined) return { label: side, cells: [], missing: "not measured" };
      const { missing } = step;
      if (missing !== undefined) return { label: side, cells: [], missing };
      return { label: side, cells: Object.values(textsOf(step)) };
    };
    return { label, rows: [rowOf("First", a), rowOf("Second", b)] };
  });
}
