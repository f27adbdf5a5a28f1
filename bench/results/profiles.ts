/** The counts of each profile, as tables: how much is measured at each level, and by the other protocols. */
import { isDeepStrictEqual } from "node:util";
import type { Plan } from "./result_schema.ts";
import type { BurstPlan } from "./burst_schema.ts";
import type { DeliveryPlan } from "./deliveries_schema.ts";
import type { ComparisonPlan } from "./comparison_schema.ts";
import type { NoiseFile, NoisePlan } from "./files_schema.ts";
import type { RateSweepPlan } from "./protocols_schema.ts";

/** The usual levels, in open connections. */
export const defaultLevels = [10, 50, 100, 300];
export const defaultWarmUpRequests = 1_000;
export const defaultPoolMax = 16;

/** How much each profile measures at each level, and which other protocols. */
export const profiles = {
  smoke: { requests: 2_000 },
  quick: { requests: 50_000, ceiling: { loadSeconds: 0.3, mostLoads: 5 }, startupRuns: 8 },
  full: { requests: 500_000, ceiling: { loadSeconds: 0.6, mostLoads: 12 }, startupRuns: 15 },
} as const;

export type ProfileName = keyof typeof profiles;

/** Tells whether a word names a profile. */
export function isProfileName(word: string): word is ProfileName {
  return Object.hasOwn(profiles, word);
}

/** The level that every comparison has. */
export const comparedLevel = 50;

/** Returns the level that is shown first of some: that of every comparison, else the lowest. */
export function shownLevel(levels: readonly number[]): number {
  return levels.length === 0 || levels.includes(comparedLevel)
    ? comparedLevel
    : Math.min(...levels);
}

/**
 * How long compilers are waited for. One process of a JVM takes 20 to 75 s on two processors, and a round with a process that
 * is not warm in time does not count: on a slow day, 60 s left out every round of two JVMs.
 */
const mostSecondsToQuiet = 90;

const everyComparison = {
  minRounds: 7,
  levels: [comparedLevel],
  slices: 8,
  sliceSeconds: 0.1,
  settleSeconds: 0.03,
  joinsSlices: true,
} satisfies Partial<ComparisonPlan>;

/** Tells whether the slices of a comparison alternate as they do today. */
export function hasSlicesOfToday(plan: ComparisonPlan): boolean {
  return (["slices", "sliceSeconds", "settleSeconds", "joinsSlices"] as const)
    .every((key) => plan[key] === everyComparison[key]);
}

/**
 * The plan of a comparison by profile. A smoke run is not compared with the control; other smoke comparisons have three
 * rounds, to end in seconds. Most of what varies, varies from load to load, and each round pays for two starts and
 * warm-ups: so a round of a full comparison has eight loads. A quick one has four, and fewer rounds where they take long,
 * because a pull request waits for it: a round of two processes of a JVM takes 70 to 175 s.
 */
export const comparisonPlans: Record<ProfileName, ComparisonPlan> = {
  smoke: { ...everyComparison, budgetSeconds: 0, minRounds: 3, loads: 1, warmUpRequests: 1_000 },
  quick: {
    ...everyComparison,
    budgetSeconds: 110,
    minRounds: 5,
    loads: 4,
    warmUpRequests: 10_000,
    mostSecondsToQuiet,
  },
  full: {
    ...everyComparison,
    budgetSeconds: 660,
    loads: 8,
    warmUpRequests: 10_000,
    mostSecondsToQuiet,
  },
};

const goal = { p99Seconds: 0.05, failureShare: 0.001 };

/**
 * How long the first part of a step is, whose latency does not count: the load generator opens each connection with the first
 * request that it sends over it, in the first 0.1 s. While these counted, they were over 1 % of the requests at up to 8,000 a
 * second.
 */
const settleSeconds = 0.5;

/**
 * The rate sweeps of the profiles that have one. The lowest rate is near idle, most others double. 200 connections are
 * more than a pool of 16 can keep busy, so that the server bounds the rate, not their number. Processes of one server
 * differ by more than a process from itself, so a full sweep has three. A quick one has a single process and no steps
 * between, which is too coarse to rank by. No step is long enough to catch a stall that comes every 20 s.
 */
export const rateSweepPlans = {
  quick: {
    ratesPerSecond: [100, 1_000, 2_000, 4_000, 8_000, 16_000],
    processes: 1,
    connections: 200,
    secondsPerStep: 2.5,
    settleSeconds,
    warmUpRequests: 20_000,
    goal,
  },
  full: {
    ratesPerSecond: [100, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000],
    stepRatio: 1.15,
    processes: 3,
    connections: 200,
    secondsPerStep: 2.5,
    settleSeconds,
    warmUpRequests: 20_000,
    mostSecondsToQuiet,
    goal,
  },
} satisfies Record<string, RateSweepPlan>;

const thousands = (...numbers: number[]) => numbers.map((users) => ({ users, delaySeconds: 1 }));

/**
 * The bursts of the profiles, for scenarios that have them. 8,192 connections are what a widespread server takes; 30,000
 * need more descriptors than most machines give. In a full run, a user's patience outlasts any kernel's
 * attempts to connect, and 200 threads that answer 10,000 requests of 5 s.
 */
export const burstPlans = {
  smoke: {
    steps: thousands(1_000),
    rounds: 1,
    warmUpRequests: 1_000,
    patienceSeconds: 30,
    holdSeconds: 2,
  },
  quick: {
    steps: thousands(1_000, 10_000),
    rounds: 3,
    warmUpRequests: 5_000,
    patienceSeconds: 60,
    holdSeconds: 5,
  },
  full: {
    steps: [
      ...thousands(1_000, 5_000, 8_192, 10_000, 17_500, 30_000),
      ...[2, 3, 4, 5].map((delaySeconds) => ({ users: 10_000, delaySeconds })),
    ],
    rounds: 5,
    warmUpRequests: 10_000,
    patienceSeconds: 400,
    holdSeconds: 10,
  },
} satisfies Record<ProfileName, BurstPlan>;

/** How often each user notifies: in the measurement that `notify` repeats, users divided by throughput are 0.6 s. */
const secondsPerNotification = 0.6;

function offers(...numbers: number[]): DeliveryPlan["steps"] {
  return numbers.map((users) => ({
    users,
    ratePerSecond: Math.round(users / secondsPerNotification),
  }));
}

const everyDelivery = {
  connections: 200,
  control: { ratePerSecond: 2_000, seconds: 5 },
  mostDrainSeconds: 300,
  goal: { ...goal, arrivalP99Seconds: 1, drainSeconds: 2 },
};

/**
 * The deliveries of the profiles, for scenarios that have them. The users of `full` are those of the measurement that it
 * repeats; what is accepted in a minute may take four more to be delivered: 500,000 at 2,000 a second.
 */
export const deliveryPlans = {
  smoke: { ...everyDelivery, steps: offers(100), secondsPerStep: 2, warmUpSeconds: 1 },
  quick: { ...everyDelivery, steps: offers(100, 400, 1_400), secondsPerStep: 10, warmUpSeconds: 5 },
  full: {
    ...everyDelivery,
    steps: offers(100, 200, 400, 800, 1_200, 1_400, 1_600, 2_000, 3_000, 5_000),
    secondsPerStep: 60,
    warmUpSeconds: 10,
  },
} satisfies Record<ProfileName, DeliveryPlan>;

/** How `noise` compares an implementation with itself, by profile. */
export const noisePlans = {
  smoke: noisePlan("smoke", 3, 1),
  quick: noisePlan("quick", profiles.quick.startupRuns),
  full: noisePlan("full", profiles.full.startupRuns),
} satisfies Record<ProfileName, NoisePlan>;

/** p99 is compared at a rate that every sweep has, in the rounds that no budget cuts. */
function noisePlan(
  profile: ProfileName,
  startupRuns: number,
  seconds: number = rateSweepPlans.full.secondsPerStep,
) {
  const { connections } = rateSweepPlans.full;
  const comparison = comparisonPlans[profile];
  const pairs = comparison.minRounds;
  return {
    ...comparison,
    startupRuns,
    p99AtRate: { ratePerSecond: 2_000, connections, seconds, settleSeconds, pairs },
  };
}

/** Returns the profile in which noise has this plan; undefined where it is that of none. */
export function profileOfNoise(plan: NoisePlan): ProfileName | undefined {
  return Object.keys(noisePlans).filter(isProfileName)
    .find((name) => isDeepStrictEqual(noisePlans[name], plan));
}

/**
 * Tells whether a figure of noise with this plan would be measured in the same way today, in some profile. p99 is taken after
 * the other loads of a round, so how it is taken changes no other figure.
 */
export function isOfToday(plan: NoisePlan, figure: keyof NoiseFile["summary"]): boolean {
  if (figure === "p99AtRate") return profileOfNoise(plan) !== undefined;
  return Object.values(noisePlans).some(({ p99AtRate }) =>
    profileOfNoise({ ...plan, p99AtRate }) !== undefined
  );
}

/** How a run compares implementations with the control: in a full run at fewer levels than are measured, in two loads each. */
export const comparisonWithControl = {
  quick: comparisonPlans.quick,
  full: {
    ...everyComparison,
    budgetSeconds: 300,
    levels: [10, comparedLevel, 300],
    loads: 2,
    warmUpRequests: 20_000,
    mostSecondsToQuiet,
  },
};

/**
 * The load with every commit on disk, of scenarios that write: fewer requests than at a level, because a disk may do a
 * thousand flushes a second.
 */
export const durablePlans: Partial<Record<Plan["profile"], NonNullable<Plan["durable"]>>> = {
  quick: { connections: comparedLevel, requests: 5_000 },
  full: { connections: comparedLevel, requests: 50_000 },
};
