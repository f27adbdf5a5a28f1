/**
 * The columns of `api/results.csv`, one row per run, implementation and level, or step where the scenario has no levels:
 * base units, empty if a figure is absent.
 */
import type { CsvColumn } from "./csv_column.ts";
import { stepColumns } from "./step_columns.ts";
import { partText } from "../../results/versions.ts";

/** All columns, in their order; new ones go to the end, because programs may use positions. */
export const csvColumns: CsvColumn[] = [
  { name: "run", description: "id of the run", value: ({ run }) => run.id },
  {
    name: "started_at",
    description: "start of the run, ISO 8601, UTC",
    value: ({ run }) => run.startedAt,
  },
  {
    name: "scenario",
    description: "id of the scenario",
    value: ({ run }) => run.scenario,
  },
  {
    name: "profile",
    description: "how much was measured: smoke, quick, full or custom",
    value: ({ run }) => run.profile,
  },
  {
    name: "provisional",
    description: "why the run is provisional; empty where it is not",
    value: ({ run }) => run.marks.join("; "),
  },
  {
    name: "commit",
    description: "commit of the repository that was measured",
    value: ({ run }) => run.commit,
  },
  { name: "impl", description: "id of the implementation", value: ({ impl }) => impl.id },
  {
    name: "class",
    description: "standard or tuned; only implementations of one class are compared",
    value: ({ impl }) => impl.class,
  },
  {
    name: "status",
    description: "complete, incomplete or failed",
    value: ({ impl }) => impl.status,
  },
  {
    name: "cpu_model",
    description: "processor; goodput on different ones is not comparable",
    value: ({ impl }) => impl.machine.cpuModel,
  },
  {
    name: "cpu_count",
    description: "number of processors",
    value: ({ impl }) => impl.machine.cpuCount,
  },
  {
    name: "control_version",
    description: "version of the control; ratios to different versions are not comparable",
    value: ({ impl }) => impl.control,
  },
  {
    name: "runtime",
    description: "runtime, name and version",
    value: ({ impl }) => partText(impl.runtime),
  },
  {
    name: "framework",
    description: "framework, name and version",
    value: ({ impl }) => partText(impl.framework),
  },
  {
    name: "driver",
    description: "database driver, name and version",
    value: ({ impl }) => impl.driver && partText(impl.driver),
  },
  {
    name: "jwt",
    description: "JWT library, name and version",
    value: ({ impl }) => impl.jwt && partText(impl.jwt),
  },
  {
    name: "client",
    description: "HTTP client, name and version",
    value: ({ impl }) => impl.client && partText(impl.client),
  },
  {
    name: "database",
    description: "database engine and version",
    value: ({ impl }) => impl.database && partText(impl.database),
  },
  {
    name: "connections",
    description: "the level: open connections of the load generator",
    value: ({ level }) => level?.connections,
  },
  {
    name: "generator_bound",
    description:
      'true: every goodput and ratio of the row means "at least"; empty where no ceiling was measured',
    value: ({ level }) => level?.isGeneratorBound,
  },
  {
    name: "warm_goodput_per_second",
    description: "warm goodput: correct answers per second of warm processes, over rounds",
    value: ({ level }) => level?.warm.goodputPerSecond?.estimate,
  },
  {
    name: "warm_goodput_low",
    description: "lower end of the interval of warm goodput, of this run",
    value: ({ level }) => level?.warm.goodputPerSecond?.low,
  },
  {
    name: "warm_goodput_high",
    description: "upper end of the interval",
    value: ({ level }) => level?.warm.goodputPerSecond?.high,
  },
  {
    name: "control_warm_goodput_per_second",
    description: "the control's warm goodput in the same rounds",
    value: ({ level }) => level?.warm.controlGoodputPerSecond?.estimate,
  },
  {
    name: "warm_ratio",
    description: "warm goodput divided by the control's, from interleaved slices of load",
    value: ({ level }) => level?.warm.ratio?.estimate,
  },
  {
    name: "warm_ratio_low",
    description: "lower end of the interval of the ratio, over the rounds of this run",
    value: ({ level }) => level?.warm.ratio?.low,
  },
  {
    name: "warm_ratio_high",
    description: "upper end of the interval",
    value: ({ level }) => level?.warm.ratio?.high,
  },
  {
    name: "warm_ratio_confidence",
    description: "confidence of the interval, from 0 to 1",
    value: ({ level }) => level?.warm.ratio?.confidence,
  },
  {
    name: "warm_ratio_rounds",
    description: "rounds of the ratio",
    value: ({ level }) => level?.warm.ratio?.rounds,
  },
  {
    name: "warm_ratio_missing",
    description: "why there is no ratio; empty where there is one, or none was planned",
    value: ({ level }) => level?.warm.ratioMissing,
  },
  {
    name: "warm_tie_groups",
    description: "letters, separated by spaces: two of a class that share one at a level are tied",
    value: ({ level }) => level?.warm.tieGroups.join(" "),
  },
  {
    name: "cold_missing",
    description: "why the cold load has no figures; empty where it has some",
    value: ({ level }) => level?.cold.missing,
  },
  {
    name: "cold_goodput_per_second",
    description:
      "cold goodput: correct answers per second of one load on a fresh process, warming up included; no interval",
    value: ({ level }) => level?.cold.goodputPerSecond,
  },
  {
    name: "cold_share_of_warm",
    description: "cold goodput as a share of warm goodput at the same connections",
    value: ({ level }) => level?.coldStart?.share,
  },
  {
    name: "cold_share_of_warm_low",
    description:
      "lower end of its 95 % prediction interval: where the share of one more round of warm processes would lie, 19 times in 20",
    value: ({ level }) => level?.coldStart?.low,
  },
  {
    name: "cold_share_of_warm_high",
    description: "upper end of that interval",
    value: ({ level }) => level?.coldStart?.high,
  },
  {
    name: "cold_seconds_to_steady",
    description:
      "time until the cold load reached 95 % of its steady state; empty where it reached none",
    value: ({ level }) => level?.coldStart?.secondsToSteady,
  },
  {
    name: "cold_requests_to_steady",
    description: "correct answers until then",
    value: ({ level }) => level?.coldStart?.requestsToSteady,
  },
  {
    name: "cold_bottleneck",
    description:
      "what bounds the cold load: subject, database, upstream, pool, generator or undecided",
    value: ({ level }) => level?.cold.bottleneck,
  },
  {
    name: "cold_latency_p50_seconds",
    description:
      "median latency of the cold load, closed loop: of correct answers, and of unanswered requests as at least their time-out",
    value: ({ level }) => level?.cold.latencySeconds?.p50,
  },
  {
    name: "cold_latency_p90_seconds",
    description: "90th percentile, likewise",
    value: ({ level }) => level?.cold.latencySeconds?.p90,
  },
  {
    name: "cold_latency_p99_seconds",
    description: "99th percentile",
    value: ({ level }) => level?.cold.latencySeconds?.p99,
  },
  {
    name: "cold_latency_p999_seconds",
    description: "99.9th percentile",
    value: ({ level }) => level?.cold.latencySeconds?.p999,
  },
  {
    name: "cold_latency_max_seconds",
    description: "maximum",
    value: ({ level }) => level?.cold.latencySeconds?.max,
  },
  {
    name: "cold_latency_at_least",
    description:
      "which of these are at least what stands there, because they fall among requests that were never answered, separated by spaces; empty where none does",
    value: ({ level }) => level?.cold.latencySeconds?.atLeast?.join(" "),
  },
  {
    name: "cold_attempted",
    description: "requests of the cold load, answered or not",
    value: ({ level }) => level?.cold.attempted,
  },
  {
    name: "cold_failed",
    description: "requests of the cold load that were not answered correctly",
    value: ({ level }) => level?.cold.failed,
  },
  {
    name: "cold_cpu_seconds_per_answer",
    description: "CPU seconds of the implementation for each correct answer of the cold load",
    value: ({ level }) => level?.cold.cpuSecondsPerAnswer,
  },
  {
    name: "cold_peak_memory_bytes",
    description: "peak memory of the implementation in the cold load",
    value: ({ level }) => level?.cold.peakMemoryBytes,
  },
  {
    name: "capacity_per_second",
    description:
      "highest sustainable rate: p99 and failures within the objective; median over processes; of notifications where the scenario has them; repeated at each level and step",
    value: ({ impl }) => impl.sustainablePerSecond,
  },
  {
    name: "capacity_lowest_per_second",
    description: "that of the process with the lowest; empty with one process",
    value: ({ impl }) => impl.sustainableRange?.lowestPerSecond,
  },
  {
    name: "capacity_highest_per_second",
    description: "that of the process with the highest",
    value: ({ impl }) => impl.sustainableRange?.highestPerSecond,
  },
  {
    name: "startup_seconds",
    description:
      "median time from spawning the implementation to its first correct answer, repeated at each level",
    value: ({ impl }) => impl.startupSeconds,
  },
  {
    name: "startup_ratio",
    description: "that time divided by the control's, started in turn, repeated at each level",
    value: ({ impl }) => impl.startupRatio?.estimate,
  },
  {
    name: "startup_ratio_low",
    description: "lower end of the interval of that ratio, over blocks of starts of this run",
    value: ({ impl }) => impl.startupRatio?.low,
  },
  {
    name: "startup_ratio_high",
    description: "upper end of the interval",
    value: ({ impl }) => impl.startupRatio?.high,
  },
  ...stepColumns,
];
