/**
 * Show: a result as text for a terminal: a table of the cold loads with a row per level, and lines for the rest. An
 * invalid level has no number in the table, and its reasons below.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { frameAt } from "../results/bottleneck.ts";
import { bottleneckWords } from "../results/bottleneck_words.ts";
import { bold, dim, red } from "@std/fmt/colors";
import { spanning, tableOf } from "./columns.ts";
import { partsDone } from "../results/parts_done.ts";
import { formatBursts } from "./show_bursts.ts";
import { formatDeliveries } from "./show_deliveries.ts";
import { formatRatio } from "./show_comparison.ts";
import { median } from "../statistics/mod.ts";
import { qualifierAt, ratioAt } from "../results/compared.ts";
import {
  type ColdStart,
  coldStartAt,
  type WarmGoodput,
  warmGoodputAt,
} from "../results/goodput.ts";
import { notCountedIn } from "../results/not_counted.ts";
import { durableOutcome, invalidReasons, outcomeOf } from "../results/outcome.ts";
import type { Level, Result } from "../results/result_schema.ts";
import { isHighestOffered, sweepProblem } from "../results/rate_sweep.ts";
import { startsOf } from "../results/startup.ts";
import type { Percentiles } from "../results/values.ts";
import { boundOf } from "../results/words.ts";

const columns = [
  "connections",
  "cold answers/s",
  "p50 ms",
  "p99 ms",
  "failed",
  "CPU µs/answer",
  "memory MiB",
];

/** Returns one result as text: a heading, its levels, and the other protocols. */
export function formatResult(result: Result): string {
  return [formatLevels(result), formatRest(result)].filter((text) => text !== "").join("\n");
}

/** Returns a heading, and the table of levels with notes below it. */
export function formatLevels(result: Result): string {
  const { impl, plan, levels } = result;
  const versions = [impl.framework, impl.driver, impl.jwt, impl.client, impl.runtime]
    .filter((part) => part !== undefined)
    .map(({ name, version }) => `${name} ${version ?? "(version unknown)"}`).join(", ");
  const heading = `${bold(impl.id)}  ${dim(versions)}`;
  if (levels.length === 0) return heading;
  const sorted = levels.toSorted((a, b) => a.connections - b.connections);
  const [requests, warmUp] = [plan.requests, plan.warmUpRequests].map(formatInteger);
  const cold =
    `cold: one load of ${requests} requests on a fresh process after ${warmUp} warm-up requests`;
  const table = tableOf(columns, sorted.map(formatLevel));
  return [heading, dim(cold), table, ...notesOf(result, sorted)].join("\n");
}

/** Returns a line for each protocol besides levels, and why something is missing. */
export function formatRest(result: Result): string {
  const { failure } = result;
  const lines = formatBesides(result);
  if (failure !== undefined) {
    const { stage, message, detail } = failure;
    lines.push(`${red(`failed at ${stage}`)}: ${message}`, ...(detail === "" ? [] : [detail]));
  } else {
    const { name, done, planned } = partsDone(result);
    if (done < planned) lines.push(`incomplete: ${done} of ${planned} ${name} measured`);
  }
  return lines.join("\n");
}

function formatBesides(result: Result): string[] {
  const { comparison, rateSweep, startup } = result;
  const lines = formatDurable(result);
  for (const { connections } of comparison?.levels ?? []) {
    const ratio = ratioAt(result, connections);
    const text = "missing" in ratio
      ? `no ratio to the control: ${ratio.missing}`
      : formatRatio(ratio.value, "the control's", { qualifier: qualifierAt(result, connections) });
    const warm = warmGoodputAt(result, connections);
    const rate = "value" in warm ? `${formatWarm(warm.value)}, ` : "";
    lines.push(`warm goodput at ${formatInteger(connections)} connections: ${rate}${text}`);
  }
  lines.push(...formatColdStarts(result));
  if (rateSweep !== undefined) {
    const { p99Seconds, failureShare } = rateSweep.plan.goal;
    const { sustainablePerSecond, range, plan } = rateSweep;
    const problem = sweepProblem(rateSweep);
    const rate = problem !== undefined
      ? `invalid, ${problem}`
      : (sustainablePerSecond === undefined
        ? "none of the offered rates"
        : `${formatInteger(sustainablePerSecond)} requests per second` +
          (isHighestOffered(rateSweep) ? ", the highest offered" : "")) +
        (range === undefined
          ? ", one process"
          : `, median of ${plan.processes} processes (${formatInteger(range.lowestPerSecond)}–${
            formatInteger(range.highestPerSecond)
          })`);
    lines.push(
      `highest sustainable rate (p99 ≤ ${p99Seconds * 1000} ms, ≤ ${
        failureShare * 100
      } % failed): ${rate}`,
    );
  }
  if (startup !== undefined) {
    const { seconds, memoryBytes } = startsOf(startup, "subject");
    const control = median(startsOf(startup, "control").seconds);
    const ratio = startup.ratio &&
      `, ${formatRatio(startup.ratio, "the control's", { units: "blocks" })}`;
    lines.push(
      `startup: ${median(seconds).toFixed(3)} s (control: ${control.toFixed(3)} s)${ratio ?? ""}; ${
        formatInteger(median(memoryBytes) / 1024 ** 2)
      } MiB`,
    );
  }
  lines.push(...formatBursts(result), ...formatDeliveries(result));
  lines.push(...notCountedIn(result).map((what) => `not counted: ${what}`));
  return lines;
}

/** Returns a line for the load with commits on disk; none where it was not asked for. */
function formatDurable({ plan, durable }: Result): string[] {
  if (plan.durable === undefined || durable === undefined) return [];
  const outcome = durableOutcome(durable);
  const figures = "missing" in outcome
    ? `none, ${outcome.missing}`
    : `${formatInteger(outcome.value.figures.goodputPerSecond)} per second, p99 ${
      formatLatency(outcome.value.figures.latencySeconds, "p99")
    } ms`;
  return [
    `cold goodput at ${
      formatInteger(plan.durable.connections)
    } connections, every commit on disk, ` +
    `in no ranking: ${figures}`,
  ];
}

function formatLevel(level: Level) {
  const connections = formatInteger(level.connections);
  const outcome = outcomeOf(level);
  if ("missing" in outcome) {
    return [connections, spanning(red("invalid, see below"), columns.length - 1)];
  }
  const { figures, observation } = outcome.value;
  const subject = observation.resources?.subject;
  return [
    connections,
    formatInteger(figures.goodputPerSecond),
    formatLatency(figures.latencySeconds, "p50"),
    formatLatency(figures.latencySeconds, "p99"),
    formatInteger(observation.attempted - observation.correct),
    subject?.cpuSecondsPerAnswer === undefined
      ? "–"
      : formatInteger(subject.cpuSecondsPerAnswer * 1e6),
    subject === undefined ? "–" : formatInteger(subject.peakMemoryBytes / 1024 ** 2),
  ];
}

/** Returns a line for each reason why a level is invalid, and the bottlenecks of the others. */
function notesOf(result: Result, levels: Level[]): string[] {
  const lines = levels.flatMap((level) =>
    invalidReasons(level).map((reason) =>
      `${formatInteger(level.connections)} connections: ${red("invalid")}: ${reason}`
    )
  );
  const unsampled = levels.map(outcomeOf)
    .flatMap((outcome) => "value" in outcome ? [outcome.value.observation] : [])
    .filter(({ resources }) => resources === undefined);
  if (unsampled.length > 0) {
    const isShort = unsampled.every(({ durationSeconds }) => durationSeconds < 1);
    const why = isShort ? "the load took less than a second" : "the system does not report them";
    lines.push(`–: CPU and memory are unknown: ${why}`);
  }
  const framed = levels.flatMap(({ connections }) => {
    const frame = frameAt(result, connections);
    return frame === undefined ? [] : [{ connections, frame }];
  });
  const ceiling = "the ceiling of the load generator";
  const at = Map.groupBy(
    framed,
    ({ frame }) => frame.isGeneratorBound ? ceiling : bottleneckWords[frame.bottleneck],
  );
  const bottlenecks = [...at].map(([name, bound]) =>
    `${name} (${bound.map(({ connections }) => formatInteger(connections)).join(", ")})`
  );
  if (bottlenecks.length > 0) lines.push(`bottleneck: ${bottlenecks.join(", ")}`);
  if (at.has(ceiling)) {
    lines.push(
      "At the ceiling of the load generator, read goodput, cold and warm, as “at least”",
    );
  }
  return lines;
}

function formatWarm({ estimate, low, high }: WarmGoodput): string {
  return `${formatInteger(estimate)} per second (${formatInteger(low)}–${formatInteger(high)})`;
}

/** Returns what the cold start costs at each level in two lines; none where nothing is known of it. */
function formatColdStarts(result: Result): string[] {
  const costs = (result.comparison?.levels ?? []).flatMap(({ connections }) => {
    const cost = coldStartAt(result, connections);
    return "value" in cost ? [{ connections, ...cost.value }] : [];
  });
  if (costs.length === 0) return [];
  const at = (textOf: (cost: ColdStart) => string) =>
    costs.map((cost) => `${textOf(cost)} (${formatInteger(cost.connections)})`).join(", ");
  return [
    `cold goodput as a share of warm: ${at(formatShare)}`,
    `cold start until steady: ${
      at(({ secondsToSteady: seconds, requestsToSteady: requests }) =>
        seconds === undefined || requests === undefined
          ? "not reached"
          : `${seconds.toFixed(2)} s and ${formatInteger(requests)} requests`
      )
    }`,
  ];
}

function formatShare({ share, low, high }: ColdStart): string {
  return `${formatInteger(100 * share)} % [${formatInteger(100 * low)}–${
    formatInteger(100 * high)
  }]`;
}

function formatLatency(latency: Percentiles, name: "p50" | "p99"): string {
  return `${boundOf(latency, name)}${(latency[name] * 1000).toFixed(2)}`;
}
