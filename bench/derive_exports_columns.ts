/**
 * The columns of `api/results.csv`, one row for each run, implementation and level: base units, and empty where a
 * figure is absent.
 */
import type { ApiImpl, ApiLevel, ApiRun } from "./derive_exports_schema.ts";

/** What a row is about. */
export interface CsvRow {
  run: ApiRun;
  impl: ApiImpl;
  level: ApiLevel;
}

export interface CsvColumn {
  name: string;
  /** What it holds, with its unit. */
  description: string;
  value(row: CsvRow): string | number | boolean | undefined;
}

/** All columns, in their order; more are added at the end only, since programs count them, too. */
export const csvColumns: CsvColumn[] = [
  { name: "run", description: "id of the run", value: ({ run }) => run.id },
  {
    name: "started_at",
    description: "start of the run, ISO 8601, UTC",
    value: ({ run }) => run.startedAt,
  },
  { name: "scenario", description: "the job", value: ({ run }) => run.scenario },
  { name: "profile", description: "how much was measured", value: ({ run }) => run.profile },
  {
    name: "provisional",
    description: "why the run is provisional; empty where it is not",
    value: ({ run }) => run.marks.join("; "),
  },
  { name: "commit", description: "of the repository", value: ({ run }) => run.commit },
  { name: "impl", description: "id of the implementation", value: ({ impl }) => impl.id },
  {
    name: "class",
    description: "standard or tuned: compared among themselves only",
    value: ({ impl }) => impl.class,
  },
  {
    name: "status",
    description: "complete, incomplete or failed",
    value: ({ impl }) => impl.status,
  },
  {
    name: "cpu_model",
    description: "processor; goodput of different ones is not comparable",
    value: ({ impl }) => impl.machine.cpuModel,
  },
  { name: "cpu_count", description: "processors", value: ({ impl }) => impl.machine.cpuCount },
  {
    name: "control_version",
    description: "ratios to different versions of the control do not compare",
    value: ({ impl }) => impl.control,
  },
  {
    name: "runtime",
    description: "name and version",
    value: ({ impl }) => versionOf(impl.runtime),
  },
  {
    name: "framework",
    description: "name and version",
    value: ({ impl }) => versionOf(impl.framework),
  },
  {
    name: "driver",
    description: "of the database, name and version",
    value: ({ impl }) => versionOf(impl.driver),
  },
  {
    name: "jwt",
    description: "JWT library, name and version",
    value: ({ impl }) => versionOf(impl.jwt),
  },
  {
    name: "database",
    description: "engine and version",
    value: ({ impl }) => impl.database && versionOf(impl.database),
  },
  {
    name: "connections",
    description: "the level: open connections of the load generator",
    value: ({ level }) => level.connections,
  },
  {
    name: "invalid",
    description: "why no figure of the load may be used; empty where it was valid",
    value: ({ level }) => level.invalid?.join("; "),
  },
  {
    name: "goodput_per_second",
    description: "correct answers per second of one load, warm-up included",
    value: ({ level }) => level.goodputPerSecond,
  },
  {
    name: "generator_bound",
    description:
      "true: goodput and ratio are to be read as at least; empty where no ceiling was measured",
    value: ({ level }) => level.isGeneratorBound,
  },
  {
    name: "bottleneck",
    description: "what bounds the level",
    value: ({ level }) => level.bottleneck,
  },
  {
    name: "latency_p50_seconds",
    description: "closed loop, of correct answers",
    value: ({ level }) => level.latencySeconds?.p50,
  },
  {
    name: "latency_p90_seconds",
    description: "likewise",
    value: ({ level }) => level.latencySeconds?.p90,
  },
  {
    name: "latency_p99_seconds",
    description: "likewise",
    value: ({ level }) => level.latencySeconds?.p99,
  },
  {
    name: "latency_p999_seconds",
    description: "likewise",
    value: ({ level }) => level.latencySeconds?.p999,
  },
  {
    name: "latency_max_seconds",
    description: "likewise",
    value: ({ level }) => level.latencySeconds?.max,
  },
  { name: "attempted", description: "requests of the load", value: ({ level }) => level.attempted },
  {
    name: "failed",
    description: "those of them that were not answered correctly",
    value: ({ level }) => level.failed,
  },
  {
    name: "cpu_seconds_per_answer",
    description: "CPU seconds of the implementation for each correct answer",
    value: ({ level }) => level.cpuSecondsPerAnswer,
  },
  {
    name: "peak_memory_bytes",
    description: "of the implementation",
    value: ({ level }) => level.peakMemoryBytes,
  },
  {
    name: "ratio",
    description: "of goodput to the control's",
    value: ({ level }) => level.ratio?.estimate,
  },
  {
    name: "ratio_low",
    description: "lower end of its interval",
    value: ({ level }) => level.ratio?.low,
  },
  { name: "ratio_high", description: "upper end", value: ({ level }) => level.ratio?.high },
  {
    name: "ratio_confidence",
    description: "of the interval, as a share of 1",
    value: ({ level }) => level.ratio?.confidence,
  },
  {
    name: "ratio_rounds",
    description: "rounds that it is of",
    value: ({ level }) => level.ratio?.rounds,
  },
  {
    name: "not_compared",
    description: "why there is no ratio; empty where there is one, or none was planned",
    value: ({ level }) => level.notCompared,
  },
  {
    name: "tie_groups",
    description: "letters, separated by spaces: two of a class that share one at a level are tied",
    value: ({ level }) => level.tieGroups.join(" "),
  },
  {
    name: "capacity_per_second",
    description:
      "of the implementation, not of the level: highest rate that was held within the goal",
    value: ({ impl }) => impl.capacityPerSecond,
  },
  {
    name: "startup_seconds",
    description: "likewise: from spawning to the first correct answer, median",
    value: ({ impl }) => impl.startupSeconds,
  },
];

function versionOf({ name, version }: ApiImpl["runtime"]): string {
  return version === undefined ? name : `${name} ${version}`;
}
