import { encodeIntoCompressedBase64 } from "hdr-histogram-js";
import { exampleObservation } from "./example_result.ts";
import type { RateStep, RateSweep, SweptProcess } from "../results/protocols_schema.ts";
import { nextRate, sustainedBy, sweptProcess } from "../results/rate_sweep.ts";
import { createLatencyHistogram, latencyPercentiles } from "../statistics/mod.ts";

/** The plan of the made-up sweep: three processes, at most five given rates each. */
export const rateSweepPlan: RateSweep["plan"] = {
  ratesPerSecond: [100, 500, 1_000, 2_000, 4_000],
  stepRatio: 1.15,
  processes: 3,
  connections: 100,
  secondsPerStep: 20,
  settleSeconds: 0.5,
  warmUpRequests: 1_000,
  goal: { p99Seconds: 0.05, failureShare: 0.001 },
};

/** Makes three processes that differ by a tenth; of one that freezes, none holds a rate. */
export function exampleRateSweep(goodputPerSecond: number, freezes: boolean): RateSweep {
  const processes = [0.9, 1, 1.1].map((share) => exampleProcess(share * goodputPerSecond, freezes));
  return {
    plan: rateSweepPlan,
    processes,
    floor: rateSweepPlan.ratesPerSecond.map((ratePerSecond) => ({
      ratePerSecond,
      unsent: 0,
      latencySeconds: latencyPercentiles(exampleLatency(200, 200)),
    })),
    ...sustainedBy(processes),
  };
}

/** A process holds a rate until nine tenths of its goodput; one that freezes holds none, and hides it. */
function exampleProcess(most: number, freezes: boolean): SweptProcess {
  const stepAt = (ratePerSecond: number): RateStep => {
    const isOver = ratePerSecond > 0.9 * most;
    const due = ratePerSecond * rateSweepPlan.secondsPerStep;
    const unsent = isOver ? Math.round(due * (1 - 0.9 * most / ratePerSecond)) : 0;
    const usual = 1_000 / (1 - Math.min(ratePerSecond / most, 0.97));
    const late = isOver ? 2_000_000 : freezes ? 1_000_000 : usual;
    const latency = exampleLatency(isOver ? late / 2 : usual, late);
    const latencySeconds = latencyPercentiles(latency);
    return {
      ratePerSecond,
      durationSeconds: rateSweepPlan.secondsPerStep,
      due,
      attempted: due - unsent,
      unsent,
      correct: due - unsent,
      ...{ refused: 0, wrong: {}, problems: [], failures: {}, log: exampleObservation().log },
      latencySeconds,
      uncorrectedSeconds: latencyPercentiles(exampleLatency(usual, usual)),
      settlingSeconds: latencyPercentiles(exampleLatency(2 * usual, 3 * usual)),
      latency: {
        encoding: "HdrHistogram-V2-compressed-base64",
        unit: "microseconds",
        significantDigits: 3,
        histogram: encodeIntoCompressedBase64(latency),
      },
      cpuSecondsPerAnswer: 0.5 / most * (1 + 20 / ratePerSecond),
      holds: !isOver && latencySeconds.p99 <= rateSweepPlan.goal.p99Seconds,
    };
  };
  const steps: RateStep[] = [];
  for (
    let rate = nextRate(rateSweepPlan, steps);
    rate !== undefined;
    rate = nextRate(rateSweepPlan, steps)
  ) steps.push(stepAt(rate));
  return sweptProcess(steps);
}

/** Makes a histogram around a usual latency, of which one in twenty waits as late; in microseconds. */
function exampleLatency(usual: number, late: number) {
  const histogram = createLatencyHistogram();
  for (let index = 0; index < 1_000; index++) {
    const microseconds = index % 20 === 0 ? late * (index + 1) / 1_000 : usual;
    histogram.recordValue(Math.round(Math.max(usual, microseconds) * (1 + index / 2_000)));
  }
  return histogram;
}
