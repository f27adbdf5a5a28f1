/**
 * The columns of `api/results.csv`, one row per run, implementation and level: base units, empty if a figure is
 * absent.
 */
import type { ApiImpl, ApiLevel, ApiRun } from "./schema.ts";
import { partText } from "../../results/versions.ts";

/** What a row is about. */
export interface CsvRow {
  run: ApiRun;
  impl: ApiImpl;
  level: ApiLevel;
}

export interface CsvColumn {
  name: string;
  /** Its content, with the unit. */
  description: string;
  value(row: CsvRow): string | number | boolean | undefined;
}

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
    name: "database",
    description: "database engine and version",
    value: ({ impl }) => impl.database && partText(impl.database),
  },
  {
    name: "connections",
    description: "the level: open connections of the load generator",
    value: ({ level }) => level.connections,
  },
  {
    name: "missing",
    description: "why the load has no figures; empty where it has some",
    value: ({ level }) => level.missing,
  },
  {
    name: "goodput_per_second",
    description: "throughput of correct answers in one load, warm-up included",
    value: ({ level }) => level.goodputPerSecond,
  },
  {
    name: "generator_bound",
    description: 'true: goodput and ratio mean "at least"; empty where no ceiling was measured',
    value: ({ level }) => level.isGeneratorBound,
  },
  {
    name: "bottleneck",
    description: "what bounds the level: subject, database, pool, generator or undecided",
    value: ({ level }) => level.bottleneck,
  },
  {
    name: "latency_p50_seconds",
    description: "median latency of correct answers, closed loop",
    value: ({ level }) => level.latencySeconds?.p50,
  },
  {
    name: "latency_p90_seconds",
    description: "90th percentile, likewise",
    value: ({ level }) => level.latencySeconds?.p90,
  },
  {
    name: "latency_p99_seconds",
    description: "99th percentile",
    value: ({ level }) => level.latencySeconds?.p99,
  },
  {
    name: "latency_p999_seconds",
    description: "99.9th percentile",
    value: ({ level }) => level.latencySeconds?.p999,
  },
  {
    name: "latency_max_seconds",
    description: "maximum",
    value: ({ level }) => level.latencySeconds?.max,
  },
  {
    name: "attempted",
    description: "requests of the load, answered or not",
    value: ({ level }) => level.attempted,
  },
  {
    name: "failed",
    description: "requests of the load that were not answered correctly",
    value: ({ level }) => level.failed,
  },
  {
    name: "cpu_seconds_per_answer",
    description: "CPU seconds of the implementation for each correct answer",
    value: ({ level }) => level.cpuSecondsPerAnswer,
  },
  {
    name: "peak_memory_bytes",
    description: "peak memory of the implementation",
    value: ({ level }) => level.peakMemoryBytes,
  },
  {
    name: "ratio",
    description: "goodput divided by the control's, from interleaved slices of load",
    value: ({ level }) => level.ratio?.estimate,
  },
  {
    name: "ratio_low",
    description: "lower end of the ratio's confidence interval",
    value: ({ level }) => level.ratio?.low,
  },
  {
    name: "ratio_high",
    description: "upper end of the interval",
    value: ({ level }) => level.ratio?.high,
  },
  {
    name: "ratio_confidence",
    description: "confidence of the interval, from 0 to 1",
    value: ({ level }) => level.ratio?.confidence,
  },
  {
    name: "ratio_rounds",
    description: "rounds of the ratio",
    value: ({ level }) => level.ratio?.rounds,
  },
  {
    name: "ratio_missing",
    description: "why there is no ratio; empty where there is one, or none was planned",
    value: ({ level }) => level.ratioMissing,
  },
  {
    name: "tie_groups",
    description: "letters, separated by spaces: two of a class that share one at a level are tied",
    value: ({ level }) => level.tieGroups.join(" "),
  },
  {
    name: "capacity_per_second",
    description:
      "highest sustainable rate: p99 and failures within the objective; repeated at each level",
    value: ({ impl }) => impl.capacityPerSecond,
  },
  {
    name: "startup_seconds",
    description:
      "median time from spawning the implementation to its first correct answer, repeated at each level",
    value: ({ impl }) => impl.startupSeconds,
  },
];
