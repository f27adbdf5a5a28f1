// @ts-check
/**
 * What an address asks to compare. In: its query and what is published below api/. Out: which two, or in a sentence why not.
 *
 * @import { ApiImpl, ApiIndex, ApiRun } from "../../bench/site/api/schema.ts"
 * @import { Side } from "./compare_sides.js"
 */

/**
 * Ids, and an empty text for every implementation of a run.
 *
 * @typedef {{ runA: string, implA: string, runB: string, implB: string }} Choice
 */

/**
 * Reads what an address asks for. What it leaves out is the newest run, on the second side the run before the first of
 * the same scenario that has one of its implementations, and every implementation.
 *
 * @param {string} query
 * @param {ApiIndex} index
 * @returns {Choice}
 */
export function readChoice(query, index) {
  const asked = new URLSearchParams(query);
  const runA = asked.get("run-a") || (index.runs[0]?.id ?? "");
  return {
    runA,
    implA: asked.get("impl-a") ?? "",
    runB: asked.get("run-b") || (runBefore(runA, index) ?? runA),
    implB: asked.get("impl-b") ?? "",
  };
}

/**
 * @param {string} runId
 * @param {ApiIndex} index newest first
 * @returns {string | undefined}
 */
function runBefore(runId, { runs }) {
  const place = runs.findIndex(({ id }) => id === runId);
  const run = runs[place];
  return runs.slice(place + 1).find(({ scenario, reproduces, impls }) =>
    scenario === run?.scenario && reproduces === run?.reproduces &&
    impls.some(({ id }) => run?.impls.some((own) => own.id === id))
  )?.id;
}

/**
 * Returns what tells a run from the others in a list: runs of several scenarios begin in the same minute.
 *
 * @param {ApiIndex["runs"][number]} run
 */
export function runLabel({ startedAt, scenario, profile, machine }) {
  return `${startedAt.slice(0, 16).replace("T", " ")}, ${scenario}, ${profile}, ${machine}`;
}

/**
 * Tells why a choice cannot be shown, in a sentence; undefined where it can.
 *
 * @param {Choice} choice
 * @param {ApiIndex} index
 * @returns {string | undefined}
 */
export function problemOf({ runA, implA, runB, implB }, index) {
  for (const [runId, implId] of [[runA, implA], [runB, implB]]) {
    const run = index.runs.find(({ id }) => id === runId);
    if (run === undefined) return `Cannot find run “${runId}”: it is not among the published runs.`;
    if (implId !== "" && !run.impls.some(({ id }) => id === implId)) {
      const ids = run.impls.map(({ id }) => id).join(", ");
      return `Cannot find “${implId}” in run ${runId}: it has ${ids}.`;
    }
  }
  return runA === runB && implA === implB && implA !== ""
    ? `Both sides are ${implA} of the same run: choose another on one side.`
    : undefined;
}

/**
 * Tells whether a choice is every two of one run, which has a page of its own.
 *
 * @param {Choice} choice
 */
export function isWholeRun({ runA, implA, runB, implB }) {
  return runA === runB && implA === "" && implB === "";
}

/**
 * Returns every two that a choice asks for: each implementation with itself in the other run, or one with every other;
 * and the names of those without a counterpart.
 *
 * @param {Choice} choice
 * @param {ApiRun} runA
 * @param {ApiRun} runB
 * @returns {{ sides: [Side, Side][], onlyA: string[], onlyB: string[] }}
 */
export function pairUp({ implA, implB }, runA, runB) {
  const ofA = runA.impls.filter(({ id }) => implA === "" || id === implA);
  const ofB = runB.impls.filter(({ id }) => implB === "" || id === implB);
  const isAll = implA === "" && implB === "";
  /** @type {[Side, Side][]} */
  const sides = [];
  for (const a of ofA) {
    for (const b of ofB) {
      const isSame = a.id === b.id;
      if (isAll ? isSame : runA.id !== runB.id || !isSame) {
        sides.push([{ run: runA, impl: a }, { run: runB, impl: b }]);
      }
    }
  }
  return {
    sides,
    onlyA: isAll ? namesWithout(ofA, ofB) : [],
    onlyB: isAll ? namesWithout(ofB, ofA) : [],
  };
}

/**
 * @param {ApiImpl[]} impls
 * @param {ApiImpl[]} others
 */
function namesWithout(impls, others) {
  return impls.filter(({ id }) => !others.some((other) => other.id === id)).map(({ name }) => name);
}
