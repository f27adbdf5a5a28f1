/** What a result says of deliveries: notifications at a rate, and what became of each. */
import { z } from "zod";
import { loadFacts, machineUseSchema } from "./load_schema.ts";
import {
  bytes,
  count,
  instant,
  latencySchema,
  percentilesSchema,
  perSecond,
  positiveCount,
  seconds,
  text,
} from "./values.ts";

export const deliveryStepPlanSchema = z.strictObject({
  users: positiveCount.describe("who notify at this rate together"),
  ratePerSecond: z.number().positive().describe("notifications offered per second"),
});

export const deliveryPlanSchema = z.strictObject({
  steps: z.array(deliveryStepPlanSchema).min(1).describe(
    "in the order of measuring; each has a fresh process",
  ),
  connections: positiveCount.describe("at most; a tenth of the rate where that is less"),
  secondsPerStep: seconds,
  warmUpSeconds: seconds.describe("at the lowest rate, to each process"),
  mostDrainSeconds: seconds.describe("how long calls may still arrive after the last answer"),
  goal: z.strictObject({
    p99Seconds: seconds.describe("of accepting, from when each notification was due"),
    failureShare: z.number().describe(
      "highest share of the due notifications that may be unsent, not accepted, accepted and lost, or given up",
    ),
    arrivalP99Seconds: seconds.describe("from accepting to the arrival of the call"),
    drainSeconds: seconds.describe("from the last answer to the last arrival"),
  }),
  control: z.strictObject({ ratePerSecond: z.number().positive(), seconds }).optional().describe(
    "what the control is offered before each step, to tell how fast the machine is; absent where it is not measured, and in results from before 26 November 2026",
  ),
});

export const deliveryStepSchema = z.strictObject({
  ...deliveryStepPlanSchema.shape,
  startedAt: instant.optional().describe("absent in results from before 26 November 2026"),
  durationSeconds: seconds.describe("of the offer"),
  due: count.describe("notifications due at this rate in this time"),
  ...loadFacts,
  correct: count.describe("accepted: answered with 202"),
  unsent: count.describe("due, minus attempted"),
  delivered: count.describe("accepted ones whose call arrived"),
  lost: count.describe("accepted, minus delivered"),
  givenUp: count.describe("calls whose caller had gone when the upstream was to answer"),
  acceptedPerSecond: perSecond,
  arrivedPerSecond: perSecond.optional().describe(
    "delivered ones whose call arrived before the last answer, divided by the length of the load, from the first request to the last answer, and at least for as long as requests were offered; absent in results of before 26 November 2026",
  ),
  deliveredPerSecond: perSecond.optional().describe(
    "only in results of before 26 November 2026: delivered, divided by the time from the first to the last arrival, so that a long drain lowers it",
  ),
  drainSeconds: seconds.optional().describe(
    "from the last answer to the last arrival; absent where none arrived",
  ),
  acceptSeconds: percentilesSchema.optional().describe(
    "latency from when each notification was due; absent where none was accepted",
  ),
  arrivalSeconds: percentilesSchema.optional().describe(
    "from the answer to the arrival of the call, of those that arrived, at least 1 µs; two clocks are compared, so differences below about 12 ms mean nothing; absent where none arrived",
  ),
  latency: latencySchema.describe("of acceptSeconds"),
  peakThreads: count.optional().describe(
    "of the server during the load; absent where the system does not report it",
  ),
  peakMemoryBytes: bytes.optional().describe("likewise"),
  cpuSeconds: seconds.optional().describe("of the server during the load; likewise"),
  machine: machineUseSchema.optional().describe("during the load; likewise"),
  control: z.strictObject({
    cpuSeconds: seconds.describe(
      "for each notification that it accepted: more on a slower machine",
    ),
    disturbed: text.optional().describe(
      "how the machine was disturbed meanwhile: at rest, it may be less; absent where it was not",
    ),
  }).optional().describe(
    "CPU time of the control for each accepted notification just before this step; absent where the plan has no control, and where it could not be measured",
  ),
  holds: z.boolean().describe("meets the objective"),
  problem: text.optional().describe("why this step is invalid; holds is then false"),
  disturbed: text.optional().describe(
    "background load or steal time during this step, which counts because it met the objective: at rest, times, threads and memory may be less; arrivalSeconds and drainSeconds may be too short by the processor time that was taken, or by the maximum of acceptSeconds where that is less",
  ),
  repeatedBecause: text.optional().describe(
    "why this step was measured again; absent where it was not",
  ),
}).meta({ id: "deliveryStep" });

export const deliveriesSchema = z.strictObject({
  steps: z.array(deliveryStepSchema).describe("in the order of measuring"),
  replaced: z.array(deliveryStepSchema).optional().describe(
    "first measurements of rates that were measured again at once, because the machine was disturbed: they count nowhere; absent where there are none, and in results from before 27 November 2026",
  ),
  sustainablePerSecond: perSecond.optional().describe(
    "the highest step such that it and every lower one are valid and meet the objective; absent where there is none, or steps are still missing; if the next step up is invalid, the rate may be higher; computed anew by whoever shows it, because a result of 25 November 2026 lacks it",
  ),
});

export type DeliveryPlan = z.infer<typeof deliveryPlanSchema>;
export type DeliveryStepPlan = z.infer<typeof deliveryStepPlanSchema>;
export type DeliveryStep = z.infer<typeof deliveryStepSchema>;
export type Deliveries = z.infer<typeof deliveriesSchema>;
