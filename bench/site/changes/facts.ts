/**
 * What a run has to say when it is held against another: in which era each implementation was
 * measured, with which versions, and its log-ratios to the control. A fiftieth of the results, so that a thousand runs can
 * each be held against the one before.
 */
import type { VersionChange } from "./versions.ts";
import { comparedAt, isGeneratorBound, logRatiosOf } from "../../results/compared.ts";
import { type Era, eraFactsOf } from "../../results/era.ts";
import type { Result } from "../../results/result_schema.ts";
import type { RatioInterval } from "../../statistics/mod.ts";

export interface ChangeFacts {
  runId: string;
  startedAt: string;
  /** In alphabetical order of ids. */
  impls: ChangeFactsOfImpl[];
}

export interface ChangeFactsOfImpl {
  id: string;
  name: string;
  class: Result["impl"]["class"];
  era: Era;
  versions: Partial<Record<VersionChange["what"], Version>>;
  /** Those of the comparison with the control, in ascending order. */
  levels: LevelFacts[];
  /** Why there are none; present exactly where there are none. */
  missing?: string;
}

/** The version is absent where it could not be read. */
export interface Version {
  name: string;
  version?: string;
}

export interface LevelFacts {
  connections: number;
  /** Of goodput to the control's, by round; none where they may not be used. */
  logRatios: number[];
  ratio?: RatioInterval;
  isGeneratorBound: boolean;
  /** Why there is no ratio; present exactly where there is none. */
  missing?: string;
}

/** Returns the facts of a run. */
export function changeFactsOf(results: Result[]): ChangeFacts {
  const [first] = results;
  if (first === undefined) throw new RangeError("changeFactsOf() needs at least one result");
  return {
    runId: first.runId,
    startedAt: results.map(({ startedAt }) => startedAt).sort()[0]!,
    impls: results.map(factsOf).sort((a, b) => a.id < b.id ? -1 : 1),
  };
}

function factsOf(result: Result): ChangeFactsOfImpl {
  const { impl, comparison, failure } = result;
  const levels = (comparison?.levels ?? []).map(({ connections }) => levelOf(result, connections))
    .sort((a, b) => a.connections - b.connections);
  return {
    id: impl.id,
    name: impl.name,
    class: impl.class,
    era: eraFactsOf(result),
    versions: versionsOf(result),
    levels,
    ...(levels.length > 0 ? {} : {
      missing: failure === undefined
        ? "it was not compared with the control"
        : `it failed at ${failure.stage}: ${failure.message}`,
    }),
  };
}

function levelOf(result: Result, connections: number): LevelFacts {
  const compared = comparedAt(result, connections);
  const level = { connections, isGeneratorBound: isGeneratorBound(result, connections) };
  if ("missing" in compared) return { ...level, logRatios: [], missing: compared.missing };
  const { goodput: ratio } = compared.value;
  return ratio === undefined
    ? { ...level, logRatios: [], missing: "an interval needs three rounds" }
    : { ...level, logRatios: logRatiosOf(compared.value), ratio };
}

function versionsOf(
  { impl, database, machine, provenance }: Result,
): ChangeFactsOfImpl["versions"] {
  const { runtime, framework, driver, jwt } = impl;
  const { oha } = provenance.tools;
  return {
    runtime,
    framework,
    driver,
    jwt,
    ...(database === undefined
      ? {}
      : { database: { name: database.engine, version: database.version } }),
    kernel: { name: "kernel", version: machine.kernel },
    ...(oha === undefined ? {} : { oha: { name: "oha", version: oha } }),
  };
}
