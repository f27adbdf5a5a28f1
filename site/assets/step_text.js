// @ts-check
/**
 * How steps of bursts and deliveries are called, and how their figures stand in tables. Without imports: the harness writes
 * pages with it, and a script tables.
 *
 * @import { BurstEstimate } from "../../bench/results/burst_schema.ts"
 */

/**
 * Names a number of users with one delay: `10,000 users, 1 s`.
 *
 * @param {{ users: number, delaySeconds: number }} step
 */
export function burstLabel({ users, delaySeconds }) {
  return `${countText(users)} users, ${delaySeconds} s`;
}

/**
 * Names a rate of notifications: `1,600 users, 2,667 a second`.
 *
 * @param {{ users: number, ratePerSecond: number }} step
 */
export function deliveryLabel({ users, ratePerSecond }) {
  return `${countText(users)} users, ${countText(ratePerSecond)} a second`;
}

/**
 * Returns a number without decimals: `1,234`.
 *
 * @param {number} value
 */
export function countText(value) {
  return value.toLocaleString("en", { maximumFractionDigits: 0 });
}

/**
 * Returns a number with three digits, at least one before the point: `4.32`.
 *
 * @param {number} value
 * @param {"ceil"} [roundingMode] of an upper bound
 */
export function digitsText(value, roundingMode) {
  const behind = value < 10 ? 2 : value < 100 ? 1 : 0;
  return value.toLocaleString("en", {
    minimumFractionDigits: behind,
    maximumFractionDigits: behind,
    roundingMode,
  });
}

/**
 * Returns both ends of a ratio's interval; one that excludes 1 stays on its side of it: `> 1.000`, `1.486`.
 *
 * @param {{ low: number, high: number }} interval
 */
export function intervalTexts({ low, high }) {
  const one = low > 1 ? "> $&" : high < 1 ? "< $&" : "$&";
  return [low, high].map((end) => end.toFixed(3).replace(/^1\.000/, one));
}

/**
 * Returns a share in percent: `17.1 %`, `0.43 %`; small ones with more digits: one user of many is not none. The whole has
 * none behind the point, as on other pages.
 *
 * @param {number} share
 */
export function shareText(share) {
  const digits = share >= 1 ? 0 : share === 0 || share >= 0.1 ? 1 : share < 1e-4 ? 4 : 2;
  return `${(100 * share).toFixed(digits)} %`;
}

/**
 * Returns how many of the accepted notifications were lost, with their share: `40,020 (25.0 %)`.
 *
 * @param {number} lost
 * @param {number} accepted
 */
function lostText(lost, accepted) {
  return lost === 0 ? "0" : `${countText(lost)} (${shareText(lost / accepted)})`;
}

/**
 * Returns the figures of a burst in the order of the columns of any two, each undefined where it was not measured.
 *
 * @param {{
 *   answered?: BurstEstimate,
 *   failedShare?: BurstEstimate,
 *   meanSeconds?: BurstEstimate,
 *   p99Seconds?: BurstEstimate,
 *   peakThreads?: number,
 *   peakMemoryBytes?: number,
 *   peakConnected?: number,
 *   peakEstablished?: number,
 * }} burst
 */
export function burstFigureTexts({ answered, failedShare, meanSeconds, p99Seconds, ...peaks }) {
  return {
    answered: textOf(answered?.mean, countText),
    failedShare: estimateText(failedShare, shareText),
    meanSeconds: estimateText(meanSeconds, digitsText),
    p99Seconds: estimateText(p99Seconds, digitsText),
    ...peakTexts(peaks),
    peakConnected: textOf(peaks.peakConnected, countText),
    peakEstablished: textOf(peaks.peakEstablished, countText),
  };
}

/**
 * Returns the figures of deliveries at one rate, in the same order, each undefined where it was not measured. Where the machine
 * was disturbed, times are upper bounds: answers were read late by as much as `readLateSeconds`, at most.
 *
 * @param {{
 *   accepted?: number,
 *   lost?: number,
 *   arrivedPerSecond?: number,
 *   acceptSeconds?: { p99: number, atLeast?: string[] },
 *   arrivalSeconds?: { p99: number },
 *   drainSeconds?: number,
 *   peakThreads?: number,
 *   peakMemoryBytes?: number,
 *   readLateSeconds?: number,
 * }} delivery
 */
export function deliveryFigureTexts(
  { accepted, lost, acceptSeconds, arrivalSeconds, readLateSeconds, ...step },
) {
  /** @param {number} value */
  const timeText = (value) =>
    readLateSeconds === undefined ? digitsText(value) : `≤ ${digitsText(value, "ceil")}`;
  /**
   * Calls seem to arrive early by how much the answers were read late.
   *
   * @param {number} seconds
   */
  const arrivalText = (seconds) => timeText(seconds + (readLateSeconds ?? 0));
  return {
    accepted: textOf(accepted, countText),
    lost: textOf(lost, (count) => lostText(count, accepted ?? 0)),
    arrivedPerSecond: textOf(step.arrivedPerSecond, countText),
    acceptP99Milliseconds: textOf(
      acceptSeconds,
      // Of requests without an answer, only the least latency is known.
      ({ p99, atLeast }) => (atLeast?.includes("p99") ? "≥ " : "") + timeText(1000 * p99),
    ),
    arrivalP99Seconds: textOf(arrivalSeconds?.p99, arrivalText),
    drainSeconds: textOf(step.drainSeconds, arrivalText),
    ...peakTexts(step),
  };
}

/**
 * Returns the most threads, and the most memory in MiB.
 *
 * @param {{ peakThreads?: number, peakMemoryBytes?: number }} peaks
 */
function peakTexts({ peakThreads, peakMemoryBytes }) {
  return {
    peakThreads: textOf(peakThreads, countText),
    peakMemory: textOf(peakMemoryBytes, (bytes) => digitsText(bytes / 1024 ** 2)),
  };
}

/**
 * @template Value
 * @param {Value | undefined} value
 * @param {(value: Value) => string} format
 */
function textOf(value, format) {
  return value === undefined ? undefined : format(value);
}

/**
 * Returns an estimate with its interval where that has a width; undefined where there is none.
 *
 * @param {BurstEstimate | undefined} estimate
 * @param {(value: number) => string} format
 */
function estimateText(estimate, format) {
  if (estimate === undefined) return undefined;
  const { mean, low = mean, high = mean } = estimate;
  if (format(low) === format(high)) return format(mean);
  return `${format(mean)} (${format(low)}–${format(high)})`;
}
