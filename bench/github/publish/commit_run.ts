/**
 * Commit: publishes measured results as runs, one per scenario. Takes a folder of artifacts and a checkout; adds the
 * valid files to the default branch in one commit, or adds nothing. The commit is created beside the checkout, and
 * recreated when the branch moves; at the end, the checkout follows. Published runs never change.
 */
import { delay } from "@std/async";
import { join } from "@std/path";
import { BenchError } from "../../lib/error.ts";
import type { Report } from "../../lib/report.ts";
import type { Result } from "../../results/result_schema.ts";
import { fileNameOf } from "../../results/store.ts";
import { type ArtifactResult, type ArtifactsWanted, readArtifacts } from "../result_artifacts.ts";
import { type GitOptions, runGit } from "../git.ts";
import type { RunIds } from "../run_ids.ts";

/** Where published runs are, from the root of a checkout. */
const publishedRuns = "site/data/runs";

/** As many publishers at once as there are, each of them loses to all others first. */
const pushes = 15;

/** Options for {@linkcode commitRun}. */
export interface CommitRunOptions extends Pick<ArtifactsWanted, "commit" | "plans"> {
  /** Holds a folder for each artifact, with result files in it, at any depth. */
  artifactsFolder: string;
  /** A checkout with the branch of the remote `origin`, and no commit beside it. */
  root: string;
  /** The branch to publish on. */
  branch: string;
  /** How many attempts the workflow's run has had; 1 by default. */
  attempts?: number;
  /** The longest pause after the first rejected push, in milliseconds; each later one may be as much longer. */
  pauseMs?: number;
  report: Report;
  signal: AbortSignal;
}

/** What {@linkcode commitRun} has published, or found published. */
export interface CommittedRun {
  /** The tip of the branch that has the runs. */
  commit: string;
  /** False where the same runs were there already. */
  isNew: boolean;
  results: Result[];
  /** The run of each scenario to be compared with those before. */
  runIds: RunIds;
  /** What was left out: a sentence for each file, artifact or run. */
  damaged: string[];
}

/**
 * Publishes the results of runs.
 *
 * @throws {BenchError} when no file is good, when another run of one of the ids is published, or when the branch
 * cannot be pushed.
 */
export async function commitRun(runIds: RunIds, options: CommitRunOptions): Promise<CommittedRun> {
  const { artifactsFolder, attempts = 1, commit: measured, plans, report } = options;
  const wanted = { runIds, attempts, kind: "result", commit: measured, plans } as const;
  const { results, damaged } = await readArtifacts(artifactsFolder, wanted);
  for (const problem of damaged) report.line(problem);
  if (results.length === 0) {
    throw new BenchError(
      `Cannot publish a run: no result in "${artifactsFolder}" is good, expected one`,
      { help: damaged.join("\n") || undefined },
    );
  }
  const { commit, added, conflicts } = await publish(results, options);
  for (const problem of conflicts.values()) report.line(problem);
  const published = results.map(({ result }) => result)
    .filter(({ runId }) => !conflicts.has(runId));
  return {
    commit,
    damaged: [...damaged, ...conflicts.values()],
    results: published,
    isNew: added.size > 0,
    runIds: followedRuns(published, added),
  };
}

/**
 * Returns the run of each scenario to be compared with those before: where several attempts left results, the one with
 * the most among those that are new, and of equals the last.
 */
function followedRuns(results: readonly Result[], added: ReadonlySet<string>): RunIds {
  const chosen: Record<string, string> = {};
  for (const [scenario, all] of Map.groupBy(results, (result) => result.scenario)) {
    const news = all.filter(({ runId }) => added.has(runId));
    const runs = [...Map.groupBy(news.length > 0 ? news : all, ({ runId }) => runId)];
    runs.sort(([a, ofA], [b, ofB]) => ofA.length - ofB.length || (a < b ? -1 : 1));
    chosen[scenario] = runs.at(-1)![0];
  }
  return chosen;
}

/**
 * Pushes a commit with these files, and brings the checkout to it. A run that is published already with other files stays
 * as it is; what is wrong with it is returned by its id.
 *
 * @throws {BenchError} when every run is such a one.
 */
async function publish(
  results: readonly ArtifactResult[],
  { root, branch, pauseMs = 500, report, signal }: CommitRunOptions,
): Promise<{ commit: string; added: ReadonlySet<string>; conflicts: ReadonlyMap<string, string> }> {
  const git = (args: string[], rest: Omit<GitOptions, "signal"> = {}) =>
    runGit(root, args, { ...rest, signal });
  const runs = new Map<string, Map<string, string>>();
  for (const { result, text } of results) {
    const { runId } = result;
    const blob = await git(["hash-object", "-w", "--stdin"], { input: text });
    const blobs = runs.get(runId) ?? new Map<string, string>();
    runs.set(runId, blobs.set(`${publishedRuns}/${runId}/${fileNameOf(result)}`, blob));
  }
  for (let attempt = 1;; attempt++) {
    await git(["fetch", "--quiet", "origin", `refs/heads/${branch}`]);
    const tip = await git(["rev-parse", "FETCH_HEAD"]);
    // Checked before publishing, because a checkout with its own commits cannot follow.
    await git(["merge", "--quiet", "--ff-only", tip]);
    const added = new Map(runs);
    const conflicts = new Map<string, string>();
    for (const [runId, blobs] of runs) {
      const published = await readBlobs(git, tip, runId);
      if (published.size === 0) continue;
      added.delete(runId);
      const conflict = conflictOf(runId, published, blobs);
      if (conflict !== undefined) conflicts.set(runId, conflict);
    }
    if (conflicts.size === runs.size) {
      throw new BenchError([...conflicts.values()].join("\n"), {
        help: "Published runs never change. Measure again to publish a new run.",
      });
    }
    if (added.size === 0) return { commit: tip, added: new Set(), conflicts };
    const commit = await commitOn(git, tip, added);
    try {
      await git(["push", "--porcelain", "origin", `${commit}:refs/heads/${branch}`]);
    } catch (error) {
      if (attempt === pushes || !hasMoved(error)) throw error;
      report.line(`The branch "${branch}" has moved: publishing on top of it`);
      // Random, so that publishers do not stay in step.
      await delay(Math.random() * pauseMs * attempt, { signal });
      continue;
    }
    await git(["merge", "--quiet", "--ff-only", commit]);
    return { commit, added: new Set(added.keys()), conflicts };
  }
}

type Git = (args: string[], rest?: Omit<GitOptions, "signal">) => Promise<string>;

/** Returns the files of a published run, with their ids; none where there is no such run. */
async function readBlobs(git: Git, commit: string, runId: string): Promise<Map<string, string>> {
  const format = "--format=%(path)%x09%(objectname)";
  const lines = await git(["ls-tree", "-r", format, commit, "--", `${publishedRuns}/${runId}/`]);
  return new Map(
    lines.split("\n").filter((line) => line !== "").map((line) => {
      const [path = "", blob = ""] = line.split("\t");
      return [path, blob];
    }),
  );
}

/**
 * Says of a published run that a file that is to be published is not in it, or another; undefined where all are there. What
 * an earlier attempt published, and a later one measured again, has an artifact no more.
 */
function conflictOf(
  runId: string,
  published: ReadonlyMap<string, string>,
  blobs: ReadonlyMap<string, string>,
): string | undefined {
  const different = [...blobs.keys()].filter((path) => published.get(path) !== blobs.get(path));
  return different.length === 0
    ? undefined
    : `Cannot publish "${runId}": it is published already, and differs in ${different.join(", ")}`;
}

/** Makes a commit with the files of runs on top of another, in an index of its own, and returns its id. */
async function commitOn(
  git: Git,
  tip: string,
  runs: ReadonlyMap<string, ReadonlyMap<string, string>>,
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-index-" });
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await git(["read-tree", tip], { env });
    const blobs = [...runs.values()].flatMap((files) => [...files]);
    const entries = blobs.map(([path, blob]) => `100644 ${blob}\t${path}\n`);
    await git(["update-index", "--index-info"], { env, input: entries.join("") });
    const tree = await git(["write-tree"], { env });
    const message = `data: run ${[...runs.keys()].join(" and ")}`;
    // A push with a deploy key would start Check and Deploy; the workflow that publishes deploys by itself.
    const skip = "[skip ci]";
    // Unique: of two publishers of one run in one second, each would take the other's commit for its own.
    const trailer = `Published-By: ${crypto.randomUUID()}`;
    return await git(["commit-tree", tree, "-p", tip, "-m", message, "-m", skip, "-m", trailer]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Tells whether a push failed because the branch is no longer what it was: rejected by git before it was sent, or
 * by the server, in the words of its version. What a rule or a hook declines, no further attempt brings in.
 */
function hasMoved(error: unknown): boolean {
  const outdated =
    /^!.*(\[rejected\]|fetch first|non-fast-forward|cannot lock ref|failed to update ref|incorrect old value)/m;
  return error instanceof BenchError && outdated.test(error.help ?? "");
}
