/**
 * What the tables of pages must hold, for tests: worked out from the files of the run and not from the
 * templates. In: the results of one run. Out: the rows of each table by its id, in no order.
 */
import { deriveRun } from "../site/ranking.ts";
import { machineOf, machinesOf } from "../site/run_summary.ts";
import {
  lastRepetition,
  type Problem,
  type Repetition,
  type Result,
} from "../results/result_schema.ts";
import type { Rung } from "../results/protocols_schema.ts";
import { format } from "./site.ts";
import { median } from "../statistics/mod.ts";

/** A row: the label of its group, empty where it has none, then the text of each cell. */
export type Row = string[];

const count = (value?: number) => format(value, 1, 0);
const factor = (value?: number) => format(value, 1, 3);
const plain = (value?: number) => format(value, 1);
const milliseconds = (value?: number) => format(value, 1e3);
const microseconds = (value?: number) => format(value, 1e6);
const mebibytes = (value?: number) => format(value, 1 / 1024 ** 2);
const percent = (share: number) => `${format(share, 100)} %`;

/** Returns the rows of every table on the page of a run. */
export function expectedTables(results: Result[]): Map<string, Row[]> {
  const tables = new Map<string, Row[]>();
  const add = (id: string, rows: Row[]) => {
    if (rows.length > 0) tables.set(id, [...tables.get(id) ?? [], ...rows]);
  };
  const isOneMachine = machinesOf(results).length === 1;
  for (const result of results) {
    const { id } = result.impl;
    const machine = isOneMachine ? "" : machineOf(result.machine);
    add("overview", overviewRows(result, machine));
    add("bounds-table", boundRows(result, machine));
    add("rungs", rungRows(result, machine));
    add("startup-table", startupRows(result, machine));
    add(`${id}-verification`, problemRows(result.verification?.problems ?? []));
    for (const { connections, repetitions } of result.levels) {
      for (const [index, { observation }] of repetitions.entries()) {
        add(`${id}-${connections}-${index}`, problemRows(observation?.sideClient?.problems ?? []));
      }
    }
    if (result.status !== "failed") add(`${id}-load`, levelsOf(result).map(loadRow));
  }
  add("compared-table", comparedRows(results));
  add("scorecard", scoreRows(results));
  return tables;
}

/** Returns the rows of the tables "Under load" on the page of an implementation that went through a run. */
export function expectedImplTables(result: Result): Map<string, Row[]> {
  const levels = levelsOf(result);
  const resources = levels.flatMap(resourceRows);
  return new Map([
    ["impl-latency", levels.map(latencyRow)],
    ["impl-warm-up", levels.map(warmUpRow)],
    ["impl-checks", levels.map(checkRow)],
    ...resources.length === 0 ? [] : [["impl-resources", resources] satisfies [string, Row[]]],
  ]);
}

interface MeasuredLevel {
  connections: number;
  /** The one that the level is judged by; absent where the level was not measured. */
  last?: Repetition;
  /** In place of numbers; absent where the level is valid. */
  reason?: string;
  qualifier: string;
}

function levelsOf({ plan, levels }: Result): MeasuredLevel[] {
  return plan.levels.map((connections) => {
    const level = levels.find((level) => level.connections === connections);
    if (level === undefined) return { connections, reason: "not measured", qualifier: "" };
    const last = lastRepetition(level);
    const reasons = last.validity.valid ? [] : last.validity.reasons;
    return {
      connections,
      last,
      ...(last.validity.valid ? {} : { reason: reasons.map((r) => r.message).join("; ") }),
      qualifier: level.frame?.isGeneratorBound ? "at least " : "",
    };
  });
}

/** `machine` is in words, and empty where all of the run had the same. */
function levelLabel(connections: number, { impl }: Result, machine = ""): string {
  const label = `${connections} connections${impl.class === "tuned" ? " (tuned)" : ""}`;
  return label + (machine && `, on ${machine}`);
}

function overviewRows(result: Result, machine: string): Row[] {
  const { name } = result.impl;
  if (result.failure !== undefined) {
    return [["Failed", name, `at ${result.failure.stage}: ${result.failure.message}`]];
  }
  return levelsOf(result).map(({ connections, last, reason, qualifier }) => {
    const label = levelLabel(connections, result, machine);
    if (reason !== undefined) return [label, name, reason];
    const { figures, observation } = last!;
    const subject = observation!.resources?.subject;
    return [
      label,
      name,
      `${qualifier}${count(figures!.goodputPerSecond)}`,
      milliseconds(figures!.latencySeconds.p50),
      milliseconds(figures!.latencySeconds.p99),
      count(observation!.attempted - observation!.correct),
      microseconds(subject?.cpuSecondsPerAnswer),
      mebibytes(subject?.peakMemoryBytes),
    ];
  });
}

function boundRows(result: Result, machine: string): Row[] {
  return result.levels.flatMap((level) => {
    const { frame } = level;
    if (frame === undefined || !lastRepetition(level).validity.valid) return [];
    const bound = frame.bottleneck === "undecided" ? "not decided" : frame.bottleneck;
    const label = levelLabel(level.connections, result, machine);
    return [[label, result.impl.name, bound, percent(frame.shareOfCeiling), frame.because]];
  });
}

function loadRow({ connections, last, reason }: MeasuredLevel): Row {
  if (reason !== undefined) return ["", String(connections), reason];
  const { figures, observation } = last!;
  const { p90, p999, max } = figures!.latencySeconds;
  const { database, generator } = observation!.resources ?? {};
  return [
    "",
    String(connections),
    ...[p90, p999, max].map(milliseconds),
    count(figures!.firstSecondPerSecond),
    count(figures!.steadyPerSecond),
    plain(figures!.secondsToSteady),
    plain(observation!.queries!.perRequest),
    microseconds(database?.cpuSecondsPerAnswer),
    microseconds(generator?.cpuSecondsPerAnswer),
    failuresIn(last!),
  ];
}

function failuresIn({ observation }: Repetition): string {
  const failures = Object.entries(observation!.failures).sort()
    .map(([kind, times]) => `${count(times)} ${kind}`);
  return failures.length === 0 ? "none" : failures.join(", ");
}

function latencyRow({ connections, last, reason }: MeasuredLevel): Row {
  if (reason !== undefined) return ["", String(connections), reason];
  const { p50, p90, p99, p999, max } = last!.figures!.latencySeconds;
  return [
    "",
    String(connections),
    ...[p50, p90, p99, p999, max].map(milliseconds),
    failuresIn(last!),
  ];
}

function warmUpRow({ connections, last, reason }: MeasuredLevel): Row {
  if (reason !== undefined) return ["", String(connections), "invalid, as above"];
  const figures = last!.figures!;
  return [
    "",
    String(connections),
    count(figures.firstSecondPerSecond),
    count(figures.steadyPerSecond),
    plain(figures.secondsToSteady),
    count(figures.requestsToSteady),
  ];
}

function checkRow({ connections, last, reason }: MeasuredLevel): Row {
  if (reason !== undefined) return ["", String(connections), "invalid, as above"];
  const { queries, reconnects, log, sideClient } = last!.observation!;
  return [
    "",
    String(connections),
    plain(queries!.perRequest),
    plain(queries!.executesPerRequest),
    plain(queries!.pingsPerRequest),
    count(queries!.prepares),
    count(queries!.peakConnections),
    count(reconnects),
    count(log.lines),
    count(sideClient!.requests),
    count(sideClient!.problems.length),
  ];
}

function resourceRows({ connections, last, reason }: MeasuredLevel): Row[] {
  const resources = reason === undefined ? last!.observation!.resources : undefined;
  if (resources === undefined) return [];
  const { subject, database, generator, harness, machine } = resources;
  const label = `${connections} connections: the machine had ${
    plain(machine.capacityCpuSeconds)
  } CPU seconds`;
  const roles = { implementation: subject, database, "load generator": generator, harness };
  return [
    ...Object.entries(roles).flatMap(([role, used]) =>
      used === undefined ? [] : [[
        label,
        role,
        plain(used.cpuSeconds),
        microseconds(used.cpuSecondsPerAnswer),
        mebibytes(used.peakMemoryBytes),
        count(used.peakThreads),
        count(used.contextSwitches),
      ]]
    ),
    ...Object.entries({
      "other processes": machine.foreignCpuSeconds,
      "stolen by the hypervisor": machine.stealCpuSeconds,
    }).map(([what, used]) => [label, what, plain(used), ...new Array<string>(4).fill("–absent")]),
  ];
}

function rungRows({ impl, ladder }: Result, machine: string): Row[] {
  if (ladder === undefined) return [];
  const { capacityPerSecond: held, plan, rungs, floor } = ladder;
  const label = impl.name + (machine && `, on ${machine}`) + ": " +
    (held === undefined ? heldNone(rungs) : (
      `held ${count(held)} requests per second` +
      (held >= Math.max(...plan.ratesPerSecond) ? ", the highest rate that was offered" : "")
    ));
  const floorOf = ({ ratePerSecond }: Rung) =>
    floor.find((rung) => rung.ratePerSecond === ratePerSecond)?.latencySeconds.p99;
  return rungs.map((rung) => {
    const begin = [label, count(rung.ratePerSecond)];
    if (rung.problem !== undefined) return [...begin, rung.problem];
    const { p50, p90, p99, p999 } = rung.latencySeconds ?? {};
    return [
      ...begin,
      ...[p50, p90, p99, p999, rung.uncorrectedSeconds?.p99, floorOf(rung)].map(milliseconds),
      count(rung.unsent),
      count(Object.values(rung.failures).reduce((sum, times) => sum + times, 0)),
      rung.holds ? "yes" : "no",
    ];
  });
}

function heldNone(rungs: Rung[]): string {
  return rungs.some(({ problem }) => problem !== undefined)
    ? "no figure, because a rate was invalid"
    : "held no rate";
}

function startupRows({ impl, startup, buildSeconds }: Result, machine: string): Row[] {
  if (startup === undefined) return [];
  const { subject, control, artefactBytes } = startup;
  return [[
    machine,
    impl.name,
    milliseconds(median(subject.seconds)),
    milliseconds(Math.min(...subject.seconds)),
    milliseconds(Math.max(...subject.seconds)),
    milliseconds(median(control.seconds)),
    mebibytes(median(subject.memoryBytes)),
    plain(buildSeconds),
    mebibytes(artefactBytes),
  ]];
}

function problemRows(problems: Problem[]): Row[] {
  return problems.map((problem) => [
    "",
    ...[problem.check, problem.sent, problem.came, problem.expected]
      .map((text) => text === "" ? "–absent" : text.trim()),
  ]);
}

function comparedRows(results: Result[]): Row[] {
  const names = new Map(results.map(({ impl }) => [impl.id, impl.name]));
  return deriveRun(results).levels.flatMap(({ connections, impls, pairs }) =>
    results.flatMap((result) => {
      const compared = result.comparison?.levels.find((level) => level.connections === connections);
      if (compared === undefined) return [];
      const { impl: { id, name }, failure } = result;
      const begin = [levelLabel(connections, result), name];
      const { ratio, isGeneratorBound } = impls.find((impl) => impl.id === id)!;
      if (ratio === undefined) {
        const unknown = "not to be compared: another control, or its level is invalid";
        const failed = failure && `failed at ${failure.stage}: ${failure.message}`;
        return [[...begin, failed ?? compared.problem ?? unknown]];
      }
      const tied = pairs.filter(({ a, b, verdict }) => verdict === "tied" && [a, b].includes(id))
        .map(({ a, b }) => names.get(a === id ? b : a)!);
      return [[
        ...begin,
        `${isGeneratorBound ? "at least " : ""}${factor(ratio.estimate)}`,
        `${factor(ratio.low)} to ${factor(ratio.high)}`,
        count(ratio.rounds),
        count(compared.goodputPerSecond?.subject),
        count(compared.goodputPerSecond?.reference),
        factor(compared.cpuPerAnswer?.estimate),
        tied.length === 0 ? "none" : tied.join("; "),
      ]];
    })
  );
}

function scoreRows(results: Result[]): Row[] {
  const names = new Map(results.map(({ impl }) => [impl.id, impl.name]));
  return (deriveRun(results).scorecard ?? []).map(({ id, class: implClass, points, against }) => [
    implClass === "tuned" ? "tuned" : "",
    names.get(id)!,
    String(points),
    against.toSorted((a, b) => a.id < b.id ? -1 : 1)
      .map((opponent) => `${names.get(opponent.id)} ${opponent.points}`).join("; "),
  ]);
}
