import { join } from "@std/path";
import { repositoryRoot } from "./result.ts";

/** The folders that a command works with. */
export interface Folders {
  root: string;
  impls: string;
  /** Runs of this machine, which git ignores. */
  localRuns: string;
  /** Runs that the site shows. */
  publishedRuns: string;
}

/** Returns the folders of a checkout. */
export function foldersOf(root: string = repositoryRoot): Folders {
  return {
    root,
    impls: join(root, "impls"),
    localRuns: join(root, ".bench", "runs"),
    publishedRuns: join(root, "site", "data", "runs"),
  };
}
