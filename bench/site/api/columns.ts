/**
 * The columns of `api/results.csv`, one row per run, implementation and level, or step where the scenario has no levels:
 * base units, empty if a figure is absent. What is also in the JSON is described by its schema.
 */
import { addedColumns } from "./added_columns.ts";
import { type CsvColumn, descriptionOf, repeated } from "./csv_column.ts";
import {
  apiImplSchema,
  apiLevelSchema,
  apiRunSummarySchema,
  coldSchema,
  coldStartSchema,
  warmSchema,
} from "./schema.ts";
import { stepColumns } from "./step_columns.ts";
import { partText } from "../../results/versions.ts";

const [ofRun, ofImpl] = [apiRunSummarySchema.shape, apiImplSchema.shape];
const [ofCold, ofWarm, ofColdStart] = [coldSchema.shape, warmSchema.shape, coldStartSchema.shape];

/** All columns, in their order; new ones go to the end, into `added_columns.ts`, because programs may use positions. */
export const csvColumns: CsvColumn[] = [
  { name: "run", description: "id of the run", value: ({ run }) => run.id },
  {
    name: "started_at",
    description: "start of the run, ISO 8601, UTC",
    value: ({ run }) => run.startedAt,
  },
  { name: "scenario", description: "id of the scenario", value: ({ run }) => run.scenario },
  {
    name: "profile",
    description: `${ofRun.profile.options.join(", ")}: how much was measured`,
    value: ({ run }) => run.profile,
  },
  {
    name: "provisional",
    description: descriptionOf(ofRun.marks),
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
    description: `${ofImpl.class.options.join(", ")}; ${descriptionOf(ofImpl.class)}`,
    value: ({ impl }) => impl.class,
  },
  {
    name: "status",
    description: ofImpl.status.options.join(", "),
    value: ({ impl }) => impl.status,
  },
  {
    name: "cpu_model",
    description: `processor; ${descriptionOf(ofImpl.machine)}`,
    value: ({ impl }) => impl.machine.cpuModel,
  },
  {
    name: "cpu_count",
    description: "number of processors",
    value: ({ impl }) => impl.machine.cpuCount,
  },
  {
    name: "control_version",
    description: descriptionOf(ofImpl.control),
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
    description: descriptionOf(apiLevelSchema.shape.isGeneratorBound),
    value: ({ level }) => level?.isGeneratorBound,
  },
  {
    name: "warm_goodput_per_second",
    description: descriptionOf(ofWarm.goodputPerSecond),
    value: ({ level }) => level?.warm.goodputPerSecond?.estimate,
  },
  ...endsOf("warm_goodput", ({ level }) => level?.warm.goodputPerSecond),
  {
    name: "control_warm_goodput_per_second",
    description: descriptionOf(ofWarm.controlGoodputPerSecond),
    value: ({ level }) => level?.warm.controlGoodputPerSecond?.estimate,
  },
  {
    name: "warm_ratio",
    description: descriptionOf(ofWarm.ratio),
    value: ({ level }) => level?.warm.ratio?.estimate,
  },
  ...endsOf("warm_ratio", ({ level }) => level?.warm.ratio),
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
    description: descriptionOf(ofWarm.ratioMissing),
    value: ({ level }) => level?.warm.ratioMissing,
  },
  {
    name: "warm_tie_groups",
    description: `${descriptionOf(ofWarm.tieGroups)}; separated by spaces`,
    value: ({ level }) => level?.warm.tieGroups.join(" "),
  },
  {
    name: "cold_missing",
    description: descriptionOf(ofCold.missing),
    value: ({ level }) => level?.cold.missing,
  },
  {
    name: "cold_goodput_per_second",
    description: descriptionOf(ofCold.goodputPerSecond),
    value: ({ level }) => level?.cold.goodputPerSecond,
  },
  {
    name: "cold_share_of_warm",
    description: descriptionOf(ofColdStart.share),
    value: ({ level }) => level?.coldStart?.share,
  },
  {
    name: "cold_share_of_warm_low",
    description: descriptionOf(ofColdStart.low),
    value: ({ level }) => level?.coldStart?.low,
  },
  {
    name: "cold_share_of_warm_high",
    description: descriptionOf(ofColdStart.high),
    value: ({ level }) => level?.coldStart?.high,
  },
  {
    name: "cold_seconds_to_steady",
    description: descriptionOf(ofColdStart.secondsToSteady),
    value: ({ level }) => level?.coldStart?.secondsToSteady,
  },
  {
    name: "cold_requests_to_steady",
    description: descriptionOf(ofColdStart.requestsToSteady),
    value: ({ level }) => level?.coldStart?.requestsToSteady,
  },
  {
    name: "cold_bottleneck",
    description: `${ofCold.bottleneck.unwrap().options.join(", ")}: ${
      descriptionOf(ofCold.bottleneck)
    }`,
    value: ({ level }) => level?.cold.bottleneck,
  },
  {
    name: "cold_latency_p50_seconds",
    description: `median latency ${descriptionOf(ofCold.latencySeconds)}`,
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
    description: `${
      descriptionOf(ofCold.latencySeconds.unwrap().shape.atLeast)
    }; separated by spaces`,
    value: ({ level }) => level?.cold.latencySeconds?.atLeast?.join(" "),
  },
  {
    name: "cold_attempted",
    description: descriptionOf(ofCold.attempted),
    value: ({ level }) => level?.cold.attempted,
  },
  {
    name: "cold_failed",
    description: descriptionOf(ofCold.failed),
    value: ({ level }) => level?.cold.failed,
  },
  {
    name: "cold_cpu_seconds_per_answer",
    description: descriptionOf(ofCold.cpuSecondsPerAnswer),
    value: ({ level }) => level?.cold.cpuSecondsPerAnswer,
  },
  {
    name: "cold_peak_memory_bytes",
    description: descriptionOf(ofCold.peakMemoryBytes),
    value: ({ level }) => level?.cold.peakMemoryBytes,
  },
  {
    name: "sustainable_per_second",
    description: `${descriptionOf(ofImpl.sustainablePerSecond)}; ${repeated}`,
    value: ({ impl }) => impl.sustainablePerSecond,
  },
  {
    name: "sustainable_lowest_per_second",
    description: "that of the process with the lowest; empty with one process",
    value: ({ impl }) => impl.sustainableRange?.lowestPerSecond,
  },
  {
    name: "sustainable_highest_per_second",
    description: "that of the process with the highest",
    value: ({ impl }) => impl.sustainableRange?.highestPerSecond,
  },
  {
    name: "startup_seconds",
    description: `${descriptionOf(ofImpl.startupSeconds)}; ${repeated}`,
    value: ({ impl }) => impl.startupSeconds,
  },
  {
    name: "startup_ratio",
    description: `${descriptionOf(ofImpl.startupRatio)}; ${repeated}`,
    value: ({ impl }) => impl.startupRatio?.estimate,
  },
  ...endsOf("startup_ratio", ({ impl }) => impl.startupRatio),
  ...stepColumns,
  ...addedColumns,
];

/** Returns a column for each end of an interval, which the column before them describes. */
function endsOf(
  name: string,
  intervalOf: (row: Parameters<CsvColumn["value"]>[0]) => { low: number; high: number } | undefined,
): CsvColumn[] {
  return (["low", "high"] as const).map((end) => ({
    name: `${name}_${end}`,
    description: `${end === "low" ? "lower" : "upper"} end of that interval`,
    value: (row) => intervalOf(row)?.[end],
  }));
}
