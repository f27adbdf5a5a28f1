/**
 * Figures: which numbers of a result are followed from run to run? Each has the same name in every run; absent,
 * invalid and generator-bound ones are omitted.
 */
import { sumOf } from "../lib/sum.ts";
import { ratioAt } from "../results/compared.ts";
import { valueOf } from "../results/known.ts";
import { mostRuns } from "../results/series.ts";
import { comparableKeyOf, conditionsOf } from "../results/comparable.ts";
import { isGeneratorBound, outcomeOf } from "../results/outcome.ts";
import { offeredRates, ratesOf, sweepProblem } from "../results/rate_sweep.ts";
import { replicatedOf } from "../results/replicas.ts";
import type { Level, Result } from "../results/result_schema.ts";
import type { RateSweep, Startup } from "../results/protocols_schema.ts";
import {
  longRunRatio,
  meanOfMachines,
  median,
  type RatioInterval,
  type RunRatio,
} from "../statistics/mod.ts";
import type { Direction, Figure, Measured } from "./figure.ts";
import { burstFigures, deliveryFigures } from "./step_figures.ts";

/** An implementation in one scenario. */
export interface ImplInScenario {
  scenario: string;
  implId: string;
}

/** The followed part of a result; the rest need not be kept in memory. */
export interface Followed extends ImplInScenario {
  runId: string;
  startedAt: string;
  /** The measured commit. */
  commit: string;
  /** The processor's model. */
  cpuModel: string;
  /** Equal for comparable results: see {@linkcode comparableKeyOf}. */
  comparableKey?: string;
  figures: Figure[];
  /** The same in this run on other kinds of machine. */
  others?: Followed[];
}

/** Tells whether two are of one implementation in one scenario. */
export function isSame(a: ImplInScenario, b: ImplInScenario): boolean {
  return a.implId === b.implId && a.scenario === b.scenario;
}

/** How many earlier runs a baseline is of. */
export const historyLength = mostRuns;

/**
 * Returns what is followed of the results of a run, for each implementation and kind of machine. The first of an
 * implementation is of the kind that most of its machines have: that one is judged, and all are history.
 */
export function followAll(results: readonly Result[]): Followed[][] {
  return replicatedOf(results).map(({ first, others }) => {
    const keyOf = (result: Result) => comparableKeyOf(conditionsOf(result)) ?? "";
    return [...Map.groupBy([first, ...others], keyOf).values()].map(follow);
  });
}

/** Returns what is followed of results of one implementation in one run, on machines of one kind. */
export function follow(results: readonly Result[]): Followed {
  const [result] = results as [Result];
  const { runId, scenario, startedAt, impl, provenance, machine } = result;
  const figures = Map.groupBy(results.flatMap(figuresOf), ({ name }) => name);
  return {
    runId,
    scenario,
    implId: impl.id,
    startedAt,
    commit: provenance.commit,
    cpuModel: machine.cpuModel,
    comparableKey: comparableKeyOf(conditionsOf(result)),
    figures: [...figures.values()].map(poolFigures),
  };
}

/** Returns one figure of several machines: the geometric mean of ratios with their interval over machines, else the median. */
export function poolFigures(figures: readonly Figure[]): Figure {
  const [first] = figures as [Figure];
  if (figures.length === 1) return first;
  const machines = figures.map(({ value, interval }) => ({ value, interval }));
  const longRun = longRunRatio(figures.flatMap((figure) => machineRatiosOf(figure)));
  if (longRun === undefined || longRun.runs < figures.length) {
    const { interval: _, ...rest } = first;
    return { ...rest, value: median(figures.map(({ value }) => value)), machines };
  }
  const { estimate, low, high } = longRun;
  const rounds = sumOf(figures, ({ interval }) => interval!.rounds);
  const interval = { low, high, confidence: 0.95, rounds };
  return { ...first, value: estimate, interval, machines };
}

/** Returns the figures of a result; none of one that is not complete. */
export function figuresOf(result: Result): Figure[] {
  const { status, plan, levels, comparison, rateSweep, startup, bursts, deliveries } = result;
  if (status !== "complete") return [];
  return [
    ...(comparison?.levels ?? []).flatMap(({ connections }) => ratioFigure(result, connections)),
    ...(rateSweep === undefined ? [] : rateSweepFigures(rateSweep)),
    ...levels.filter(({ connections }) => !isGeneratorBound(result, connections))
      .flatMap(levelFigures),
    ...(startup === undefined ? [] : startupFigures(startup)),
    ...(bursts === undefined ? [] : burstFigures(bursts)),
    ...(deliveries === undefined ? [] : deliveryFigures(deliveries, plan.deliveries)),
  ]
    // A time too short to be read is counted as 0: the smaller the better, but that is not known.
    .filter(({ value, direction }) => value > 0 || direction === "bigger");
}

function ratioFigure(result: Result, connections: number): Figure[] {
  const ratio = ratioAt(result, connections);
  if ("missing" in ratio || isGeneratorBound(result, connections)) return [];
  return [ratioFigureOf(`warm goodput at ${connections} connections`, "bigger", ratio.value)];
}

function rateSweepFigures(rateSweep: RateSweep): Figure[] {
  const { plan, sustainablePerSecond } = rateSweep;
  const sustainable: Figure[] = sweepProblem(rateSweep) !== undefined ? [] : [{
    name: "highest sustainable rate",
    direction: "bigger",
    // None is sustainable: followed as 0, or the worst that can become of it would be silent.
    value: sustainablePerSecond ?? 0,
    unit: "requests/s",
    steps: offeredRates(plan),
  }];
  const after = plan.settleSeconds === undefined ? "" : `, after ${plan.settleSeconds} s`;
  const latencies = ratesOf(rateSweep)
    // Which rates are offered between those of the plan differs from run to run. Beyond the sustainable rate, latency
    // grows for as long as the load lasts.
    .filter(({ ratePerSecond, processes, met }) =>
      plan.ratesPerSecond.includes(ratePerSecond) && processes === plan.processes &&
      met === processes
    )
    .flatMap(({ ratePerSecond, latencySeconds }): Figure[] =>
      latencySeconds === undefined ? [] : [{
        name: `p99 at ${ratePerSecond} requests/s${after}`,
        direction: "smaller",
        value: latencySeconds.p99 * 1e3,
        unit: "ms",
      }]
    );
  return [...sustainable, ...latencies];
}

function levelFigures(level: Level): Figure[] {
  const subject = valueOf(outcomeOf(level))?.observation.resources?.subject;
  if (subject === undefined) return [];
  const at = `in the cold load at ${level.connections} connections`;
  return [
    ...(subject.cpuSecondsPerAnswer === undefined ? [] : [{
      name: `CPU time per answer ${at}`,
      direction: "smaller" as const,
      value: subject.cpuSecondsPerAnswer * 1e6,
      unit: "us",
    }]),
    {
      name: `peak memory ${at}`,
      direction: "smaller",
      value: subject.peakMemoryBytes / 1024 ** 2,
      unit: "MiB",
    },
  ];
}

function startupFigures({ ratio }: Startup): Figure[] {
  return ratio === undefined ? [] : [ratioFigureOf("startup", "smaller", ratio)];
}

function ratioFigureOf(name: string, direction: Direction, ratio: RatioInterval): Figure {
  const { estimate, low, high, confidence, rounds } = ratio;
  const interval = { low, high, confidence, rounds };
  return { name, direction, value: estimate, unit: "times the control", interval };
}

/**
 * Returns, for each figure of a result that was measured before, those of the last earlier runs of the same comparable
 * key that have it: 20 at most, the oldest first.
 */
export function earlierFigures(
  now: Followed,
  history: readonly Followed[],
): Map<string, Earlier[]> {
  const found = new Map<string, Earlier[]>();
  const names = new Set(now.figures.map(({ name }) => name));
  for (const { runId, figures } of earlierOf(now, history)) {
    for (const figure of figures.filter(({ name }) => names.has(name))) {
      const { name } = figure;
      found.set(name, [...found.get(name) ?? [], { ...figure, runId }].slice(-historyLength));
    }
  }
  return found;
}

/** What a baseline is made of: earlier figures of one name. */
export interface Earlier extends Pick<Figure, "value" | "interval" | "machines"> {
  /** The run, in which other kinds of machine may have measured, too; absent where none has. */
  runId?: string;
}

/** What a figure is compared with. */
export interface Baseline {
  value: number;
  /** The 95 % confidence interval of a long-run ratio, over the runs. */
  interval?: { low: number; high: number };
  runs: number;
  /** How many machines measured in them; absent where it was one in each. */
  machines?: number;
}

/**
 * Returns the baseline of earlier figures, of which there is at least one: their median; of ratios, which have an interval
 * in every run, the long-run ratio.
 */
export function baselineOf(earlier: readonly Earlier[]): Baseline {
  const longRun = longRunRatio(earlier.flatMap((figure) => {
    const ofMachines = machineRatiosOf(figure);
    return ofMachines.length === 0 ? [] : [meanOfMachines(ofMachines)];
  }));
  const machines = earlier.flatMap(measuredOf).length;
  return longRun === undefined || longRun.runs < earlier.length
    ? { value: median(earlier.map(({ value }) => value)), runs: earlier.length }
    : {
      value: longRun.estimate,
      interval: { low: longRun.low, high: longRun.high },
      runs: earlier.length,
      machines: machines === earlier.length ? undefined : machines,
    };
}

/** Returns what each machine found. */
function measuredOf({ machines, ...only }: Earlier): readonly Measured[] {
  return machines ?? [only];
}

/** Returns what each machine found of a figure that is a ratio with an interval; all are of one kind of machine. */
export function machineRatiosOf(figure: Earlier, processor = ""): RunRatio[] {
  return measuredOf(figure).flatMap(({ value, interval }) =>
    interval === undefined ? [] : [{ ratio: { estimate: value, ...interval }, processor }]
  );
}

/**
 * Returns the earlier results comparable with one, of its implementation and scenario, the oldest first; none where it has
 * no key.
 */
export function earlierOf(now: Followed, history: readonly Followed[]): Followed[] {
  if (now.comparableKey === undefined) return [];
  return history
    // A run's id begins with its start.
    .filter((earlier) =>
      earlier.runId < now.runId && earlier.comparableKey === now.comparableKey &&
      isSame(earlier, now)
    )
    .sort((a, b) => a.runId < b.runId ? -1 : 1);
}
