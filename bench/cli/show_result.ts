/**
 * Show: what came out, to be read in a terminal. Takes a result; gives a table with a row for each level, in
 * the units that people read; an invalid level shows its reasons and no number.
 */
import { bold, dim, red } from "@std/fmt/colors";
import Table from "cli-table3";
import { formatRatio } from "./show_comparison.ts";
import { median } from "../statistics/mod.ts";
import { lastRepetition, type Level, type Result } from "../results/result_schema.ts";

const columns = [
  "connections",
  "goodput/s",
  "p50 ms",
  "p99 ms",
  "failed",
  "CPU µs/answer",
  "memory MiB",
];

/** Returns one result as text: a heading, and its table or why there is none. */
export function formatResult(result: Result): string {
  const { impl } = result;
  const version = [impl.framework, impl.driver, impl.jwt, impl.runtime]
    .filter((part) => part !== undefined)
    .map(({ name, version }) => `${name} ${version ?? "(version unknown)"}`).join(", ");
  const heading = `${bold(impl.id)}  ${dim(version)}`;
  const lines = [heading];
  if (result.levels.length > 0) lines.push(formatLevels(result.levels));
  lines.push(...formatBesides(result));
  if (result.failure !== undefined) {
    const { stage, message, detail } = result.failure;
    lines.push(`${red(`failed to ${stage}`)}: ${message}`, ...(detail === "" ? [] : [detail]));
  } else if (result.levels.length < result.plan.levels.length) {
    const left = result.plan.levels.length - result.levels.length;
    lines.push(`incomplete: ${left} of ${result.plan.levels.length} levels are not measured`);
  }
  return lines.join("\n");
}

/** Returns a line for each thing that was measured beside levels. */
function formatBesides({ levels, comparison, ladder, startup }: Result): string[] {
  const lines: string[] = [];
  for (const { connections, frame } of levels) {
    if (frame === undefined) continue;
    const bound = frame.isGeneratorBound ? ", read goodput as: at least" : "";
    lines.push(`${connections} connections bounded by: ${frame.bottleneck}${bound}`);
  }
  for (const { connections, goodput, problem } of comparison?.levels ?? []) {
    lines.push(
      `against the control at ${connections} connections: ${
        goodput === undefined ? problem ?? "not decided" : formatRatio(goodput)
      }`,
    );
  }
  if (ladder !== undefined) {
    const { p99Seconds, failureShare } = ladder.plan.goal;
    const capacity = ladder.capacityPerSecond === undefined
      ? "no rate"
      : `${formatInteger(ladder.capacityPerSecond)} requests per second`;
    lines.push(
      `holds p99 of ${p99Seconds * 1000} ms and ${failureShare * 100} % failures: ${capacity}`,
    );
  }
  if (startup !== undefined) {
    const { seconds, memoryBytes } = startup.subject;
    lines.push(
      `startup: ${median(seconds).toFixed(3)} s (control ${
        median(startup.control.seconds).toFixed(3)
      } s), ${formatInteger(median(memoryBytes) / 1024 ** 2)} MiB`,
    );
  }
  return lines;
}

function formatLevels(levels: Level[]): string {
  const table = new Table({
    head: columns,
    colAligns: columns.map(() => "right" as const),
    style: { head: [], border: [], compact: true },
  });
  for (const level of levels.toSorted((a, b) => a.connections - b.connections)) {
    table.push(formatLevel(level));
  }
  return table.toString();
}

function formatLevel(level: Level) {
  const { validity, figures, observation } = lastRepetition(level);
  if (!validity.valid || figures === undefined || observation === undefined) {
    const reasons = validity.valid ? [] : validity.reasons.map(({ message }) => message);
    return [level.connections, {
      colSpan: columns.length - 1,
      content: red(`invalid: ${reasons.join("\n")}`),
      hAlign: "left" as const,
      wordWrap: true,
    }];
  }
  const subject = observation.resources?.subject;
  return [
    level.connections,
    formatInteger(figures.goodputPerSecond),
    formatMilliseconds(figures.latencySeconds.p50),
    formatMilliseconds(figures.latencySeconds.p99),
    formatInteger(observation.attempted - observation.correct),
    subject?.cpuSecondsPerAnswer === undefined
      ? "–"
      : formatInteger(subject.cpuSecondsPerAnswer * 1e6),
    subject === undefined ? "–" : formatInteger(subject.peakMemoryBytes / 1024 ** 2),
  ];
}

function formatInteger(value: number): string {
  return Math.round(value).toLocaleString("en");
}

function formatMilliseconds(seconds: number): string {
  return (seconds * 1000).toFixed(2);
}
