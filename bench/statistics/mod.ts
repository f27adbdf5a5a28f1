/**
 * The figures that are computed from what was seen: the one door to `statistics/`. No input or output there;
 * each formula names its source.
 */
export {
  chanceOfFalseAlarms,
  detectableDifference,
  type DetectableDifferenceOptions,
} from "./chance.ts";
export { createLatencyHistogram, decodeLatencyHistogram, latencyPercentiles } from "./histogram.ts";
export { comparePairs, type RankEntry, type RankPair, tieGroups, winPoints } from "./ranking.ts";
export { type RatioInterval, ratioInterval, twoSampleRatioInterval } from "./ratio.ts";
export {
  inverse,
  type Reading,
  readRatio,
  type Verdict,
  verdict,
  verdictWords,
} from "../../site/assets/verdict.js";
export {
  countPerInterval,
  seriesIntervalSeconds,
  type WarmUpFigures,
  warmUpFigures,
} from "./series.ts";
export { median, medianAbsoluteDifference, standardDeviation } from "./spread.ts";
