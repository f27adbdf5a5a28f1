/** What the site publishes of steps, which scenarios without levels have: bursts of users, and deliveries of notifications. */
import { z } from "zod";
import { burstEstimateSchema, burstStepPlanSchema } from "../../results/burst_schema.ts";
import { deliveryStepPlanSchema, deliveryStepSchema } from "../../results/deliveries_schema.ts";
import { bytes, count, percentilesSchema, perSecond, seconds, text } from "../../results/values.ts";

/** What bursts and deliveries have in common. */
const step = {
  missing: text.optional().describe("why the step has no figures; absent where it has some"),
  peakThreads: count.optional().describe("of the implementation in the step"),
  peakMemoryBytes: bytes.optional().describe("memory of the implementation in the step"),
};

export const apiBurstSchema = z.object({
  ...burstStepPlanSchema.shape,
  ...step,
  answered: burstEstimateSchema.optional().describe("users with a right answer"),
  failedShare: burstEstimateSchema.optional().describe(
    "share of the users without a right answer; its interval spans two: that over rounds, and that of as many independent users (Clopper and Pearson)",
  ),
  meanSeconds: burstEstimateSchema.optional().describe(
    "mean wait of answered users, from connecting to the answer; absent where a round has none",
  ),
  p99Seconds: burstEstimateSchema.optional().describe(
    "wait within which 99 of 100 users were answered; absent where fewer were in a round",
  ),
  rounds: count.describe("that the machine did not disturb; figures are made of these"),
  failures: z.record(text, count).describe(
    "users without an answer, by kind, over the rounds that count",
  ),
  peakConnected: count.optional().describe("users connected at one time, at the most"),
  peakEstablished: count.optional().describe(
    "connections at the server's end at one time, at the most, those that wait to be accepted included",
  ),
});

export const apiDeliverySchema = z.object({
  ...deliveryStepPlanSchema.shape,
  ...step,
  accepted: count.optional().describe("notifications answered with 202"),
  delivered: count.optional().describe("accepted ones whose call arrived"),
  lost: count.optional().describe("accepted ones whose call did not arrive"),
  acceptedPerSecond: perSecond.optional().describe(
    "accepted, divided by the length of the load, from the first request to the last answer",
  ),
  arrivedPerSecond: perSecond.optional().describe(
    "delivered ones whose call arrived before the last answer, divided by the length of the load",
  ),
  acceptSeconds: percentilesSchema.optional().describe(
    "latency of accepting, from when each notification was due",
  ),
  arrivalSeconds: percentilesSchema.optional().describe(
    "from accepting to the arrival of the call, by two clocks: differences below about 12 ms mean nothing; absent where none arrived, or more than one in a hundred never did",
  ),
  drainSeconds: seconds.optional().describe("from the last answer to the last arrival"),
  holds: z.boolean().optional().describe(
    "whether accepting, losses and arrivals meet the objective",
  ),
  disturbed: text.optional().describe(
    "background load or steal time during the step, which counts because it met the objective: at rest, times, threads and memory may be less",
  ),
  control: deliveryStepSchema.shape.control,
  readLateSeconds: seconds.optional().describe(
    "by how much answers were read late at most: arrivalSeconds and drainSeconds may be too short by that; present exactly where the step was disturbed",
  ),
  failures: z.record(text, count).describe(
    "due notifications that were not accepted, or whose call was given up, by kind",
  ),
});
