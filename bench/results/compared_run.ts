/**
 * What a run found when it compared implementations with the control: conditions, versions and log-ratios. In: its
 * results. Out: a fiftieth of them, so that a thousand runs fit in memory, to be compared with each other.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { comparedAt, logRatiosOf, type Qualifier, qualifierAt, ratioAt } from "./compared.ts";
import { type Known, valueOf } from "./known.ts";
import { isGeneratorBound, ownReasonsAt, whyFailed } from "./outcome.ts";
import { numberOf, replicatedOf } from "./replicas.ts";
import { type Versions, versionsOf } from "./versions.ts";
import { type Conditions, conditionsOf } from "./comparable.ts";
import type { Result } from "./result_schema.ts";
import type { RatioInterval } from "../statistics/mod.ts";

export interface ComparedRun {
  runId: string;
  startedAt: string;
  /** In alphabetical order of ids. */
  impls: ComparedImpl[];
}

export interface ComparedImpl {
  /** The run that it is from: an earlier one where it completes this one. */
  runId: string;
  id: string;
  name: string;
  class: Result["impl"]["class"];
  conditions: Conditions;
  versions: Versions;
  /** Those of the comparison with the control, in ascending order. */
  levels: ImplLevel[];
  /** Why there are none; present exactly where there are none. */
  missing?: string;
  /** The same on other machines, in the same run; absent where there are none. */
  replicas?: ComparedImpl[];
}

export interface ImplLevel {
  connections: number;
  /** Log-ratios of warm goodput to the control's, by round; none where the comparison is invalid. */
  logRatios: number[];
  ratio: Known<RatioInterval>;
  /** Of the ratio. */
  qualifier?: Qualifier;
  isGeneratorBound: boolean;
}

/**
 * Returns what a run found.
 *
 * @throws {RangeError} when it has no result.
 */
export function comparedRunOf(results: Result[]): ComparedRun {
  const [first] = results;
  if (first === undefined) throw new RangeError("comparedRunOf() needs at least one result");
  return {
    runId: first.runId,
    startedAt: results.map(({ startedAt }) => startedAt).sort()[0]!,
    impls: replicatedOf(results).map(({ first, others }) => {
      const all = [first, ...others];
      return {
        ...comparedImplOf(first, all),
        replicas: others.length === 0
          ? undefined
          : others.map((result) => comparedImplOf(result, all)),
      };
    }).sort((a, b) => a.id < b.id ? -1 : 1),
  };
}

/** Returns what a run found of one implementation on one of `all` its machines. */
function comparedImplOf(result: Result, all: readonly Result[]): ComparedImpl {
  const { impl, comparison } = result;
  const levels = (comparison?.levels ?? [])
    .map(({ connections }) => levelOf(result, connections, all))
    .sort((a, b) => a.connections - b.connections);
  return {
    runId: result.runId,
    id: impl.id,
    name: impl.name,
    class: impl.class,
    conditions: conditionsOf(result),
    versions: versionsOf(result),
    levels,
    missing: levels.length > 0
      ? undefined
      : whyFailed(result) ?? "was not compared with the control",
  };
}

/**
 * What speaks against an implementation on one machine, does so on all: else, a wrong answer that one of three machines caught
 * would cost nothing but a third of the rounds.
 */
function levelOf(result: Result, connections: number, all: readonly Result[]): ImplLevel {
  const invalid = all.find((other) => ownReasonsAt(other, connections).length > 0);
  if (invalid !== undefined && ownReasonsAt(result, connections).length === 0) {
    const { impl: { name } } = invalid;
    const reasons = ownReasonsAt(invalid, connections).join("; ");
    const where = `at ${formatInteger(connections)} connections on machine ${numberOf(invalid)}`;
    return {
      connections,
      isGeneratorBound: false,
      logRatios: [],
      ratio: { missing: `${name} is invalid ${where}: ${reasons}` },
    };
  }
  const compared = valueOf(comparedAt(result, connections));
  return {
    connections,
    isGeneratorBound: isGeneratorBound(result, connections),
    logRatios: compared?.goodput === undefined ? [] : logRatiosOf(compared),
    ratio: ratioAt(result, connections),
    qualifier: qualifierAt(result, connections),
  };
}
