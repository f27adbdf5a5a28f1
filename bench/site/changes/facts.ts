/**
 * What comparing two runs needs of each: the conditions and versions that each implementation was measured with, and
 * its log-ratios to the control. A fiftieth of the results, so that each of a thousand runs can be compared with the
 * one before.
 */
import { comparedAt, logRatiosOf, ratioAt } from "../../results/compared.ts";
import { missingOf, valueOf } from "../../results/known.ts";
import { isGeneratorBound, whyFailed } from "../../results/outcome.ts";
import { type Versions, versionsOf } from "../../results/versions.ts";
import { type Conditions, conditionsOf } from "../../results/comparable.ts";
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
  conditions: Conditions;
  versions: Versions;
  /** Those of the comparison with the control, in ascending order. */
  levels: LevelFacts[];
  /** Why there are none; present exactly where there are none. */
  missing?: string;
}

export interface LevelFacts {
  connections: number;
  /** Log-ratios of goodput to the control's, by round; none where they may not be used. */
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
  const { impl, comparison } = result;
  const levels = (comparison?.levels ?? []).map(({ connections }) => levelOf(result, connections))
    .sort((a, b) => a.connections - b.connections);
  return {
    id: impl.id,
    name: impl.name,
    class: impl.class,
    conditions: conditionsOf(result),
    versions: versionsOf(result),
    levels,
    missing: levels.length > 0
      ? undefined
      : whyFailed(result) ?? "it was not compared with the control",
  };
}

function levelOf(result: Result, connections: number): LevelFacts {
  const ratio = ratioAt(result, connections);
  const compared = valueOf(comparedAt(result, connections));
  return {
    connections,
    isGeneratorBound: isGeneratorBound(result, connections),
    logRatios: "value" in ratio && compared !== undefined ? logRatiosOf(compared) : [],
    ratio: valueOf(ratio),
    missing: missingOf(ratio),
  };
}
