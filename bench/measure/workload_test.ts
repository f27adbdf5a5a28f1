import { assertEquals } from "@std/assert";
import { makePlan } from "../results/plan.ts";
import { comparisonPlans, deliveryPlans, rateSweepPlans } from "../results/profiles.ts";
import { requestLines } from "./workload.ts";

Deno.test("requestLines() is what one process is sent at most", () => {
  assertEquals(requestLines({ requests: 2_000, warmUpRequests: 100 }), 2_100);
  assertEquals(requestLines(makePlan("full", {}, 1)) >= 501_000, true);
  const { smoke } = comparisonPlans;
  // 0.8 s of slices after 1,000 requests to warm up.
  assertEquals(requestLines({ comparison: smoke }), 81_000);
  const goal = { p99Seconds: 0.05, failureShare: 0.001 };
  const rates = { ratesPerSecond: [300, 100], connections: 20, secondsPerStep: 2.5, goal };
  const sweep = { ...rates, processes: 3, warmUpRequests: 500 };
  assertEquals(requestLines({ rateSweep: sweep }), 1_500);
  // Between 100 and 300 is one step more, at 173 requests per second.
  assertEquals(requestLines({ rateSweep: { ...sweep, stepRatio: 1.75 } }), 1_500 + 433);
});

Deno.test("requestLines() has the requests while compilers become quiet: 100,000 a second at most", () => {
  // 90 s, with 3.2 s of slices in a quick comparison and 6.4 s in a full one, after 10,000 requests.
  assertEquals(requestLines({ comparison: comparisonPlans.quick }), 10_000 + 9_320_000);
  assertEquals(requestLines({ comparison: comparisonPlans.full }), 10_000 + 9_640_000);
  // The rates of the plan add up to 127,600, and the four between the two highest to 183,200; each lasts 2.5 s.
  assertEquals(requestLines({ rateSweep: rateSweepPlans.full }), 20_000 + 9_000_000 + 777_000);
});

Deno.test("requestLines() has one step of deliveries after its warm-up, or those of the control if they are more", () => {
  // 5,000 users, each once in 0.6 s, for 60 s and 10 s.
  assertEquals(requestLines({ deliveries: deliveryPlans.full }), 8_333 * 70);
  // The control's 2,000 a second, for 5 s and 1 s, are more than 100 users send in 2 s and 1 s.
  const { smoke } = deliveryPlans;
  assertEquals(requestLines({ deliveries: smoke }), 2_000 * 6);
  assertEquals(requestLines({ deliveries: { ...smoke, control: undefined } }), 167 * 3);
});
