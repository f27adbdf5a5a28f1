/**
 * The control by itself: how far its own rate spreads within a run, where nothing about it changes. In: the current run of each
 * scenario. Out: `data/control.json`. Each implementation is compared with fresh processes of the control, so a run has as many
 * rates of it as implementations.
 */
import { formatInteger } from "../lib/format_integer.ts";
import type { Result } from "../results/result_schema.ts";
import type { CurrentRun } from "./current_run.ts";
import { machinesOf } from "./run_summary.ts";
import { type Known, valueOf } from "../results/known.ts";
import { warmCpuAt, warmGoodputAt } from "../results/goodput.ts";
import { comparedAt, comparedLevels } from "../results/compared.ts";
import { median } from "../statistics/mod.ts";

/** The control's rates in a run. */
export interface ControlOfRun {
  scenario: string;
  runId: string;
  commit: string;
  /** The newest that was measured. */
  version: string;
  machine: string;
  /** In ascending order of connections. */
  levels: ControlLevel[];
}

/** Correct answers per second of warm processes of the control, beside one implementation after the other. */
export interface ControlLevel {
  connections: number;
  /** How many rates. */
  rates: number;
  lowest: number;
  median: number;
  highest: number;
  /** The highest over the lowest. */
  spread: number;
}

/** Returns the rates of the control in each run; rates of different machines do not compare, so such a run has none. */
export function deriveControl(current: readonly CurrentRun[]): ControlOfRun[] {
  return current.flatMap(({ api, results }) => {
    const machines = machinesOf(results);
    const version = results.find(({ control }) => control !== undefined)?.control?.version;
    if (version === undefined || machines.length !== 1) return [];
    const { scenario, id: runId, commit } = api;
    return [{ scenario, runId, commit, version, machine: machines[0]!, levels: levelsOf(results) }];
  });
}

function levelsOf(results: readonly Result[]): ControlLevel[] {
  const connections = [...new Set(results.flatMap(comparedLevels))].sort((a, b) => a - b);
  return connections.flatMap((connections) => {
    const rates = results.flatMap((result) =>
      valueOf(warmGoodputAt(result, connections, "reference"))?.estimate ?? []
    );
    if (rates.length < 2) return [];
    const [lowest, highest] = [Math.min(...rates), Math.max(...rates)];
    return [{
      ...{ connections, rates: rates.length, lowest, median: median(rates), highest },
      spread: highest / lowest,
    }];
  });
}

/** From how much on a spread is named: steps between rates are 15 % apart, intervals mostly narrower. */
const notableSpread = 1.1;

/**
 * Says how much the speed of a run's machine changed from one implementation to another, without capital and period, at
 * the level where it did most; undefined where the control's rates hardly differ, and of different machines.
 */
export function speedText(results: readonly Result[]): string | undefined {
  if (machinesOf(results).length !== 1) return undefined;
  const widest = levelsOf(results).toSorted((a, b) => b.spread - a.spread)[0];
  if (widest === undefined || widest.spread < notableSpread) return undefined;
  const [lowest, highest] = [widest.lowest, widest.highest].map((rate) =>
    formatInteger(Math.round(rate))
  );
  return `the machine’s speed changed: warm, at ${widest.connections} connections, the control gave ${lowest} answers/s beside one implementation and ${highest} beside another`;
}

/**
 * Returns what gives the warm CPU seconds per answer of each result, as if the machine had been equally fast for all: the
 * same work takes longer while something else uses the processor. Each is the ratio to the control's time in the same
 * rounds, multiplied by the control's median time over all results; the interval is that of the ratio.
 */
export function cpuAtEvenSpeed(
  results: readonly Result[],
  connections: number,
): (result: Result) => Known<{ estimate: number; low: number; high: number }> {
  const controls = results.flatMap((result) =>
    valueOf(warmCpuAt(result, connections, "reference"))?.estimate ?? []
  );
  return (result) => {
    const compared = comparedAt(result, connections);
    if ("missing" in compared) return compared;
    const ratio = compared.value.cpuPerAnswer;
    if (ratio === undefined || controls.length === 0) {
      return { missing: "its CPU time was not compared with the control’s" };
    }
    const seconds = median(controls);
    return {
      value: {
        estimate: seconds * ratio.estimate,
        low: seconds * ratio.low,
        high: seconds * ratio.high,
      },
    };
  };
}
