// @ts-check
/**
 * What does an interval say of two? Decided here alone: the harness uses this module, and so do pages. Without imports, so
 * that a browser can run it.
 */

/**
 * Which of two is faster, if either.
 *
 * @typedef {"faster" | "slower" | "tied"} Verdict
 */

/**
 * Both ends of a ratio's interval.
 *
 * @typedef {{ low: number, high: number }} Range
 */

/**
 * Whom of two the load generator bounds.
 *
 * @typedef {{ a: boolean, b: boolean }} Bound
 */

/**
 * What a ratio of a to b says where the load generator bounds one of them: the range that is known of it, the verdict on
 * a, how to read the estimate, and whose bound hides a difference.
 *
 * @typedef {{
 *   range: Range,
 *   verdict: Verdict,
 *   qualifier?: "at least" | "at most",
 *   hiddenBy?: "a" | "b" | "both",
 * }} Reading
 */

/**
 * Returns faster or slower where the whole interval of a ratio lies on one side of 1, else tied.
 *
 * @param {Range} ratio
 * @returns {Verdict}
 */
export function verdict({ low, high }) {
  if (low > 1) return "faster";
  return high < 1 ? "slower" : "tied";
}

/**
 * Returns the ratio of b to a, given that of a to b.
 *
 * @template {Range & { estimate: number }} T
 * @param {T} ratio
 * @returns {T}
 */
export function inverse(ratio) {
  return { ...ratio, estimate: 1 / ratio.estimate, low: 1 / ratio.high, high: 1 / ratio.low };
}

/**
 * Reads a ratio of a to b. What the load generator bounds gives at least what was measured, so its side stays open.
 *
 * @param {Range} ratio
 * @param {Bound} bound
 * @returns {Reading}
 */
export function readRatio(ratio, bound) {
  const range = { low: bound.b ? 0 : ratio.low, high: bound.a ? Infinity : ratio.high };
  const found = verdict(range);
  if (bound.a && bound.b) return { range, verdict: found, hiddenBy: "both" };
  return {
    range,
    verdict: found,
    qualifier: bound.a ? "at least" : bound.b ? "at most" : undefined,
    hiddenBy: found === verdict(ratio) ? undefined : bound.a ? "a" : "b",
  };
}

/**
 * Returns a verdict as a table has it, with the reason where the load generator hides a difference.
 *
 * @param {Omit<Reading, "range">} reading
 * @param {{ a: string, b: string }} names
 */
export function verdictWords({ verdict, hiddenBy }, names) {
  if (hiddenBy === undefined) return verdict;
  const who = hiddenBy === "both" ? "both" : names[hiddenBy];
  return `${verdict}: the load generator limited ${who}`;
}
