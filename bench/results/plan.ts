/** The plan of a run: what a profile, counts that override it and a scenario's protocols come to. */
import { isDeepStrictEqual } from "node:util";
import { BenchError } from "../lib/error.ts";
import {
  burstPlans,
  comparisonWithControl,
  defaultLevels,
  defaultPoolMax,
  defaultWarmUpRequests,
  deliveryPlans,
  durablePlans,
  type ProfileName,
  profiles,
  rateSweepPlans,
} from "./profiles.ts";
import type { Plan } from "./result_schema.ts";

/** Returns the other protocols of a profile. */
function besideLevels(profile: ProfileName): Partial<Plan> {
  if (profile === "smoke") return {};
  const { ceiling, startupRuns } = profiles[profile];
  return {
    ceiling,
    comparison: comparisonWithControl[profile],
    rateSweep: rateSweepPlans[profile],
    startupRuns,
  };
}

/** Counts that override the profile's. */
export interface PlanOverrides {
  levels?: number[];
  requests?: number;
  warmUpRequests?: number;
  poolMax?: number;
}

/** How much is measured at each level. */
export type LevelCounts = Pick<Plan, "levels" | "requests">;

/** Returns how much a profile measures, of a scenario that may have counts of its own for a full run. */
function levelCounts(profile: ProfileName, full?: LevelCounts): LevelCounts {
  return profile === "full" && full !== undefined
    ? full
    : { levels: defaultLevels, requests: profiles[profile].requests };
}

/**
 * Returns the plan of a run. A plan that differs from its profile in any count is custom, and measures levels only.
 *
 * @param full What the scenario's contract says of a full run.
 */
export function makePlan(
  profile: ProfileName,
  overrides: PlanOverrides,
  seed: number,
  full?: LevelCounts,
): Plan {
  const own = {
    ...levelCounts(profile, full),
    warmUpRequests: defaultWarmUpRequests,
    poolMax: defaultPoolMax,
  };
  const plan = {
    levels: [...new Set(overrides.levels ?? own.levels)],
    requests: overrides.requests ?? own.requests,
    warmUpRequests: overrides.warmUpRequests ?? own.warmUpRequests,
    poolMax: overrides.poolMax ?? own.poolMax,
  };
  const isOwn = plan.levels.toSorted((a, b) => a - b).join() === own.levels.join() &&
    plan.requests === own.requests && plan.warmUpRequests === own.warmUpRequests &&
    plan.poolMax === own.poolMax;
  return isOwn ? { profile, ...plan, seed, ...besideLevels(profile) } : {
    profile: "custom",
    ...plan,
    seed,
  };
}

/** The protocols that accompany levels, and their keys in a plan. */
const protocolKeys = {
  ceilings: "ceiling",
  comparison: "comparison",
  rateSweep: "rateSweep",
  startup: "startupRuns",
} as const;

/** The protocols that scenarios without levels have, by their keys in a plan. */
const withoutLevels = { bursts: burstPlans, deliveries: deliveryPlans };

export type Protocol =
  | "levels"
  | "durable"
  | keyof typeof withoutLevels
  | keyof typeof protocolKeys;

/**
 * Returns a plan for a scenario: without the protocols that do not apply to it, with those that it has in place of levels.
 *
 * @throws {BenchError} when it has no levels, and the plan is for levels of its own.
 */
export function planFor(protocols: readonly Protocol[], plan: Plan): Plan {
  const planned = { ...plan };
  for (const [protocol, key] of Object.entries(protocolKeys)) {
    if (!protocols.some((name) => name === protocol)) delete planned[key];
  }
  const durable = protocols.includes("durable") ? durablePlans[plan.profile] : undefined;
  if (durable !== undefined) planned.durable = durable;
  if (!protocols.includes("levels")) planned.levels = [];
  for (const [key, plans] of Object.entries(withoutLevels)) {
    if (!protocols.some((name) => name === key)) continue;
    if (plan.profile === "custom") {
      throw new BenchError(
        `Cannot measure ${key} with counts for levels, expected a profile and no counts`,
      );
    }
    Object.assign(planned, { [key]: plans[plan.profile] });
  }
  return planned;
}

/** Returns the plan of a profile in a scenario, with the seed 0 and nothing in random order. */
export function planOfProfile(
  profile: ProfileName,
  { full, protocols }: { full?: LevelCounts; protocols: readonly Protocol[] },
): Plan {
  return planFor(protocols, makePlan(profile, {}, 0, full));
}

/** Tells whether two plans measure the same, whatever their seeds and the order of their parts. */
export function measuresSame(plan: Plan, other: Plan): boolean {
  return isDeepStrictEqual(withoutOrder(plan), withoutOrder(other));
}

/** Returns a plan without its seed and keys that are undefined, levels and steps in an order of their own. */
function withoutOrder({ seed: _, levels, bursts, deliveries, ...rest }: Plan): unknown {
  const sorted = (items: readonly unknown[]) => items.map((item) => JSON.stringify(item)).sort();
  const parts = {
    ...rest,
    levels: sorted(levels),
    bursts: bursts && { ...bursts, steps: sorted(bursts.steps) },
    deliveries: deliveries && { ...deliveries, steps: sorted(deliveries.steps) },
  };
  return JSON.parse(JSON.stringify(parts));
}
