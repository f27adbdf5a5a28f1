/**
 * Commit: results that jobs have measured become a published run. Takes a folder of artifacts and a checkout;
 * validates every file as one from a stranger, and adds those of one run to the default branch in one commit, or
 * adds nothing. The commit is made beside the checkout and anew on whatever the branch has become meanwhile; the
 * checkout is brought forward in the end. Nothing that is published is ever changed.
 */
import { delay } from "@std/async";
import { basename, join, relative } from "@std/path";
import { BenchError, messageOf } from "../error.ts";
import type { Report } from "../report.ts";
import { type Result, runIdSchema } from "../schema.ts";
import { parseResult } from "../write.ts";
import { type GitOptions, runGit } from "./git.ts";

/** Where published runs are, from the root of a checkout. */
const publishedRuns = "site/data/runs";

/** A full result has some 150,000 bytes. */
const largestBytes = 10 * 1024 ** 2;

const attempts = 5;

/** Options for {@linkcode commitRun}. */
export interface CommitRunOptions {
  /** Holds a folder for each artifact, with result files in it, at any depth. */
  artifactsFolder: string;
  /** A checkout with the branch of the remote `origin`, and no commit beside it. */
  root: string;
  /** The branch to publish on. */
  branch: string;
  report: Report;
  signal: AbortSignal;
}

/** What {@linkcode commitRun} has published, or found published. */
export interface CommittedRun {
  runId: string;
  /** The tip of the branch that has the run. */
  commit: string;
  /** False where the same run was there already. */
  isNew: boolean;
  implIds: string[];
  /** What was left out: a sentence for each file or artifact, with its path. */
  damaged: string[];
}

/**
 * Publishes the results of a run.
 *
 * @throws {BenchError} when no file is good, when another run of this id is published, or when the branch cannot
 * be pushed.
 */
export async function commitRun(runId: string, options: CommitRunOptions): Promise<CommittedRun> {
  const id = runIdSchema.safeParse(runId);
  if (!id.success) {
    throw new BenchError(`Cannot publish "${runId}": ${id.error.issues[0]?.message}`);
  }
  const { texts, damaged } = await readArtifacts(options.artifactsFolder, runId);
  for (const problem of damaged) options.report.line(problem);
  if (texts.size === 0) {
    throw new BenchError(
      `Cannot publish "${runId}": no result in "${options.artifactsFolder}" is good, expected one`,
      damaged.length === 0 ? {} : { help: damaged.join("\n") },
    );
  }
  const { commit, isNew } = await publish(runId, texts, options);
  return { runId, commit, isNew, implIds: [...texts.keys()], damaged };
}

/** The good texts by implementation, and what is wrong with the others. */
interface Artifacts {
  texts: Map<string, string>;
  damaged: string[];
}

/** Reads every result of a folder of artifacts; one that is damaged does not spoil the others. */
export async function readArtifacts(folder: string, runId: string): Promise<Artifacts> {
  const good: { implId: string; name: string; text: string }[] = [];
  const damaged: string[] = [];
  for (const artifact of await namesIn(folder)) {
    const files = await filesBelow(join(folder, artifact));
    if (files.length === 0) {
      damaged.push(`Cannot publish "${artifact}": it holds no file, expected a result`);
    }
    for (const path of files) {
      const name = relative(folder, path);
      try {
        const text = await readBounded(path, name);
        const result = parseResult(text, name);
        requirePublishable(result, { runId, name });
        good.push({ implId: result.impl.id, name, text });
      } catch (error) {
        if (!(error instanceof BenchError)) throw error;
        damaged.push(error.message);
      }
    }
  }
  const texts = new Map<string, string>();
  for (const [implId, files] of Map.groupBy(good, ({ implId }) => implId)) {
    const [text, ...others] = new Set(files.map((file) => file.text));
    if (text !== undefined && others.length === 0) texts.set(implId, text);
    // Any job can leave a file of any name: nothing tells which of them measured the implementation.
    else {
      const names = files.map(({ name }) => `"${name}"`).join(" and ");
      damaged.push(`Cannot publish "${implId}": ${names} differ, expected one result`);
    }
  }
  return { texts, damaged };
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  } catch (cause) {
    throw new BenchError(`Cannot read "${folder}": ${messageOf(cause)}`, { cause });
  }
}

/** Returns all that is no folder below a path, or the path itself where it is none; follows no link. */
async function filesBelow(path: string): Promise<string[]> {
  if (!(await Deno.lstat(path)).isDirectory) return [path];
  const files: string[] = [];
  for (const name of await namesIn(path)) files.push(...await filesBelow(join(path, name)));
  return files;
}

async function readBounded(path: string, name: string): Promise<string> {
  const { isFile, size } = await Deno.lstat(path);
  if (!isFile) throw new BenchError(`Cannot publish "${name}": it is no file, expected a result`);
  if (size > largestBytes) {
    throw new BenchError(
      `Cannot publish "${name}": it has ${size} bytes, expected ${largestBytes} at most`,
    );
  }
  return await Deno.readTextFile(path);
}

/** @throws {BenchError} when the result is not one of this run that may be published. */
function requirePublishable(
  result: Result,
  { runId, name }: { runId: string; name: string },
): void {
  const { impl, status, provenance } = result;
  const problem = result.runId !== runId
    ? `it is of run "${result.runId}", expected "${runId}"`
    : basename(name) !== `${impl.id}.json`
    ? `it is the result of "${impl.id}", expected a file "${impl.id}.json"`
    : status === "incomplete"
    ? "it is incomplete, expected complete or failed"
    : provenance.dirty
    ? "it was measured with uncommitted changes, expected none"
    : !runId.endsWith(`-${provenance.commit.slice(0, 7)}`)
    ? `it was measured at commit ${provenance.commit.slice(0, 7)}, expected the run's own`
    : undefined;
  if (problem !== undefined) throw new BenchError(`Cannot publish "${name}": ${problem}`);
}

/** Pushes a commit with these files, and brings the checkout to it. */
async function publish(
  runId: string,
  texts: ReadonlyMap<string, string>,
  { root, branch, report, signal }: CommitRunOptions,
): Promise<{ commit: string; isNew: boolean }> {
  const git = (args: string[], rest: Omit<GitOptions, "signal"> = {}) =>
    runGit(root, args, { ...rest, signal });
  const blobs = new Map<string, string>();
  for (const [implId, text] of texts) {
    const blob = await git(["hash-object", "-w", "--stdin"], { input: text });
    blobs.set(`${publishedRuns}/${runId}/${implId}.json`, blob);
  }
  for (let attempt = 1;; attempt++) {
    await git(["fetch", "--quiet", "origin", `refs/heads/${branch}`]);
    const tip = await git(["rev-parse", "FETCH_HEAD"]);
    // Before anything is published: a checkout with commits of its own cannot follow.
    await git(["merge", "--quiet", "--ff-only", tip]);
    const published = await readBlobs(git, tip, runId);
    if (published.size > 0) {
      requireSame(runId, published, blobs);
      return { commit: tip, isNew: false };
    }
    const commit = await commitOn(git, { tip, runId, blobs });
    try {
      await git(["push", "--quiet", "--porcelain", "origin", `${commit}:refs/heads/${branch}`]);
    } catch (error) {
      if (attempt === attempts || !isRefused(error)) throw error;
      report.line(`The branch "${branch}" has moved: publishing "${runId}" on top of it`);
      // Two that publish at once must not go on in step.
      await delay(Math.random() * 500 * attempt, { signal });
      continue;
    }
    await git(["merge", "--quiet", "--ff-only", commit]);
    return { commit, isNew: true };
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

/** @throws {BenchError} when what is published is not what is to be. */
function requireSame(
  runId: string,
  published: ReadonlyMap<string, string>,
  blobs: ReadonlyMap<string, string>,
): void {
  const paths = new Set([...published.keys(), ...blobs.keys()]);
  const different = [...paths].filter((path) => published.get(path) !== blobs.get(path));
  if (different.length === 0) return;
  throw new BenchError(
    `Cannot publish "${runId}": it is published already, and differs in ${different.join(", ")}`,
    { help: "Published runs never change. Measure again to publish anew." },
  );
}

/** Makes a commit with these files on top of another, in an index of its own, and returns its id. */
async function commitOn(
  git: Git,
  { tip, runId, blobs }: { tip: string; runId: string; blobs: ReadonlyMap<string, string> },
): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-index-" });
  try {
    const env = { GIT_INDEX_FILE: join(folder, "index") };
    await git(["read-tree", tip], { env });
    const entries = [...blobs].map(([path, blob]) => `100644 ${blob}\t${path}\n`);
    await git(["update-index", "--index-info"], { env, input: entries.join("") });
    const tree = await git(["write-tree"], { env });
    return await git(["commit-tree", tree, "-p", tip, "-m", `data: run ${runId}`]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A porcelain line of git push that begins with "!" is a branch that was not updated. */
function isRefused(error: unknown): boolean {
  return error instanceof BenchError && /^!/m.test(error.help ?? "");
}
