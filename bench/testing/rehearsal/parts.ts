/** The parts of a rehearsal: which workflows run, and what set them off. */
import { join } from "@std/path";
import { git } from "../../lib/git.ts";
import { type RehearsalGitHub, repository } from "./github.ts";

/** A place to rehearse in. */
export interface Stage {
  /** The clone, whose workflows can run here. */
  root: string;
  github: RehearsalGitHub;
  /** Starts a workflow; at the tip of the default branch unless told otherwise. */
  run(
    workflow: string,
    event: string,
    payload: unknown,
    args?: string[],
    at?: { ref: string; sha: string },
  ): Promise<Rehearsed>;
}

/** What a workflow did. */
export interface Rehearsed {
  workflow: string;
  success: boolean;
  log: string;
}

/** What is rehearsed, each with the workflows that it runs. */
export const parts: Record<string, (stage: Stage) => Promise<Rehearsed[]>> = {
  smoke: async ({ run }) => [
    await run("bench.yml", "workflow_dispatch", dispatch("smoke", 1), one),
  ],
  bench: async ({ run }) => [
    await run("bench.yml", "workflow_dispatch", dispatch("quick", 3), one),
  ],
  check: async ({ run }) => [
    await run("check.yml", "push", { before: "0".repeat(40) }, ["--job", "check"]),
  ],
  verify: async ({ run }) => [
    await run("check.yml", "push", { before: "0".repeat(40) }, ["--job", "verify", ...oneOfMany]),
  ],
  "pull-request": async (stage) => {
    const { head, merge } = await openPullRequest(stage);
    const event = { number: 7, pull_request: { number: 7, head: { sha: head, ref: "change" } } };
    const at = { ref: "refs/pull/7/merge", sha: merge };
    const withBurst = [...oneOfMany, "--matrix", "scenario:delay"];
    return [await stage.run("pull-request.yml", "pull_request", event, withBurst, at)];
  },
  // Of the pull request, where that was rehearsed; else of one whose jobs left nothing.
  comment: async ({ root, github, run }) => {
    const head = github.pullRequests[0]?.headSha ?? await git(root, "rev-parse", "HEAD");
    if (github.pullRequests.length === 0) {
      github.pullRequests.push({ number: 7, headSha: head, headBranch: "change" });
    }
    const [owner] = repository.split("/");
    const ended = {
      ...{ id: 1, event: "pull_request", conclusion: "success", head_sha: head },
      html_url: `${github.url}/${repository}/actions/runs/1`,
      head_branch: "change",
      head_repository: { id: 1, full_name: repository, owner: { login: owner } },
    };
    return [await run("comment.yml", "workflow_run", { workflow_run: ended })];
  },
};

const oneOfMany = ["--matrix", "scenario:hello", "--matrix", "impl:go"];

/** The job of one implementation in one scenario. */
const one = ["--matrix", "scenario:hello"];

function dispatch(profile: string, replicas: number): unknown {
  return { inputs: { profile, implementations: "go", replicas: String(replicas) } };
}

/** Pushes the merge of a change to an implementation, as GitHub makes it of a pull request. */
async function openPullRequest(
  { root, github }: Stage,
): Promise<{ head: string; merge: string }> {
  const base = await git(root, "rev-parse", "HEAD");
  const as = ["-c", "user.name=Rehearsal", "-c", "user.email=rehearsal@example.org"];
  await git(root, "switch", "--quiet", "--detach");
  await Deno.writeTextFile(join(root, "impls/go/main.go"), "\n// A change.\n", { append: true });
  await git(root, ...as, "commit", "--quiet", "--all", "--message", "A change");
  const head = await git(root, "rev-parse", "HEAD");
  await git(root, "switch", "--quiet", "--detach", base);
  await git(root, ...as, "merge", "--quiet", "--no-ff", "--message", "A merge", head);
  const merge = await git(root, "rev-parse", "HEAD");
  await git(root, "push", "--quiet", "origin", `${merge}:refs/pull/7/merge`);
  await git(root, "switch", "--quiet", "--detach", base);
  github.pullRequests.push({ number: 7, headSha: head, headBranch: "change" });
  return { head, merge };
}
