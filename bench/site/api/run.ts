/**
 * A run for other programs: what its results and what follows from them come to, without what only this site needs.
 * In: all results of a run. Out: `api/runs/<run-id>.json`, of which the CSV and the other files are made.
 */
import { comparedAt } from "../../results/compared.ts";
import type { DerivedImpl, DerivedRun } from "../ranking.ts";
import { type ApiImpl, type ApiLevel, type ApiRun, apiVersion } from "./schema.ts";
import type { RunSummary } from "../run_summary.ts";
import { lastRepetition, type Result } from "../../results/result_schema.ts";
import { median } from "../../statistics/mod.ts";

/** Returns a run as it is published. */
export function exportRun(results: Result[], known: RunSummary & DerivedRun): ApiRun {
  const { id, startedAt, scenario, profile, machine, commit, marks, levels } = known;
  return {
    schemaVersion: apiVersion,
    id,
    startedAt,
    scenario,
    profile,
    machine,
    commit,
    marks,
    impls: results.map((result) => exportImpl(result, known))
      .sort((a, b) => a.id < b.id ? -1 : 1),
    pairs: levels.flatMap(({ connections, pairs }) =>
      pairs.map(({ points: _, ...pair }) => ({ connections, ...pair }))
    ),
  };
}

function exportImpl(result: Result, derived: DerivedRun): ApiImpl {
  const { impl, status, failure, machine, control, database, ladder, startup } = result;
  const { id, name, language, class: implClass, runtime, framework, driver, jwt } = impl;
  const planned = [...result.plan.levels, ...comparedLevelsOf(result)];
  return {
    id,
    name,
    language,
    class: implClass,
    status,
    ...(failure === undefined
      ? {}
      : { failure: { stage: failure.stage, message: failure.message } }),
    command: result.provenance.command,
    machine: { cpuModel: machine.cpuModel, cpuCount: machine.cpuCount },
    ...(control === undefined ? {} : { control: control.version }),
    runtime,
    framework,
    driver,
    jwt,
    ...(database === undefined
      ? {}
      : { database: { name: database.engine, version: database.version } }),
    ...(ladder?.capacityPerSecond === undefined
      ? {}
      : { capacityPerSecond: ladder.capacityPerSecond }),
    ...(startup === undefined || startup.subject.seconds.length === 0
      ? {}
      : { startupSeconds: median(startup.subject.seconds) }),
    levels: [...new Set(planned)].sort((a, b) => a - b).map((connections) =>
      exportLevel(result, connections, derived)
    ),
  };
}

function exportLevel(result: Result, connections: number, { levels }: DerivedRun): ApiLevel {
  const derived = levels.find((level) => level.connections === connections)?.impls
    .find(({ id }) => id === result.impl.id);
  return {
    connections,
    ...exportLoad(result, connections),
    ...exportFrame(derived),
    ...exportRatio(result, connections, derived),
    tieGroups: derived?.groups ?? [],
  };
}

/** Returns what the load of protocol A came to. */
function exportLoad(result: Result, connections: number): Partial<ApiLevel> {
  const { failure, levels } = result;
  const level = levels.find((level) => level.connections === connections);
  if (level === undefined) {
    return {
      invalid: [
        failure === undefined ? "not measured" : `failed at ${failure.stage}: ${failure.message}`,
      ],
    };
  }
  const { validity, figures, observation } = lastRepetition(level);
  const subject = observation?.resources?.subject;
  return {
    ...(validity.valid ? {} : { invalid: validity.reasons.map(({ message }) => message) }),
    ...(figures === undefined ? {} : {
      goodputPerSecond: figures.goodputPerSecond,
      latencySeconds: figures.latencySeconds,
    }),
    ...(observation === undefined ? {} : {
      attempted: observation.attempted,
      failed: observation.attempted - observation.correct,
    }),
    ...(subject === undefined || !validity.valid ? {} : {
      ...(subject.cpuSecondsPerAnswer === undefined
        ? {}
        : { cpuSecondsPerAnswer: subject.cpuSecondsPerAnswer }),
      peakMemoryBytes: subject.peakMemoryBytes,
    }),
  };
}

function exportFrame(derived: DerivedImpl | undefined): Partial<ApiLevel> {
  return {
    ...(derived?.isGeneratorBound === undefined
      ? {}
      : { isGeneratorBound: derived.isGeneratorBound }),
    ...(derived?.bottleneck === undefined ? {} : { bottleneck: derived.bottleneck }),
  };
}

function exportRatio(
  result: Result,
  connections: number,
  derived: DerivedImpl | undefined,
): Partial<ApiLevel> {
  if (derived?.ratio !== undefined) return { ratio: derived.ratio };
  if (!comparedLevelsOf(result).includes(connections)) return {};
  const compared = comparedAt(result, connections);
  return {
    notCompared: "missing" in compared ? compared.missing : "an interval needs three rounds",
  };
}

function comparedLevelsOf({ plan, comparison }: Result): number[] {
  return [
    ...plan.comparison?.levels ?? [],
    ...comparison?.levels.map(({ connections }) => connections) ?? [],
  ];
}
