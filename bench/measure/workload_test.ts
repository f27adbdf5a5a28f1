import { assertEquals } from "@std/assert";
import { makePlan } from "../results/plan.ts";
import { comparisonPlans } from "../results/profiles.ts";
import { requestLines } from "./workload.ts";

Deno.test("requestLines() is what one process is sent at most", () => {
  assertEquals(requestLines({ requests: 2_000, warmUpRequests: 100 }), 2_100);
  assertEquals(requestLines(makePlan("full", {}, 1)) >= 501_000, true);
  const { smoke } = comparisonPlans;
  // 0.6 s of slices after 1,000 requests to warm up.
  assertEquals(requestLines({ comparison: smoke }), 31_000);
  const goal = { p99Seconds: 0.05, failureShare: 0.001 };
  const rates = { ratesPerSecond: [300, 100], connections: 20, secondsPerStep: 2.5, goal };
  const sweep = { ...rates, processes: 3, warmUpRequests: 500 };
  assertEquals(requestLines({ rateSweep: sweep }), 1_500);
  // Between 100 and 300 is one step more, at 173 requests per second.
  assertEquals(requestLines({ rateSweep: { ...sweep, stepRatio: 1.75 } }), 1_500 + 433);
});
