// @ts-check
/**
 * What scenarios without levels have beside each other: bursts of users, or notifications at a rate. In: two sides as
 * published below api/. Out: a row of texts for each side and step, without a document, and without a verdict: two runs, or
 * two implementations, were not loaded alternately, so nothing tells their difference from chance.
 *
 * @import { ApiBurst, ApiDelivery, ApiImpl } from "../../bench/site/api/schema.ts"
 * @import { BurstEstimate } from "../../bench/results/burst_schema.ts"
 */

/**
 * A step of one side: its figures in the order of the columns, or why there are none.
 *
 * @typedef {{ label: string, side: string, cells: string[], missing?: string }} StepRow
 */

/**
 * @typedef {{ kind: "bursts" | "deliveries", rows: StepRow[] }} Steps
 */

/**
 * Returns the steps of two sides, each step of the first above that of the second; undefined where they have levels.
 *
 * @param {ApiImpl} a
 * @param {ApiImpl} b
 * @returns {Steps | undefined}
 */
export function stepsOf(a, b) {
  if (a.bursts !== undefined || b.bursts !== undefined) {
    return { kind: "bursts", rows: rowsOf(a.bursts ?? [], b.bursts ?? [], burstLabel, burstCells) };
  }
  if (a.deliveries !== undefined || b.deliveries !== undefined) {
    const [ofA, ofB] = [a.deliveries ?? [], b.deliveries ?? []];
    return { kind: "deliveries", rows: rowsOf(ofA, ofB, deliveryLabel, deliveryCells) };
  }
  return undefined;
}

/**
 * @template {{ missing?: string }} Step
 * @param {Step[]} a
 * @param {Step[]} b
 * @param {(step: Step) => string} labelOf
 * @param {(step: Step) => string[]} cellsOf
 * @returns {StepRow[]}
 */
function rowsOf(a, b, labelOf, cellsOf) {
  const labels = [...new Set([...a, ...b].map(labelOf))];
  return labels.flatMap((label) =>
    [["First", a], ["Second", b]].map(([side, steps]) => {
      const step = /** @type {Step[]} */ (steps).find((step) => labelOf(step) === label);
      const missing = step === undefined ? "not measured" : step.missing;
      const row = { label, side: /** @type {string} */ (side) };
      return missing === undefined && step !== undefined
        ? { ...row, cells: cellsOf(step) }
        : { ...row, cells: [], missing };
    })
  );
}

/** @param {ApiBurst} step */
function burstLabel({ users, delaySeconds }) {
  return `${count(users)} users, ${delaySeconds} s`;
}

/** @param {ApiBurst} step */
function burstCells(step) {
  const { answered, failedShare, meanSeconds, p99Seconds } = step;
  return [
    estimate(answered, count),
    estimate(failedShare, (share) => `${digits(100 * share)} %`),
    estimate(meanSeconds, digits),
    estimate(p99Seconds, digits),
    shown(step.peakThreads, count),
    shown(step.peakMemoryBytes, (bytes) => digits(bytes / 1024 ** 2)),
    shown(step.peakEstablished, count),
  ];
}

/** @param {ApiDelivery} step */
function deliveryLabel({ users, ratePerSecond }) {
  return `${count(users)} users, ${count(ratePerSecond)} a second`;
}

/** @param {ApiDelivery} step */
function deliveryCells(step) {
  const { accepted, lost, deliveredPerSecond, acceptSeconds, arrivalSeconds, drainSeconds } = step;
  return [
    shown(accepted, count),
    shown(lost, count),
    shown(deliveredPerSecond, count),
    shown(acceptSeconds?.p99, (seconds) => digits(1000 * seconds)),
    shown(arrivalSeconds?.p99, digits),
    shown(drainSeconds, digits),
    shown(step.peakThreads, count),
    shown(step.peakMemoryBytes, (bytes) => digits(bytes / 1024 ** 2)),
  ];
}

/**
 * @param {BurstEstimate | undefined} estimate
 * @param {(value: number) => string} format
 */
function estimate(estimate, format) {
  if (estimate === undefined) return "–";
  const { mean, low, high } = estimate;
  if (low === undefined || high === undefined || format(low) === format(high)) return format(mean);
  return `${format(mean)} (${format(low)} to ${format(high)})`;
}

/**
 * @param {number | undefined} value
 * @param {(value: number) => string} format
 */
function shown(value, format) {
  return value === undefined ? "–" : format(value);
}

/** @param {number} value */
function count(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 0 });
}

/**
 * Returns a number with three digits, at least one before the point.
 *
 * @param {number} value
 */
function digits(value) {
  const behind = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString("en", {
    minimumFractionDigits: behind,
    maximumFractionDigits: behind,
  });
}
