/**
 * The figures that are computed from what was seen: the one door to `statistics/`. No input or output there;
 * each formula names its source.
 */
export {
  chanceOfFalseAlarms,
  detectableDifference,
  type DetectableDifferenceOptions,
  failureBound,
} from "./statistics/chance.ts";
export {
  createLatencyHistogram,
  decodeLatencyHistogram,
  latencyPercentiles,
  mergeHistograms,
} from "./statistics/histogram.ts";
export {
  comparePairs,
  type RankEntry,
  type RankPair,
  scorecard,
  tieGroups,
  winPoints,
} from "./statistics/ranking.ts";
export {
  inverse,
  type RatioInterval,
  ratioInterval,
  twoSampleRatioInterval,
  type Verdict,
  verdict,
} from "./statistics/ratio.ts";
export {
  countPerInterval,
  seriesIntervalSeconds,
  type WarmUpFigures,
  warmUpFigures,
} from "./statistics/series.ts";
export { median, medianAbsoluteDifference, type Spread, spread } from "./statistics/spread.ts";
