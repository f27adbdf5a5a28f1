/** For tests: what a run found. */
import { studentTWithin } from "../statistics/distributions.ts";
import type { RunRatio } from "../statistics/mod.ts";

/** Returns a run whose log-ratio has the given standard error over ten rounds. */
export function exampleRunRatio(
  logRatio: number,
  standardError = 0,
  processor = "first",
): RunRatio {
  const margin = studentTWithin(0.95, 9) * standardError;
  const [low, estimate, high] = [logRatio - margin, logRatio, logRatio + margin].map(Math.exp);
  return {
    ratio: { estimate: estimate!, low: low!, high: high!, confidence: 0.95, rounds: 10 },
    processor,
  };
}
