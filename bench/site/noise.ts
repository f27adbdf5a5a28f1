/**
 * The published noise measurements: of each file, the noise of every figure, the plan beside those of today's runs, and
 * each comparison's ratio, without the rounds.
 */
import { type RatioInterval, verdict } from "../statistics/mod.ts";
import { join } from "@std/path";
import type { ComparisonPlan } from "../results/comparison_schema.ts";
import { BenchError } from "../lib/error.ts";
import { type NoiseFile, noiseFileSchema, type NoisePlan } from "../results/files_schema.ts";
import {
  describeBias,
  type NamedNoise,
  namedNoises,
  type PooledAlarms,
  poolFalseAlarms,
} from "../results/noise.ts";
import { machineOf } from "../results/comparable.ts";
import { fewRounds } from "../results/compared.ts";
import { makePlan } from "../results/plan.ts";
import { hasSlicesOfToday } from "../results/profiles.ts";
import type { Plan } from "../results/result_schema.ts";
import { listJsonFiles, readFileOf } from "../results/store.ts";
import { list, proseNames } from "../results/words.ts";
import type { FigureId } from "./answer/view.ts";

interface NamedPlan {
  name: string;
  plan: ComparisonPlan & Pick<Plan, "startupRuns">;
  /** How long a side is to run from its thaw to its next freeze, at most. */
  turnSeconds: number;
}

/** What the site shows of one measurement of noise: `data/noise.json`, the newest first. */
export interface DerivedNoise extends
  Pick<
    NoiseFile,
    "id" | "scenario" | "impl" | "startedAt" | "command" | "commit"
  > {
  /** The kind of machine, in words. */
  machine: string;
  /** Of the implementation, in sentences: as the file has it, else as runs do, else its id. */
  name: string;
  /** In the order in which people read them. */
  figures: NamedNoise[];
  /** Which of them are biased, as a sentence. */
  bias: string;
  /** The plan of these comparisons, and those that runs use today. */
  plans: NamedPlan[];
  /** Which of the figures would be measured in another way today, as a sentence; absent where none would. */
  otherToday?: string;
  /** How p99 at a rate was compared. */
  p99AtRate: NoisePlan["p99AtRate"];
  /** In the order of measuring. */
  comparisons: {
    connections: number;
    ratio?: RatioInterval;
    isFalseAlarm?: boolean;
    /** Why there is no ratio; present exactly there. */
    missing?: string;
  }[];
}

/**
 * Reads all noise measurements, the newest first; none if the folder is missing. `names` are those of implementations by id,
 * for files that do not say.
 *
 * @throws {BenchError} when a file is damaged.
 */
export async function readNoise(
  folder: string,
  names: ReadonlyMap<string, string>,
): Promise<DerivedNoise[]> {
  const files = await listJsonFiles(folder);
  const noises = await Promise.all(
    files.reverse().map(async (name) => {
      const path = join(folder, name);
      const file = await readFileOf(noiseFileSchema, path);
      if (`${file.id}.json` !== name) {
        throw new BenchError(
          `Cannot read "${path}": it holds measurement "${file.id}", expected "${
            name.replace(/\.json$/, "")
          }"`,
        );
      }
      const { id, scenario, impl, startedAt, command, commit, machine, plan } = file;
      const figures = namedNoises(file);
      const comparisons = file.comparisons.map(({ connections, goodput, problem }) => ({
        connections,
        ratio: goodput,
        isFalseAlarm: goodput && verdict(goodput) !== "tied",
        missing: goodput === undefined ? problem ?? fewRounds : undefined,
      }));
      return {
        id,
        scenario,
        impl,
        startedAt,
        command,
        commit,
        machine: machineOf(machine),
        figures,
        comparisons,
        name: file.program?.name ?? names.get(impl) ?? impl,
        bias: describeBias(figures),
        plans: [namedPlan("these comparisons", plan), ...plansOfToday()],
        otherToday: otherTodayText(figures),
        p99AtRate: plan.p99AtRate,
      };
    }),
  );
  const called = proseNames(noises.map(({ name }) => name));
  return noises.map((noise) => ({ ...noise, name: called.get(noise.name)! }));
}

function otherTodayText(figures: readonly NamedNoise[]): string | undefined {
  const others = figures.filter(({ isOfToday }) => !isOfToday).map(({ name }) => name);
  if (others.length === 0) return undefined;
  return others.length === figures.length
    ? "Comparisons have another plan today, so their noise may be different."
    : `Today, ${list(others)} is measured in another way, so its noise may be different.`;
}

/** False alarms over a scenario's published measurements with today's plan, or with all earlier ones: `data/false_alarms.json`. */
export interface FalseAlarms {
  scenario: string;
  /** Whether these figures would be measured in the same way today. */
  isOfToday: boolean;
  /** In the order in which people read them. */
  figures: (PooledAlarms & {
    /** Which programs were compared with themselves, in words. */
    programs: string;
  })[];
}

type AlarmingFigure = Parameters<typeof poolFalseAlarms>[0][number] & Pick<NamedNoise, "isOfToday">;

/**
 * Returns how often figures of a program differed from its own, over the published measurements of each scenario: first
 * over those that would be measured in the same way today, then over all earlier ones.
 */
export function falseAlarmsOf(
  noises: readonly (Pick<DerivedNoise, "scenario" | "name"> & {
    figures: readonly AlarmingFigure[];
  })[],
): FalseAlarms[] {
  return [...Map.groupBy(noises, ({ scenario }) => scenario)].flatMap(([scenario, ofScenario]) => {
    // Of some measurements, only the last figure is of an earlier plan.
    const order = ofScenario.flatMap(({ figures }) => figures.map(({ name }) => name));
    return [true, false].flatMap((isOfToday) => {
      const those = ofScenario.flatMap(({ name: program, figures }) =>
        figures.filter((figure) => figure.isOfToday === isOfToday)
          .map((figure) => ({ ...figure, program }))
      );
      if (those.length === 0) return [];
      const figures = poolFalseAlarms(those).map((pooled) => {
        const own = those.filter(({ name }) => name === pooled.name);
        return { ...pooled, programs: programsText(own.map(({ program }) => program)) };
      }).sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
      return [{ scenario, isOfToday, figures }];
    });
  });
}

function programsText(programs: readonly string[]): string {
  const names = [...new Set(programs)].sort();
  return `${list(names)} compared with ${names.length === 1 ? "itself" : "themselves"}`;
}

/** What a reader of an answer is told, by the figure that it is about; of others, no ratio is shown. */
const figureNames: Partial<Record<FigureId, string>> = {
  throughput: "warm goodput",
  cpu: "CPU per answer",
  startup: "startup",
};

/**
 * Returns how often a figure of a program differed from its own, in words, with the plans whose slices are those of a run;
 * undefined where nobody knows. Beside warm goodput, the worst figure is named: a reader who sees one alone takes it for all.
 */
export function falseAlarmsText(
  all: readonly FalseAlarms[],
  { scenario, figure, plan }: {
    scenario: string;
    figure: FigureId;
    plan: Pick<Plan, "comparison">;
  },
): string | undefined {
  if (plan.comparison === undefined) return undefined;
  const isOfToday = hasSlicesOfToday(plan.comparison);
  const pool = all.find((it) => it.scenario === scenario && it.isOfToday === isOfToday);
  const own = pool?.figures.find(({ name }) => name === figureNames[figure]);
  if (pool === undefined || own === undefined) return undefined;
  const worst = pool.figures.reduce((a, b) => shareOf(b) > shareOf(a) ? b : a);
  const others = worst.programs === own.programs ? "" : `, ${worst.programs}`;
  const alarms = own.count === 1 ? "alarm" : "alarms";
  return `${own.programs}: ${own.count} false ${alarms} in ${own.comparisons} (${own.name})` +
    (worst === own || figure !== "throughput"
      ? ""
      : `, at worst ${worst.count} in ${worst.comparisons} (${worst.name}${others})`) +
    (isOfToday ? "" : ", with earlier plans");
}

function shareOf({ count, comparisons }: PooledAlarms): number {
  return count / comparisons;
}

function namedPlan(name: string, plan: NamedPlan["plan"]): NamedPlan {
  const { sliceSeconds, joinsSlices } = plan;
  // In ABBA order, two slices of one side follow each other.
  return { name, plan, turnSeconds: joinsSlices ? 2 * sliceSeconds : sliceSeconds };
}

/** Returns how the profiles of runs compare implementations with the control. */
function plansOfToday(): NamedPlan[] {
  return (["quick", "full"] as const).flatMap((profile) => {
    const { comparison, startupRuns } = makePlan(profile, {}, 0);
    const name = `${profile} runs today`;
    return comparison === undefined ? [] : [namedPlan(name, { ...comparison, startupRuns })];
  });
}
