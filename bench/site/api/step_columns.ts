/** The columns of steps, which scenarios without levels have: bursts of users, and deliveries of notifications. */
import type { z } from "zod";
import { type BurstEstimate, burstEstimateSchema } from "../../results/burst_schema.ts";
import type { ApiBurst } from "./schema.ts";
import { apiBurstSchema, apiDeliverySchema } from "./step_schema.ts";
import { type CsvColumn, type CsvRow, descriptionOf } from "./csv_column.ts";

const [ofBurst, ofDelivery] = [apiBurstSchema.shape, apiDeliverySchema.shape];

/** Columns that follow those of levels, in their order. */
export const stepColumns: CsvColumn[] = [
  {
    name: "users",
    description: `of a burst: ${descriptionOf(ofBurst.users)}; of deliveries: ${
      descriptionOf(ofDelivery.users)
    }`,
    value: ({ burst, delivery }) => (burst ?? delivery)?.users,
  },
  {
    name: "delay_seconds",
    description: descriptionOf(ofBurst.delaySeconds),
    value: ({ burst }) => burst?.delaySeconds,
  },
  {
    name: "offered_per_second",
    description: descriptionOf(ofDelivery.ratePerSecond),
    value: ({ delivery }) => delivery?.ratePerSecond,
  },
  {
    name: "step_missing",
    description: descriptionOf(ofBurst.missing),
    value: ({ burst, delivery }) => (burst ?? delivery)?.missing,
  },
  {
    name: "rounds",
    description: descriptionOf(ofBurst.rounds),
    value: ({ burst }) => burst?.rounds,
  },
  ...estimateColumns("answered", ofBurst.answered, ({ answered }) => answered),
  ...estimateColumns("failed_share", ofBurst.failedShare, ({ failedShare }) => failedShare),
  ...estimateColumns("wait_mean_seconds", ofBurst.meanSeconds, ({ meanSeconds }) => meanSeconds),
  ...estimateColumns("wait_p99_seconds", ofBurst.p99Seconds, ({ p99Seconds }) => p99Seconds),
  {
    name: "peak_connected",
    description: descriptionOf(ofBurst.peakConnected),
    value: ({ burst }) => burst?.peakConnected,
  },
  {
    name: "peak_established",
    description: descriptionOf(ofBurst.peakEstablished),
    value: ({ burst }) => burst?.peakEstablished,
  },
  {
    name: "accepted",
    description: descriptionOf(ofDelivery.accepted),
    value: ({ delivery }) => delivery?.accepted,
  },
  {
    name: "delivered",
    description: descriptionOf(ofDelivery.delivered),
    value: ({ delivery }) => delivery?.delivered,
  },
  {
    name: "lost",
    description: descriptionOf(ofDelivery.lost),
    value: ({ delivery }) => delivery?.lost,
  },
  {
    name: "accepted_per_second",
    description: descriptionOf(ofDelivery.acceptedPerSecond),
    value: ({ delivery }) => delivery?.acceptedPerSecond,
  },
  {
    name: "arrived_per_second",
    description: descriptionOf(ofDelivery.arrivedPerSecond),
    value: ({ delivery }) => delivery?.arrivedPerSecond,
  },
  {
    name: "accept_p50_seconds",
    description: `median ${descriptionOf(ofDelivery.acceptSeconds)}`,
    value: ({ delivery }) => delivery?.acceptSeconds?.p50,
  },
  {
    name: "accept_p99_seconds",
    description: "99th percentile",
    value: ({ delivery }) => delivery?.acceptSeconds?.p99,
  },
  {
    name: "arrival_p99_seconds",
    description: `99th percentile ${descriptionOf(ofDelivery.arrivalSeconds)}`,
    value: ({ delivery }) => delivery?.arrivalSeconds?.p99,
  },
  {
    name: "drain_seconds",
    description: descriptionOf(ofDelivery.drainSeconds),
    value: ({ delivery }) => delivery?.drainSeconds,
  },
  {
    name: "meets_objective",
    description: descriptionOf(ofDelivery.holds),
    value: ({ delivery }) => delivery?.holds,
  },
  {
    name: "disturbed",
    description: descriptionOf(ofDelivery.disturbed),
    value: ({ delivery }) => delivery?.disturbed,
  },
  {
    name: "read_late_seconds",
    description: descriptionOf(ofDelivery.readLateSeconds),
    value: ({ delivery }) => delivery?.readLateSeconds,
  },
  {
    name: "control_cpu_seconds",
    description: `${
      descriptionOf(ofDelivery.control)
    }; an upper bound where the machine was disturbed`,
    value: ({ delivery }) => delivery?.control?.cpuSeconds,
  },
  {
    name: "step_failures",
    description: `${descriptionOf(ofBurst.failures)}; or ${
      descriptionOf(ofDelivery.failures)
    }; separated by semicolons`,
    value: ({ burst, delivery }) =>
      Object.entries((burst ?? delivery)?.failures ?? {}).map(([kind, count]) => `${kind} ${count}`)
        .join("; "),
  },
  {
    name: "peak_threads",
    description: descriptionOf(ofBurst.peakThreads),
    value: ({ burst, delivery }) => (burst ?? delivery)?.peakThreads,
  },
  {
    name: "peak_memory_bytes",
    description: descriptionOf(ofBurst.peakMemoryBytes),
    value: ({ burst, delivery }) => (burst ?? delivery)?.peakMemoryBytes,
  },
];

/** Returns the columns of a mean over rounds with its interval. */
function estimateColumns(
  name: string,
  schema: z.ZodType,
  pick: (burst: ApiBurst) => BurstEstimate | undefined,
): CsvColumn[] {
  const of = ({ burst }: CsvRow) => burst && pick(burst);
  return [
    {
      name,
      description: `mean over rounds: ${descriptionOf(schema)}`,
      value: (row) => of(row)?.mean,
    },
    {
      name: `${name}_low`,
      description: descriptionOf(burstEstimateSchema.shape.low),
      value: (row) => of(row)?.low,
    },
    {
      name: `${name}_high`,
      description: descriptionOf(burstEstimateSchema.shape.high),
      value: (row) => of(row)?.high,
    },
  ];
}
