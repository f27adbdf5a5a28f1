/**
 * The figures that are computed from what was seen: the one door to `statistics/`. No input or output there;
 * each formula names its source.
 */
export {
  chanceOfFalseAlarms,
  detectableDifference,
  type DetectableDifferenceOptions,
  failureBound,
} from "./chance.ts";
export {
  createLatencyHistogram,
  decodeLatencyHistogram,
  latencyPercentiles,
  mergeHistograms,
} from "./histogram.ts";
export {
  comparePairs,
  type RankEntry,
  type RankPair,
  scorecard,
  tieGroups,
  winPoints,
} from "./ranking.ts";
export {
  inverse,
  type RatioInterval,
  ratioInterval,
  twoSampleRatioInterval,
  type Verdict,
  verdict,
} from "./ratio.ts";
export {
  countPerInterval,
  seriesIntervalSeconds,
  type WarmUpFigures,
  warmUpFigures,
} from "./series.ts";
export { median, medianAbsoluteDifference, type Spread, spread } from "./spread.ts";
