import { assert, assertEquals, assertThrows } from "@std/assert";
import { BenchError } from "../lib/error.ts";
import { makePlan, measuresSame, planFor } from "./plan.ts";
import { burstPlans, deliveryPlans } from "./profiles.ts";
import type { Plan } from "./result_schema.ts";

Deno.test("makePlan() takes the counts of a profile", () => {
  const { profile, levels, requests, warmUpRequests, poolMax, seed } = makePlan("full", {}, 7);
  assertEquals({ profile, levels, requests, warmUpRequests, poolMax, seed }, {
    profile: "full",
    levels: [10, 50, 100, 300],
    requests: 500_000,
    warmUpRequests: 1_000,
    poolMax: 16,
    seed: 7,
  });
  assertEquals(makePlan("quick", {}, 7).requests, 50_000);
  assertEquals(makePlan("smoke", {}, 7).requests, 2_000);
});

Deno.test("makePlan() calls a plan custom that differs from its profile in any count", () => {
  for (
    const overrides of [
      { levels: [10, 50, 100] },
      { requests: 1_000 },
      { warmUpRequests: 0 },
      { poolMax: 32 },
    ]
  ) {
    const plan = makePlan("smoke", overrides, 7);
    assertEquals(plan, { ...makePlan("smoke", {}, 7), ...overrides, profile: "custom" });
  }
});

Deno.test("makePlan() does not call a plan custom that gives the profile's own counts", () => {
  const overrides = { levels: [300, 10, 100, 50], requests: 2_000 };
  assertEquals(makePlan("smoke", overrides, 7).profile, "smoke");
});

Deno.test("makePlan() measures a level once that is named twice", () => {
  assertEquals(makePlan("smoke", { levels: [50, 10, 50] }, 7).levels, [50, 10]);
});

Deno.test("planFor() leaves out the protocols that a scenario does not have", () => {
  const plan = makePlan("full", {}, 7);
  const { comparison: _, startupRuns: __, ...rest } = plan;
  const all = ["levels", "ceilings", "comparison", "rateSweep", "startup"] as const;
  assertEquals(planFor(all, plan), plan);
  assertEquals(planFor(["levels", "rateSweep", "ceilings"], plan), rest);
});

Deno.test("planFor() has a load with commits on disk where a scenario writes, and none in a smoke or custom run", () => {
  const durableOf = (plan: Plan) => planFor(["levels", "durable"], plan).durable?.requests;
  assertEquals(
    [
      makePlan("full", {}, 7),
      makePlan("quick", {}, 7),
      makePlan("smoke", {}, 7),
      makePlan("full", { requests: 5 }, 7),
    ].map(durableOf),
    [50_000, 5_000, undefined, undefined],
  );
  assertEquals("durable" in planFor(["levels"], makePlan("full", {}, 7)), false);
});

Deno.test("planFor() has deliveries where a scenario has these, at the rates of as many users", () => {
  const { levels, deliveries } = planFor(["deliveries"], makePlan("full", {}, 7));
  assertEquals([levels, deliveries], [[], deliveryPlans.full]);
  assertEquals(deliveries!.steps.at(-1), { users: 5_000, ratePerSecond: 8_333 });
});

Deno.test("planFor() has bursts and no levels where a scenario has these, and rejects counts for levels", () => {
  const { levels, bursts, ceiling } = planFor(["bursts"], makePlan("quick", {}, 7));
  assertEquals([levels, bursts, ceiling], [[], burstPlans.quick, undefined]);
  assertThrows(
    () => planFor(["bursts"], makePlan("quick", { levels: [10] }, 7)),
    BenchError,
    "counts for levels",
  );
});

Deno.test("makePlan() measures more than levels where the profile is its own, and not in a smoke run", () => {
  const besides = (
    plan: Plan,
  ) => [plan.ceiling?.mostLoads, plan.comparison?.levels, plan.startupRuns];
  assertEquals(besides(makePlan("full", {}, 7)), [12, [10, 50, 300], 15]);
  assertEquals(besides(makePlan("quick", {}, 7)), [5, [50], 8]);
  assertEquals(besides(makePlan("smoke", {}, 7)), [undefined, undefined, undefined]);
  assertEquals(besides(makePlan("full", { requests: 5 }, 7)), [undefined, undefined, undefined]);
});

Deno.test("makePlan() takes a scenario's own counts for a full run, and for no other", () => {
  const own = { levels: [10, 2_000], requests: 200_000 };
  const { profile, levels, requests } = makePlan("full", {}, 7, own);
  assertEquals({ profile, levels, requests }, { profile: "full", ...own });
  assertEquals(makePlan("quick", {}, 7, own), makePlan("quick", {}, 7));
  assertEquals(makePlan("full", { requests: 500_000 }, 7, own).profile, "custom");
});

Deno.test("measuresSame() ignores the seed and the order of levels and steps, and nothing else", () => {
  const plan: Plan = { ...makePlan("full", {}, 7), bursts: burstPlans.full };
  const { steps } = burstPlans.full;
  const shuffled = { ...plan, seed: 8, levels: [300, 10, 100, 50], reproduces: undefined };
  assert(
    measuresSame(plan, {
      ...shuffled,
      bursts: { ...burstPlans.full, steps: [...steps].reverse() },
    }),
  );
  const { rateSweep: _, ...withoutRates } = plan;
  const others: Plan[] = [
    { ...plan, levels: [10, 50, 100] },
    { ...plan, levels: [10, 50, 100, 3_000] },
    { ...plan, requests: 499_999 },
    { ...plan, comparison: { ...plan.comparison!, loads: 7 } },
    { ...plan, bursts: { ...burstPlans.full, steps: steps.slice(1) } },
    withoutRates,
  ];
  for (const other of others) assert(!measuresSame(plan, other), JSON.stringify(other));
});
