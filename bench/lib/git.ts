import { sha256 } from "./digest.ts";
import { BenchError, messageOf } from "./error.ts";
import { outputOf } from "./output_of.ts";
import { sharedPaths } from "./shared_paths.ts";

/** Paths that affect results: with a change in one of them, the checkout is dirty. */
const decisive = [
  ...sharedPaths,
  "impls/",
  "justfile",
  ".gitignore",
  // What tools find that are started below: settings of cargo, Maven, npm and .NET, workspaces, releases of toolchains.
  ".cargo",
  ".mvn",
  ".npmrc",
  ".tool-versions",
  "Cargo.toml",
  "Directory.Build.props",
  "Directory.Build.targets",
  "Directory.Packages.props",
  "global.json",
  "go.work",
  "mise.toml",
  "NuGet.Config",
  "nuget.config",
  "package.json",
  "pyproject.toml",
  "rust-toolchain",
  "tsconfig.json",
  "uv.toml",
];

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
  return { commit, dirty: await differsFrom(root, commit) };
}

/** Tells whether files that affect results differ from a commit. New files count, unless the repository ignores them. */
export async function differsFrom(root: string, commit: string): Promise<boolean> {
  const changed = await git(root, "diff", "--name-only", commit, "--", ...decisive);
  return changed !== "" || (await untrackedIn(root, ...decisive)).length > 0;
}

/**
 * Returns the files below some paths that git does not track and no `.gitignore` of the repository names. What only
 * this user or this clone ignores is among them.
 */
export async function untrackedIn(root: string, ...paths: string[]): Promise<string[]> {
  const others = ["ls-files", "--others", "--exclude-per-directory=.gitignore", "-z"];
  return await gitPaths(root, ...others, "--", ...paths);
}

/**
 * Returns what identifies the sources of an implementation in a commit: the SHA-256 of what `git ls-tree -r` lists but
 * `impl.toml`, which has words for people, too. Undefined where the folder is not in the commit.
 */
export async function sourcesDigest(folder: string, commit: string): Promise<string | undefined> {
  const list = ["-c", "core.quotePath=true", "ls-tree", "-r", "--full-name"];
  const listed = await git(folder, ...list, commit, "./");
  if (listed === "") return undefined;
  const lines = listed.split("\n").filter((line) => !line.endsWith("/impl.toml"));
  return await sha256(lines.map((line) => `${line}\n`).join(""));
}

/**
 * Returns the id of the commit that a branch, tag or commit names.
 *
 * @throws {BenchError} when git knows none of that name, or cannot be asked.
 */
export async function commitOf(root: string, name: string): Promise<string> {
  try {
    return await git(root, "rev-parse", "--verify", "--end-of-options", `${name}^{commit}`);
  } catch (cause) {
    if (!messageOf(cause).includes("Needed a single revision")) throw cause;
    throw new BenchError(
      `Cannot find commit "${name}": git knows none of that name, expected a branch, tag or commit`,
      { help: "Fetch it first: git fetch origin", cause },
    );
  }
}

/**
 * Runs a command of git that ends each path with NUL (`-z`), because a path may hold any other character, and returns
 * the paths.
 *
 * @throws {BenchError} with what git says.
 */
export async function gitPaths(root: string, ...args: string[]): Promise<string[]> {
  return (await run(root, args)).split("\0").filter((path) => path !== "");
}

/**
 * Runs git in `root` and returns what it prints, without space at either end.
 *
 * @throws {BenchError} with what git says.
 */
export async function git(root: string, ...args: string[]): Promise<string> {
  return (await run(root, args)).trim();
}

async function run(root: string, args: string[]): Promise<string> {
  // What git says is recognised below, so it is said in English.
  const options = { env: { LC_ALL: "C" } };
  const { success, stdout, stderr } = await outputOf(["git", "-C", root, ...args], options)
    .catch((cause) => {
      const help = "Install git: every result names the commit that it was measured at.";
      throw new BenchError("Cannot run git: it is not on PATH", { help, cause });
    });
  if (success) return stdout;
  throw new BenchError(`Cannot run "git ${args.join(" ")}" in "${root}": ${stderr.trim()}`, {
    help: stderr.includes("not a git repository")
      ? "Clone the repository with git: every result names the commit that it was measured at."
      : undefined,
  });
}
