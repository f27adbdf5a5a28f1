// @ts-check
/**
 * What is said above two sides of a comparison: what is compared, and what a reader must know before the figures. In: what
 * is published below api/. Out: sentences, without a document.
 *
 * @import { ApiRun } from "../../bench/site/api/schema.ts"
 * @import { Side } from "./compare_sides.js"
 */
import { machineOf } from "./compare_sides.js";
import { stepsOf } from "./compare_steps.js";

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
