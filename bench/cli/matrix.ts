/**
 * The command `matrix`: the implementations, as what GitHub makes one job each of, with the toolchains
 * that a runner has to be given. An implementation's `impl.toml` is the only place that says what it requires.
 */
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { type Impl } from "../impl/impl.ts";
import { BenchError } from "../lib/error.ts";

/** One job: the implementation, and the Java release to set up for it, where it requires one. */
export interface MatrixEntry {
  impl: string;
  /** The major release, as `actions/setup-java` takes it. */
  java?: string;
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
    include.push(entryOf(await discoverImpl(folder, id)));
  }
  return { include };
}

function entryOf({ id, manifest }: Impl): MatrixEntry {
  const { java } = manifest.requires;
  return java === undefined ? { impl: id } : { impl: id, java: lowestMajor(java, id) };
}

/** The lowest release of a range is the one that the implementation is written for. */
function lowestMajor(range: string, id: string): string {
  const lowest = /^(?:>=|\^|~|=)?\s*(\d+)/.exec(range)?.[1];
  if (lowest !== undefined) return lowest;
  throw new BenchError(
    `Cannot choose a Java release for "${id}": requires.java is "${range}", expected a lowest release, like >=25`,
  );
}
