/**
 * The figures that are computed from what was seen: the one door to `statistics/`. No input or output there;
 * each formula names its source.
 */
export { detectableWithin, shareInterval } from "./chance.ts";
export { mean, median } from "./descriptive.ts";
export { type Drift, driftOf } from "./drift.ts";
export { ratioToEarlierRuns } from "./earlier_runs.ts";
export {
  type CensoredPercentiles,
  createLatencyHistogram,
  decodeLatencyHistogram,
  latencyPercentile,
  latencyPercentiles,
  meanLatency,
  type Unanswered,
} from "./histogram.ts";
export { meanMargin, predictionMargin } from "./margins.ts";
export { type Noise, noiseOf, scatterOf } from "./noise.ts";
export { type PlacedLoad, type PlaceSlope, placeSlope } from "./place_slope.ts";
export { littlesLawRatio, nonMonotone, type Silence, silenceOf } from "./plausible.ts";
export { comparePairs, type RankPair, tieGroups, winPoints } from "./ranking.ts";
export { type RatioInterval, ratioInterval, twoSampleRatioInterval } from "./ratio.ts";
export { meanOfMachines, pooledRunVariance, type RunRatio, type Variance } from "./run_variance.ts";
export {
  acrossRuns,
  type BetweenProcessors,
  betweenProcessors,
  type LongRunOptions,
  type LongRunRatio,
  longRunRatio,
  widened,
} from "./runs.ts";
export {
  countPerInterval,
  seriesIntervalSeconds,
  type WarmUpFigures,
  warmUpFigures,
} from "./series.ts";
export { type StartBlock, startupRatio } from "./startup.ts";
export { firstStageLoads, type TwoStageMean, twoStageMean } from "./two_stage_mean.ts";
export {
  inverse,
  type Reading,
  readRatio,
  type Verdict,
  verdict,
  verdictWords,
} from "../../site/assets/verdict.js";
