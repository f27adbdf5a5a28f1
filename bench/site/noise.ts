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
import { makePlan } from "../results/plan.ts";
import { profileOfNoise } from "../results/profiles.ts";
import type { Plan } from "../results/result_schema.ts";
import { listJsonFiles, readFileOf } from "../results/store.ts";
import { list, proseNames } from "../results/words.ts";

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
  /** Whether noise measured today would have the same plan, in one of the profiles. */
  isPlanOfToday: boolean;
  /** How p99 at a rate was compared; absent where it was not. */
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
        missing: goodput === undefined ? problem ?? "an interval needs three rounds" : undefined,
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
        isPlanOfToday: profileOfNoise(plan) !== undefined,
        p99AtRate: plan.p99AtRate,
      };
    }),
  );
  const called = proseNames(noises.map(({ name }) => name));
  return noises.map((noise) => ({ ...noise, name: called.get(noise.name)! }));
}

/** False alarms over a scenario's published measurements with today's plan, or with all earlier ones: `data/false_alarms.json`. */
export interface FalseAlarms {
  scenario: string;
  /** As in {@linkcode DerivedNoise}. */
  isPlanOfToday: boolean;
  /** The programs, how often their warm goodput differed from itself, and the figure with the highest share, in words. */
  text: string;
  /** In the order in which people read them. */
  figures: PooledAlarms[];
}

/**
 * Returns how often figures of a program differed from its own, over the published measurements of each scenario: first
 * over those with today's plan, then over all earlier ones.
 */
export function falseAlarmsOf(
  noises: readonly (Pick<DerivedNoise, "scenario" | "name" | "isPlanOfToday"> & {
    figures: Parameters<typeof poolFalseAlarms>[0];
  })[],
): FalseAlarms[] {
  return [...Map.groupBy(noises, ({ scenario }) => scenario)].flatMap(([scenario, ofScenario]) =>
    [true, false].flatMap((isPlanOfToday) => {
      const those = ofScenario.filter((noise) => noise.isPlanOfToday === isPlanOfToday);
      if (those.length === 0) return [];
      const figures = poolFalseAlarms(those.flatMap(({ figures }) => figures));
      const text = alarmText(those.map(({ name }) => name), figures) +
        (isPlanOfToday ? "" : ", with earlier plans");
      return [{ scenario, isPlanOfToday, text, figures }];
    })
  );
}

/** Warm goodput comes first. The worst figure is named, too: a reader who sees one alone takes it for all. */
function alarmText(all: string[], figures: PooledAlarms[]): string {
  const names = [...new Set(all)].sort();
  const [first] = figures;
  const worst = figures.reduce((a, b) => shareOf(b) > shareOf(a) ? b : a);
  const { count, comparisons, name } = first!;
  const alarms = count === 1 ? "alarm" : "alarms";
  return `${list(names)} compared with ${names.length === 1 ? "itself" : "themselves"}: ` +
    `${count} false ${alarms} in ${comparisons} (${name})` +
    (worst === first ? "" : `, at worst ${worst.count} in ${worst.comparisons} (${worst.name})`);
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
