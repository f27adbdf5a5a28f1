import { BenchError } from "./error.ts";
import { sharedPaths } from "./shared_paths.ts";

/** Paths that affect results, if only by what a compiler finds above an implementation: a change makes the checkout dirty. */
const decisive = [...sharedPaths, "impls/", "justfile", ".cargo/", ".mvn/", "go.work"];

/** The state of the checkout. */
export interface Checkout {
  commit: string;
  /** Files that affect results differ from the commit. */
  dirty: boolean;
}

/**
 * Reads the checkout's commit.
 *
 * @throws {BenchError} when `root` is not a git checkout with a commit.
 */
export async function readCheckout(root: string): Promise<Checkout> {
  const commit = await git(root, "rev-parse", "HEAD");
  // Neither this user's list of ignored files nor a setting that hides new ones makes a checkout clean.
  const status = ["-c", "core.excludesFile=/dev/null", "status", "--porcelain"];
  const changes = await git(root, ...status, "--untracked-files=all", "--", ...decisive);
  return { commit, dirty: changes !== "" };
}

/** Tells whether the checkout has another commit, or has become dirty, since it was read. */
export async function isChanged(root: string, { commit, dirty }: Checkout): Promise<boolean> {
  const now = await readCheckout(root);
  return now.commit !== commit || (now.dirty && !dirty);
}

/** Returns the id of the tree that a folder has in the commit that is checked out; undefined where it has none. */
export async function treeOf(folder: string): Promise<string | undefined> {
  try {
    return await git(folder, "rev-parse", "--verify", "HEAD:./");
  } catch (error) {
    if (error instanceof BenchError) return undefined;
    throw error;
  }
}

/**
 * Runs a command of git that ends each path with NUL (`-z`), because a path may hold any other character, and returns
 * the paths.
 *
 * @throws {BenchError} with what git says.
 */
export async function gitPaths(root: string, ...args: string[]): Promise<string[]> {
  return (await git(root, ...args)).split("\0").filter((path) => path !== "");
}

/**
 * Runs git in `root` and returns what it prints.
 *
 * @throws {BenchError} with what git says.
 */
export async function git(root: string, ...args: string[]): Promise<string> {
  let output: Deno.CommandOutput;
  try {
    output = await new Deno.Command("git", { args: ["-C", root, ...args] }).output();
  } catch (cause) {
    throw new BenchError("Cannot run git: it is not on PATH", {
      help: "Install git: every result names the commit that it was measured at.",
      cause,
    });
  }
  const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  if (!output.success) {
    throw new BenchError(
      `Cannot run "git ${args.join(" ")}" in "${root}": ${decode(output.stderr)}`,
      {
        help:
          "Clone the repository with git: every result names the commit that it was measured at.",
      },
    );
  }
  return decode(output.stdout);
}
