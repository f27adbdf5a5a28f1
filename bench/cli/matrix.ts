/**
 * The command `matrix`: one job for each implementation and scenario, with the toolchains that the runner's image
 * lacks, as `impl.toml` requires them.
 */
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { requiredEcosystems } from "../impl/ecosystems.ts";
import type { Impl } from "../impl/impl.ts";
import { BenchError } from "../lib/error.ts";

/** One job: an implementation, a scenario, and what CI sets up for them. */
export interface MatrixEntry {
  impl: string;
  scenario: string;
  /** Releases by toolchain: those that the runner's image lacks. */
  setup: Record<string, string>;
}

/** The machines that measure each entry of a matrix in one run. */
export interface Machines {
  /** How many of the usual kind. */
  replicas: number;
  /** The label of their runners. */
  runner: string;
  /** The label of one more, of another architecture; absent or empty where there is none. */
  armRunner?: string;
}

/** One job that measures for a run. */
export interface MeasuringEntry extends MatrixEntry {
  runId: string;
  /** From 1. */
  replica: number;
  runner: string;
}

/** The jobs that GitHub allows one matrix: https://docs.github.com/en/actions/reference/limits */
export const mostJobs = 256;

/** Returns how many of the replicas GitHub allows for so many entries, beside another machine if there is one. */
export function allowedReplicas(entries: number, { replicas, armRunner }: Machines): number {
  const most = Math.floor(mostJobs / entries) - (armRunner ? 1 : 0);
  return Math.max(1, Math.min(replicas, most));
}

/** Returns the jobs of runs: each entry on each machine. */
export function onMachines(
  entries: readonly MatrixEntry[],
  runIds: Readonly<Record<string, string>>,
  { replicas, runner, armRunner }: Machines,
): MeasuringEntry[] {
  const runners = Array.from({ length: replicas }, () => runner);
  if (armRunner) runners.push(armRunner);
  return entries.flatMap((entry) =>
    runners.map((runner, index) => ({
      ...entry,
      runId: runIds[entry.scenario]!,
      replica: index + 1,
      runner,
    }))
  );
}

/** The value of a job's `strategy.matrix`. */
export interface Matrix {
  include: MatrixEntry[];
}

/**
 * Returns the matrix of the named implementations below `folder`, or of all.
 *
 * @throws {BenchError} when one does not exist, or its `impl.toml` is invalid.
 */
export async function makeMatrix(folder: string, ids: string[]): Promise<Matrix> {
  const include: MatrixEntry[] = [];
  for (const id of ids.length === 0 ? await listImplIds(folder) : [...new Set(ids)].sort()) {
    include.push(...await entriesOf(await discoverImpl(folder, id)));
  }
  return { include };
}

async function entriesOf({ id, manifest }: Impl): Promise<MatrixEntry[]> {
  const { requires, scenarios } = manifest;
  const setup: Record<string, string> = {};
  for (const [name, { ciRelease }] of await requiredEcosystems(requires)) {
    if (ciRelease === undefined) continue;
    const release = ciRelease(requires[name]!);
    if (release === undefined) {
      throw new BenchError(
        `Cannot choose a release of ${name} for "${id}": requires.${name} is "${
          requires[name]
        }", expected a lowest release, like >=25`,
      );
    }
    setup[name] = release;
  }
  return scenarios.map((scenario) => ({ impl: id, scenario, setup }));
}
