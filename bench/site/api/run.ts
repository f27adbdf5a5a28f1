/**
 * A run for other programs: its results and what is derived from them. In: all results of a run. Out:
 * `api/runs/<run-id>.json`, the source of the CSV and the other files.
 */
import type { DerivedImpl, DerivedRun } from "../ranking.ts";
import { type ApiImpl, type ApiLevel, type ApiRun, apiVersion } from "./schema.ts";
import type { RunSummary } from "../run_summary.ts";
import { comparedLevels, ratioAt } from "../../results/compared.ts";
import { missingOf, valueOf } from "../../results/known.ts";
import { lastRepetition, levelAt, outcomeAt } from "../../results/outcome.ts";
import type { Result } from "../../results/result_schema.ts";
import { versionsOf } from "../../results/versions.ts";
import { median } from "../../statistics/mod.ts";

/** Returns a run as published in the API. */
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
  const { impl, status, failure, machine, control, ladder, startup } = result;
  const { id, name, language, class: implClass } = impl;
  const { runtime, framework, driver, jwt, database } = versionsOf(result);
  const planned = new Set([...result.plan.levels, ...comparedLevels(result)]);
  return {
    id,
    name,
    language,
    class: implClass,
    status,
    failure: failure && { stage: failure.stage, message: failure.message },
    command: result.provenance.command,
    machine: { cpuModel: machine.cpuModel, cpuCount: machine.cpuCount },
    control: control?.version,
    runtime: runtime!,
    framework: framework!,
    driver,
    jwt,
    database,
    capacityPerSecond: ladder?.capacityPerSecond,
    startupSeconds: startup && startup.subject.seconds.length > 0
      ? median(startup.subject.seconds)
      : undefined,
    levels: [...planned].sort((a, b) => a - b).map((connections) => {
      const ofLevel = derived.levels.find((level) => level.connections === connections);
      return exportLevel(result, connections, ofLevel?.impls.find((impl) => impl.id === id));
    }),
  };
}

function exportLevel(result: Result, connections: number, derived?: DerivedImpl): ApiLevel {
  const level = levelAt(result, connections);
  const observation = level && lastRepetition(level).observation;
  const outcome = outcomeAt(result, connections);
  const { figures, observation: valid } = valueOf(outcome) ?? {};
  const ratio = ratioAt(result, connections);
  return {
    connections,
    missing: missingOf(outcome),
    goodputPerSecond: figures?.goodputPerSecond,
    isGeneratorBound: derived?.isGeneratorBound,
    bottleneck: derived?.bottleneck,
    latencySeconds: figures?.latencySeconds,
    attempted: observation?.attempted,
    failed: observation && observation.attempted - observation.correct,
    cpuSecondsPerAnswer: valid?.resources?.subject.cpuSecondsPerAnswer,
    peakMemoryBytes: valid?.resources?.subject.peakMemoryBytes,
    ratio: valueOf(ratio),
    ratioMissing: comparedLevels(result).includes(connections) ? missingOf(ratio) : undefined,
    tieGroups: derived?.groups ?? [],
  };
}
