/**
 * A run for other programs: its results and what is derived from them. In: all results of a run. Out:
 * `api/runs/<run-id>.json`, the source of the CSV and the other files.
 */
import type { DerivedImpl, DerivedRun } from "../ranking.ts";
import {
  type ApiBurst,
  type ApiDelivery,
  type ApiImpl,
  type ApiLevel,
  type ApiRun,
  apiVersion,
} from "./schema.ts";
import type { RunSummary } from "../run_summary.ts";
import { countedRounds, failuresOf, inOrder, missingBecause, peakOf } from "../../results/burst.ts";
import type { BurstStep } from "../../results/burst_schema.ts";
import { comparedLevels, ratioAt } from "../../results/compared.ts";
import {
  arrivalsOfAccepted,
  byRate,
  failedKinds,
  mayBeHigher,
  missesTheLowest,
  readLateSeconds,
  sustainedDeliveries,
} from "../../results/deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import { coldStartAt, warmGoodputAt } from "../../results/goodput.ts";
import { missingOf, valueOf } from "../../results/known.ts";
import { lastRepetition, levelAt, outcomeAt } from "../../results/outcome.ts";
import { isOverRuns, ratioOverRuns, ratioVarianceIn } from "../../results/over_runs.ts";
import { isHighestOffered, sweepProblem } from "../../results/rate_sweep.ts";
import { type Series, seriesOf } from "../../results/series.ts";
import type { ComparedRun } from "../../results/compared_run.ts";
import type { Result } from "../../results/result_schema.ts";
import { startsOf } from "../../results/startup.ts";
import { versionsOf } from "../../results/versions.ts";
import { median, type Variance } from "../../statistics/mod.ts";

/** What is known of a run besides its results. */
export interface KnownOfRun extends RunSummary, DerivedRun {
  /** The run and those before it, the newest first. */
  runs: readonly ComparedRun[];
}

/** Returns a run as published in the API. */
export function exportRun(results: Result[], known: KnownOfRun): ApiRun {
  const { id, startedAt, scenario, profile, machine, commit, reproduces, marks, levels, runs } =
    known;
  const pooledAt = new Map(
    levels.map(({ connections }) => [connections, ratioVarianceIn(runs, connections)]),
  );
  return {
    schemaVersion: apiVersion,
    id,
    startedAt,
    scenario,
    profile,
    machine,
    commit,
    reproduces,
    marks,
    impls: results.map((result) => exportImpl(result, { ...known, pooledAt }))
      .sort((a, b) => a.id < b.id ? -1 : 1),
    pairs: levels.flatMap(({ connections, pairs }) =>
      pairs.map(({ points: _, ratio: { runs: __, ...ratio }, ...pair }) => ({
        connections,
        ...pair,
        ratio,
      }))
    ),
  };
}

/** For each level, how far runs differ; see {@linkcode ratioVarianceIn}. */
type PooledAt = ReadonlyMap<number, Variance | undefined>;

function exportImpl(
  result: Result,
  { runs, pooledAt, ...derived }: KnownOfRun & { pooledAt: PooledAt },
): ApiImpl {
  const { impl, status, failure, machine, control, rateSweep, startup, deliveries } = result;
  const { id, name, language, class: implClass } = impl;
  const { runtime, framework, driver, jwt, client, database } = versionsOf(result);
  const series = seriesOf(id, runs);
  const planned = new Set([...result.plan.levels, ...comparedLevels(result)]);
  return {
    id,
    name,
    language,
    class: implClass,
    status,
    failure: failure && { stage: failure.stage, message: failure.message },
    command: result.provenance.command,
    runId: result.runId,
    machine: { cpuModel: machine.cpuModel, cpuCount: machine.cpuCount, idle: machine.idle },
    control: control?.version,
    runtime: runtime!,
    framework: framework!,
    driver,
    jwt,
    client,
    database,
    ...sustainableOf(result),
    sustainableRange: rateSweep?.range,
    startupSeconds: startup && median(startsOf(startup, "subject").seconds),
    startupRatio: startup?.ratio,
    levels: [...planned].sort((a, b) => a - b).map((connections) => {
      const ofLevel = derived.levels.find((level) => level.connections === connections);
      return exportLevel(result, connections, {
        derived: ofLevel?.impls.find((impl) => impl.id === id),
        series,
        pooled: pooledAt.get(connections),
      });
    }),
    bursts: result.bursts && inOrder(result.bursts.steps).map(exportBurst),
    deliveries: deliveries && byRate(deliveries.steps).map(exportDelivery),
  };
}

/** Returns the highest sustainable rate, of requests or of notifications, how to read it, or why there is none. */
function sustainableOf(
  { plan, rateSweep, deliveries }: Result,
): Pick<ApiImpl, "sustainablePerSecond" | "sustainableQualifier" | "sustainableMissing"> {
  const known = (sustainablePerSecond: number, isBound: boolean) => ({
    sustainablePerSecond,
    sustainableQualifier: isBound ? "at least" as const : undefined,
  });
  const none = "the lowest offered rate misses the objective";
  if (rateSweep !== undefined) {
    const { sustainablePerSecond, processes } = rateSweep;
    return sustainablePerSecond === undefined
      ? {
        sustainableMissing: sweepProblem(rateSweep) ??
          (processes.length === 1 ? none : `in most of ${processes.length} processes, ${none}`),
      }
      : known(sustainablePerSecond, isHighestOffered(rateSweep));
  }
  if (deliveries === undefined) return {};
  const { steps } = deliveries;
  const { sustainablePerSecond } = sustainedDeliveries(steps, plan.deliveries);
  if (sustainablePerSecond !== undefined) {
    return known(sustainablePerSecond, mayBeHigher({ steps, sustainablePerSecond }));
  }
  if (missesTheLowest(deliveries, plan.deliveries)) return { sustainableMissing: none };
  if (steps.length < (plan.deliveries?.steps.length ?? Infinity)) {
    return { sustainableMissing: "not every planned rate was measured" };
  }
  return {
    sustainableMissing: byRate(steps).find(({ problem }) => problem !== undefined)?.problem,
  };
}

function exportBurst(step: BurstStep): ApiBurst {
  const { users, delaySeconds, figures } = step;
  return {
    users,
    delaySeconds,
    missing: missingBecause(step),
    ...figures,
    rounds: countedRounds(step).length,
    failures: Object.fromEntries(failuresOf(step)),
    peakThreads: peakOf(step, ({ peakThreads }) => peakThreads),
    peakMemoryBytes: peakOf(step, ({ peakMemoryBytes }) => peakMemoryBytes),
    peakConnected: peakOf(step, ({ peakConnected }) => peakConnected),
    peakEstablished: peakOf(step, ({ peakEstablished }) => peakEstablished),
  };
}

function exportDelivery(step: DeliveryStep): ApiDelivery {
  const { users, ratePerSecond, problem } = step;
  const failures = Object.fromEntries(failedKinds(step));
  if (problem !== undefined) return { users, ratePerSecond, missing: problem, failures };
  const { acceptedPerSecond, arrivedPerSecond, acceptSeconds } = step;
  const { correct, delivered, lost, drainSeconds, peakThreads, peakMemoryBytes } = step;
  const { holds, disturbed, control } = step;
  return {
    users,
    ratePerSecond,
    accepted: correct,
    delivered,
    lost,
    acceptedPerSecond,
    arrivedPerSecond,
    acceptSeconds,
    drainSeconds,
    arrivalSeconds: arrivalsOfAccepted(step),
    holds,
    disturbed,
    control,
    failures,
    peakThreads,
    peakMemoryBytes,
    readLateSeconds: readLateSeconds(step),
  };
}

function exportLevel(
  result: Result,
  connections: number,
  { derived, series, pooled }: { derived?: DerivedImpl; series: Series; pooled?: Variance },
): ApiLevel {
  const level = levelAt(result, connections);
  const observation = level && lastRepetition(level).observation;
  const outcome = outcomeAt(result, connections);
  const { figures, observation: valid } = valueOf(outcome) ?? {};
  const ratio = ratioAt(result, connections);
  const overRuns = valueOf(ratioOverRuns(series, connections, pooled));
  return {
    connections,
    isGeneratorBound: derived?.isGeneratorBound,
    cold: {
      missing: missingOf(outcome),
      goodputPerSecond: figures?.goodputPerSecond,
      bottleneck: derived?.bottleneck,
      latencySeconds: figures?.latencySeconds,
      attempted: observation?.attempted,
      failed: observation && observation.attempted - observation.correct,
      cpuSecondsPerAnswer: valid?.resources?.subject.cpuSecondsPerAnswer,
      peakMemoryBytes: valid?.resources?.subject.peakMemoryBytes,
    },
    warm: {
      goodputPerSecond: valueOf(warmGoodputAt(result, connections)),
      controlGoodputPerSecond: valueOf(warmGoodputAt(result, connections, "reference")),
      ratio: valueOf(ratio),
      qualifier: derived?.qualifier,
      overRuns: overRuns && isOverRuns(overRuns) ? overRuns : undefined,
      ratioMissing: comparedLevels(result).includes(connections) ? missingOf(ratio) : undefined,
      tieGroups: derived?.groups ?? [],
    },
    coldStart: valueOf(coldStartAt(result, connections)),
  };
}
