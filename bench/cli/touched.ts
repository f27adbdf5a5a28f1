/**
 * Which implementations does a change touch? Takes its base commit; returns the ids to verify and measure, the
 * scenarios that each one lists in the base, too, and the jobs that measure them.
 */
import { join } from "@std/path";
import { parse as parseToml } from "@std/toml";
import { z } from "zod";
import { listImplIds } from "../impl/discover.ts";
import { BenchError } from "../lib/error.ts";
import { commitOf, git, gitPaths } from "../lib/git.ts";
import { isShared } from "../lib/shared_paths.ts";
import { implIdSchema } from "../results/environment_schema.ts";
import { type MatrixEntry, mostJobs } from "./matrix.ts";

/** An implementation that a change touches. */
export interface TouchedImpl {
  id: string;
  /** The scenarios in which it can be compared with the base. */
  scenariosInBase: string[];
}

/** What a job does with a change: measures it, measures its base after it, or compares both. */
export type Task = "measure" | "measure-both" | "compare";

/** One job that measures a change. */
export interface ChangeJob extends MatrixEntry {
  task: Task;
}

/**
 * Returns the jobs that measure a change: those that measure and those that compare with the base run at once, because
 * either takes minutes. Where the scenario has no comparison, one job measures both, on one machine.
 */
export function jobsOfChange(
  entries: readonly MatrixEntry[],
  touched: readonly TouchedImpl[],
  comparedScenarios: readonly string[],
): ChangeJob[] {
  return entries.flatMap((entry) => {
    const { impl, scenario } = entry;
    const isInBase = touched.some(({ id, scenariosInBase }) =>
      id === impl && scenariosInBase.includes(scenario)
    );
    const tasks: Task[] = !isInBase
      ? ["measure"]
      : comparedScenarios.includes(scenario)
      ? ["measure", "compare"]
      : ["measure-both"];
    return tasks.map((task) => ({ ...entry, task }));
  });
}

/** Returns as many of the jobs as GitHub allows in a matrix: without comparisons where there would be more. */
export function allowedJobs(jobs: readonly ChangeJob[]): readonly ChangeJob[] {
  return jobs.length <= mostJobs ? jobs : jobs.filter(({ task }) => task !== "compare");
}

/**
 * Returns those of `ids` that a change of `paths`, relative to the repository's root, touches, in the order of `ids`.
 * A removed implementation is not among them.
 */
export function touchedIds(paths: readonly string[], ids: readonly string[]): string[] {
  if (paths.some(isShared)) return [...ids];
  return ids.filter((id) => paths.some((path) => path.startsWith(`impls/${id}/`)));
}

/**
 * Returns the implementations that differ between HEAD of the checkout in `root` and where it left `base`; all of
 * them where that is the full id of a commit that the checkout lacks.
 *
 * @throws {BenchError} when git knows no base of that name, or a touched folder's name is none of an implementation.
 */
export async function findTouchedImpls(root: string, base: string): Promise<TouchedImpl[]> {
  const ids = await listImplIds(join(root, "impls"));
  const commit = await findCommit(root, base);
  const touched = commit === undefined
    ? ids
    : touchedIds(await pathsChangedSince(root, commit), ids);
  // They end up in a workflow's matrix.
  for (const id of touched) {
    const name = implIdSchema.safeParse(id);
    if (name.success) continue;
    throw new BenchError(
      `Cannot use "impls/${id}" as an implementation: its name is "${id}", ${
        name.error.issues[0]?.message
      }`,
    );
  }
  return await Promise.all(
    touched.map(async (id) => ({ id, scenariosInBase: await scenariosAt(root, commit, id) })),
  );
}

const manifestSchema = z.object({ scenarios: z.array(z.string()) });

/** Returns the scenarios of an implementation at a commit: none where that lacks it, or its manifest is another's. */
async function scenariosAt(root: string, commit: string | undefined, id: string) {
  if (commit === undefined) return [];
  const path = `impls/${id}/impl.toml`;
  if (await git(root, "ls-tree", "--name-only", commit, path) === "") return [];
  try {
    return manifestSchema.parse(parseToml(await git(root, "show", `${commit}:${path}`))).scenarios;
  } catch (error) {
    if (error instanceof BenchError) throw error;
    return [];
  }
}

/**
 * Returns the id of a commit; undefined for a full id that the checkout lacks. GitHub names, as what a branch was
 * before a push, zeros for one that is new, and after a forced push a commit that nothing leads to any more.
 */
async function findCommit(root: string, base: string): Promise<string | undefined> {
  try {
    return await commitOf(root, base);
  } catch (error) {
    if (error instanceof BenchError && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(base)) return undefined;
    throw error;
  }
}

/**
 * Returns the paths that differ, without new files for languages: whatever depends on one has changed, too. Without renames, both the old and the new place are named.
 */
async function pathsChangedSince(root: string, commit: string): Promise<string[]> {
  const changed = async (...args: string[]) =>
    await gitPaths(root, "diff", "--name-only", "--no-renames", "-z", `${commit}...HEAD`, ...args);
  const newLanguages = await changed("--diff-filter=A", "--", "bench/impl/ecosystems/");
  return (await changed()).filter((path) => !newLanguages.includes(path));
}
