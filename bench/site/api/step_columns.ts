/** The columns of steps, which scenarios without levels have: bursts of users, and deliveries of notifications. */
import type { BurstEstimate } from "../../results/burst_schema.ts";
import type { ApiBurst } from "./schema.ts";
import type { CsvColumn, CsvRow } from "./csv_column.ts";

/** Columns that follow those of levels, in their order. */
export const stepColumns: CsvColumn[] = [
  {
    name: "users",
    description: "of a burst: who come at once; of deliveries: who notify at the rate together",
    value: ({ burst, delivery }) => (burst ?? delivery)?.users,
  },
  {
    name: "delay_seconds",
    description: "how long each user of a burst asks the server to wait",
    value: ({ burst }) => burst?.delaySeconds,
  },
  {
    name: "offered_per_second",
    description: "notifications offered",
    value: ({ delivery }) => delivery?.ratePerSecond,
  },
  {
    name: "step_missing",
    description: "why the burst or the rate has no figures; empty where it has some",
    value: ({ burst, delivery }) => (burst ?? delivery)?.missing,
  },
  ...estimateColumns(
    "answered",
    "users of a burst with a right answer",
    ({ answered }) => answered,
  ),
  ...estimateColumns(
    "failed_share",
    "users of a burst without one, as a share",
    ({ failedShare }) => failedShare,
  ),
  ...estimateColumns(
    "wait_mean_seconds",
    "mean wait of answered users, from connecting to the answer",
    ({ meanSeconds }) => meanSeconds,
  ),
  ...estimateColumns(
    "wait_p99_seconds",
    "99th percentile of it",
    ({ p99Seconds }) => p99Seconds,
  ),
  {
    name: "peak_established",
    description: "connections of a burst, those that wait to be accepted included, at the most",
    value: ({ burst }) => burst?.peakEstablished,
  },
  {
    name: "accepted",
    description: "notifications answered with 202",
    value: ({ delivery }) => delivery?.accepted,
  },
  {
    name: "delivered",
    description: "accepted ones whose call arrived",
    value: ({ delivery }) => delivery?.delivered,
  },
  {
    name: "lost",
    description: "accepted ones whose call never arrived",
    value: ({ delivery }) => delivery?.lost,
  },
  {
    name: "accepted_per_second",
    description: "accepted, divided by the time of the offer",
    value: ({ delivery }) => delivery?.acceptedPerSecond,
  },
  {
    name: "delivered_per_second",
    description: "delivered, divided by the time from the first to the last arrival",
    value: ({ delivery }) => delivery?.deliveredPerSecond,
  },
  {
    name: "accept_p50_seconds",
    description: "median latency of accepting, from when each notification was due",
    value: ({ delivery }) => delivery?.acceptSeconds?.p50,
  },
  {
    name: "accept_p99_seconds",
    description: "99th percentile",
    value: ({ delivery }) => delivery?.acceptSeconds?.p99,
  },
  {
    name: "arrival_p99_seconds",
    description: "99th percentile from accepting to the arrival of the call",
    value: ({ delivery }) => delivery?.arrivalSeconds?.p99,
  },
  {
    name: "drain_seconds",
    description: "from the last answer to the last arrival",
    value: ({ delivery }) => delivery?.drainSeconds,
  },
  {
    name: "meets_objective",
    description: "whether accepting, losses and arrivals at this rate meet the objective",
    value: ({ delivery }) => delivery?.holds,
  },
  {
    name: "step_failures",
    description:
      "users without an answer, over all rounds, or due notifications that were not accepted: kinds with counts, separated by semicolons",
    value: ({ burst, delivery }) =>
      Object.entries((burst ?? delivery)?.failures ?? {}).map(([kind, count]) => `${kind} ${count}`)
        .join("; "),
  },
  {
    name: "peak_threads",
    description: "of the implementation in a burst or at a rate",
    value: ({ burst, delivery }) => (burst ?? delivery)?.peakThreads,
  },
  {
    name: "peak_memory_bytes",
    description: "resident memory of the implementation in a burst or at a rate",
    value: ({ burst, delivery }) => (burst ?? delivery)?.peakMemoryBytes,
  },
];

/** Returns the columns of a mean over rounds with its interval. */
function estimateColumns(
  name: string,
  description: string,
  pick: (burst: ApiBurst) => BurstEstimate | undefined,
): CsvColumn[] {
  const of = ({ burst }: CsvRow) => burst && pick(burst);
  return [
    { name, description: `${description}: mean over rounds`, value: (row) => of(row)?.mean },
    {
      name: `${name}_low`,
      description: "lower end of the interval over rounds; empty with fewer than three",
      value: (row) => of(row)?.low,
    },
    {
      name: `${name}_high`,
      description: "upper end of the interval",
      value: (row) => of(row)?.high,
    },
  ];
}
