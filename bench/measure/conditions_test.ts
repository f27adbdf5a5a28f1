import { assertEquals } from "@std/assert";
import { comparisonPlans, makePlan } from "../results/plan.ts";
import { requestLines } from "./conditions.ts";

Deno.test("requestLines() is what one process is sent at most", () => {
  assertEquals(requestLines({ requests: 2_000, warmUpRequests: 100 }), 2_100);
  assertEquals(requestLines(makePlan("full", {}, 1)) >= 501_000, true);
  const { smoke } = comparisonPlans;
  // 0.6 s of slices after 1,000 requests to warm up.
  assertEquals(requestLines({ comparison: smoke }), 31_000);
  const goal = { p99Seconds: 0.05, failureShare: 0.001 };
  const sweep = { ratesPerSecond: [100, 300], connections: 20, secondsPerStep: 2.5, goal };
  assertEquals(requestLines({ rateSweep: { ...sweep, warmUpRequests: 500 } }), 1_500);
});
