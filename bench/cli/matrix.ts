/**
 * The command `matrix`: each implementation in each of its scenarios, as what GitHub makes one job each of, with the
 * toolchains that a runner has to be given. An implementation's `impl.toml` alone says what it requires.
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

/** What stands under `strategy.matrix` of a job. */
export interface Matrix {
  include: MatrixEntry[];
}

/**
 * Returns the matrix of the implementations below `folder`: those that are named, or all.
 *
 * @throws {BenchError} when one does not exist, or its `impl.toml` is not right.
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
