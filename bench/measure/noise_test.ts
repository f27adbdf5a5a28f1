import { assertEquals } from "@std/assert";
import { noisePlans, rateSweepPlans } from "../results/profiles.ts";
import { sweepOf } from "./noise.ts";

Deno.test("sweepOf() offers the rate at which p99 is compared as a step of a full sweep", () => {
  const { connections, secondsPerStep, settleSeconds, goal } = rateSweepPlans.full;
  assertEquals(sweepOf(noisePlans.full), {
    ...{ connections, secondsPerStep, settleSeconds, goal, processes: 1, ratesPerSecond: [2_000] },
    warmUpRequests: noisePlans.full.warmUpRequests,
  });
});
