/**
 * The commands `comment`, which reads untrusted artifacts and needs no permission, and `comment-post`, which may
 * write and reads only the output of the first. Both read GitHub's variables from the environment.
 */
import { BenchError, messageOf } from "../../lib/error.ts";
import type { Report } from "../../lib/report.ts";
import { apiOf } from "../api.ts";
import { renderComment } from "./render.ts";
import { readArtifact } from "./untrusted_files.ts";
import { parseWorkflowRunEvent, postComment, type WorkflowRunEvent } from "./post.ts";
import { type Environment, valueOf } from "../environment.ts";

/**
 * Renders the comment for the artifacts below `folder` into the file `path`.
 *
 * @throws {BenchError} when `GITHUB_EVENT_PATH` names no event of a workflow's run; never for an artifact.
 */
export async function writeComment(
  folder: string,
  path: string,
  environment: Environment,
): Promise<void> {
  const { workflow_run: run } = await readEvent(environment);
  const files = await readArtifact(folder);
  const context = { headSha: run.head_sha, runUrl: run.html_url };
  await Deno.writeTextFile(path, renderComment(files, context));
}

/**
 * Writes the comment in the file `path` to its pull request, or updates the one that is there.
 *
 * @throws {BenchError} when a variable is missing, or GitHub refuses.
 */
export async function postCommentFile(
  path: string,
  environment: Environment,
  { report, signal }: { report: Report; signal: AbortSignal },
): Promise<void> {
  const event = await readEvent(environment);
  const api = apiOf(environment, signal);
  const address = await postComment(await Deno.readTextFile(path), event, api);
  const { head_sha } = event.workflow_run;
  report.line(address ?? `No open pull request has ${head_sha} as its head: nothing is written`);
}

async function readEvent(environment: Environment): Promise<WorkflowRunEvent> {
  const path = valueOf("GITHUB_EVENT_PATH", environment);
  let text: string;
  try {
    text = await Deno.readTextFile(path);
  } catch (cause) {
    throw new BenchError(`Cannot read "${path}": ${messageOf(cause)}`, { cause });
  }
  return parseWorkflowRunEvent(text, path);
}
