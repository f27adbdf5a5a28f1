/**
 * What a workflow measures: one job for each implementation and scenario, with the toolchains that the runner's image
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

/** @throws {BenchError} when GitHub does not allow a matrix so many jobs; `each` says what there is one for. */
export function requireAllowed(jobs: number, each = "implementation and scenario"): void {
  if (jobs <= mostJobs) return;
  throw new BenchError(
    `Cannot list the jobs: there are ${jobs}, one for each ${each}, expected ${mostJobs} at most, ` +
      "which is GitHub's limit for a matrix",
    {
      help: "Run the workflow Bench by hand, for some of the implementations at a time. " +
        "In a pull request, change fewer of them.",
    },
  );
}

/**
 * Returns the machines that GitHub allows for so many entries: fewer replicas where there would be too many jobs.
 *
 * @throws {BenchError} when one machine of each kind is too much already.
 */
export function allowedMachines(entries: number, machines: Machines): Machines {
  const others = machines.armRunner ? 1 : 0;
  requireAllowed(entries);
  requireAllowed(entries * (1 + others), "implementation, scenario and runner");
  const most = Math.floor(mostJobs / entries) - others;
  return { ...machines, replicas: Math.min(machines.replicas, most) };
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

/**
 * Returns the entries of the named implementations below `folder`, or of all.
 *
 * @throws {BenchError} when one does not exist, or its `impl.toml` is invalid.
 */
export async function makeMatrix(folder: string, ids: string[]): Promise<MatrixEntry[]> {
  const entries: MatrixEntry[] = [];
  for (const id of ids.length === 0 ? await listImplIds(folder) : [...new Set(ids)].sort()) {
    entries.push(...await entriesOf(await discoverImpl(folder, id)));
  }
  return entries;
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
