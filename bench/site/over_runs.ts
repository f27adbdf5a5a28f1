/**
 * How far ratios to the control differ from run to run, and from processor to processor: what published runs tell of
 * both. In: what they found, the newest first. Out: `data/over_runs.json`.
 */
import type { ComparedRun } from "../results/compared_run.ts";
import { machineOf } from "../results/comparable.ts";
import { betweenProcessorsIn, longRunOf, ratioVarianceIn } from "../results/over_runs.ts";
import { qualifiersIn, seriesOf } from "../results/series.ts";
import type { BetweenProcessors, LongRunRatio } from "../statistics/mod.ts";

/** A scenario at a level. */
export interface OverRuns {
  scenario: string;
  connections: number;
  /** Absent where fewer than three implementations were measured on two processors. */
  between?: BetweenProcessors;
  /** Those with two comparable runs or more. */
  impls: OverRunsOfImpl[];
}

/** The long-run ratio of an implementation on one kind of machine. */
export interface OverRunsOfImpl extends LongRunRatio {
  name: string;
  machine: string;
  /** How to read it where the load generator limited it or the control in any of these runs; empty where in none. */
  qualifier: string;
}

/** Returns what runs tell, for each scenario and level of its newest run with comparisons. */
export function deriveOverRuns(
  runs: readonly ComparedRun[],
  scenarios: readonly string[],
): OverRuns[] {
  return scenarios.flatMap((scenario) => {
    const known = runs.filter(({ impls }) => impls[0]?.conditions.scenario === scenario);
    const newest = known.findIndex(({ impls }) => impls.some(({ levels }) => levels.length > 0));
    const levels = known[newest]?.impls.flatMap((impl) => impl.levels) ?? [];
    const connections = [...new Set(levels.map((level) => level.connections))].sort((a, b) =>
      a - b
    );
    return connections.map((connections) => overRunsAt(known.slice(newest), scenario, connections));
  });
}

function overRunsAt(
  runs: readonly ComparedRun[],
  scenario: string,
  connections: number,
): OverRuns {
  const names = new Map(
    runs.toReversed().flatMap(({ impls }) => impls.map(({ id, name }) => [id, name])),
  );
  const pooled = ratioVarianceIn(runs, connections);
  return {
    scenario,
    connections,
    between: betweenProcessorsIn(runs, connections),
    impls: [...names].sort().flatMap(([id, name]) => {
      const series = seriesOf(id, runs);
      const ratio = longRunOf(series, connections, pooled);
      if (ratio === undefined) return [];
      const qualifier = qualifiersIn(series, connections).join(" or ");
      return [{ name, machine: machineOf(series[0]!.conditions), qualifier, ...ratio }];
    }),
  };
}
