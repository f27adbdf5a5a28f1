/** A remote with checkouts of it, and artifacts to publish on it, for tests. */
import { dirname, join } from "@std/path";
import { commitRun } from "../github/publish/commit_run.ts";
import type { RunIds } from "../github/run_ids.ts";
import { git } from "../lib/git.ts";
import { silent } from "../lib/report.ts";
import { repeatCommand } from "../results/repeat_command.ts";
import { type Result, startOfRun } from "../results/result_schema.ts";
import { exampleRun } from "./example_run.ts";

/** The run that is published, where no other is named. */
export const runId = "20260105T000000Z-0000000";
export const runIds = { "jwt-mysql": runId };

/** What all results of `exampleRun()` were measured at and with. */
export const measured = {
  commit: "0".repeat(40),
  plans: { "jwt-mysql": exampleRun(runId)[0]!.plan },
};

/** A bare remote with one commit, checkouts of it, and folders of artifacts. */
export interface Remote extends AsyncDisposable {
  /** Clones the remote. */
  clone(name: string, ...options: string[]): Promise<string>;
  /** Makes a folder of artifacts, and returns its path. */
  artifacts(name: string, files: Record<string, string>): Promise<string>;
  /** Publishes from a checkout. */
  publish(
    root: string,
    artifactsFolder: string,
    ids?: RunIds,
    attempts?: number,
  ): ReturnType<typeof commitRun>;
  /** Returns the subjects of the remote's commits, the newest first. */
  log(): Promise<string[]>;
  /** Returns the paths of published runs on the remote. */
  published(): Promise<string[]>;
  /** Pushes a commit that has nothing to do with runs. */
  move(root: string, name: string): Promise<void>;
}

/** Makes a remote with one commit. */
export async function makeRemote(): Promise<Remote> {
  const folder = await Deno.makeTempDir();
  const bare = join(folder, "remote.git");
  await Deno.mkdir(bare);
  await git(bare, "init", "--quiet", "--bare", "--initial-branch", "main");
  const clone = async (name: string, ...options: string[]) => {
    await git(folder, "clone", "--quiet", ...options, `file://${bare}`, name);
    const root = join(folder, name);
    await git(root, "config", "user.name", "Test");
    await git(root, "config", "user.email", "test@example.org");
    return root;
  };
  const move = async (root: string, name: string) => {
    await Deno.writeTextFile(join(root, name), name);
    await git(root, "add", name);
    await git(root, "commit", "--quiet", "--message", name);
    await git(root, "push", "--quiet", "origin", "HEAD:main");
  };
  const first = await clone("first");
  await git(first, "switch", "--quiet", "--orphan", "main");
  await move(first, "README.md");
  return {
    clone,
    move,
    artifacts: async (name, files) => {
      for (const [path, text] of Object.entries(files)) {
        await Deno.mkdir(dirname(join(folder, name, path)), { recursive: true });
        await Deno.writeTextFile(join(folder, name, path), text);
      }
      return join(folder, name);
    },
    publish: (root, artifactsFolder, ids = runIds, attempts = 1) => {
      const { signal } = new AbortController();
      const options = { ...measured, artifactsFolder, root, branch: "main" };
      return commitRun(ids, { ...options, attempts, pauseMs: 20, report: silent, signal });
    },
    log: async () => (await git(bare, "log", "--format=%s", "main")).split("\n"),
    published: async () =>
      (await git(bare, "ls-tree", "-r", "--name-only", "main", "site/data/runs/"))
        .split("\n").filter((path) => path !== ""),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Returns a result of a run as its job writes it. */
export function textOf(
  implId: string,
  change: (result: Result) => void = () => {},
  id = runId,
): string {
  const result = exampleRun(id).find(({ impl }) => impl.id === implId)!;
  change(result);
  return JSON.stringify(asMeasured(result)) + "\n";
}

/** Gives a result the time and the command that it has where it is measured in its run. */
export function asMeasured(result: Result): Result {
  const { runId, impl, scenario, plan, provenance } = result;
  const command = repeatCommand(impl.id, scenario, plan);
  return {
    ...result,
    startedAt: startOfRun(runId).toISOString(),
    provenance: { ...provenance, command },
  };
}

/** Returns the files of artifacts: one for each job, with the folder of its run in it. */
export function filesOf(id: string, ...implIds: string[]): Record<string, string> {
  return Object.fromEntries(
    implIds.map((implId) => [
      `result-jwt-mysql-${implId}.1/${id}/${implId}.json`,
      textOf(implId, () => {}, id),
    ]),
  );
}

/** Returns where a result is published. */
export const pathOf = (implId: string, id = runId) => `site/data/runs/${id}/${implId}.json`;
