import { join } from "@std/path";
import { repositoryRoot } from "../lib/repository_root.ts";

/** The folders that a command works with. */
export interface Folders {
  root: string;
  impls: string;
  /** Runs of this machine, which git ignores. */
  localRuns: string;
  /** Runs that the site shows. */
  publishedRuns: string;
  /** Comparisons of this machine, which git ignores. */
  comparisons: string;
  /** Measurements of noise of this machine, which git ignores, and those that the site shows. */
  localNoise: string;
  publishedNoise: string;
}

/** Returns the folders of this checkout. */
export function foldersOf(): Folders {
  const root = repositoryRoot;
  return {
    root,
    impls: join(root, "impls"),
    localRuns: join(root, ".bench", "runs"),
    publishedRuns: join(root, "site", "data", "runs"),
    comparisons: join(root, ".bench", "comparisons"),
    localNoise: join(root, ".bench", "noise"),
    publishedNoise: join(root, "site", "data", "noise"),
  };
}
