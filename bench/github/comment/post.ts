/**
 * Post: writes the comment on its pull request. Takes the event `workflow_run` from GitHub, and the comment; finds
 * the pull request by the event alone, and creates or updates the one comment there.
 */
import { z } from "zod";
import { BenchError, messageOf } from "../../lib/error.ts";
import { ask, askAll, botLogin, type GitHubApi } from "../api.ts";
import { code, number } from "../markdown.ts";
import { commentMarker } from "./render.ts";

const repositorySchema = z.object({ id: z.number(), full_name: z.string() });

const eventSchema = z.object({
  repository: repositorySchema.extend({ default_branch: z.string() }),
  workflow_run: z.object({
    html_url: z.url(),
    head_sha: z.string().regex(/^[0-9a-f]{40}$/),
    head_branch: z.string().nullable(),
    head_repository: repositorySchema.extend({ owner: z.object({ login: z.string() }) })
      .nullable().describe("null once a fork is deleted"),
  }),
});

const pullRequestSchema = z.object({
  number: z.number().int().positive(),
  head: z.object({ sha: z.string(), repo: z.object({ id: z.number() }).nullable() }),
});

const commentSchema = z.object({
  id: z.number().int().positive(),
  html_url: z.string(),
  body: z.string().nullish(),
  user: z.object({ login: z.string() }).nullable(),
});

/** The workflow run that ended, from the event. */
export type WorkflowRunEvent = z.infer<typeof eventSchema>;

/**
 * Parses the file that `GITHUB_EVENT_PATH` names; `path` is for messages.
 *
 * @throws {BenchError} when it is not of a `workflow_run`.
 */
export function parseWorkflowRunEvent(text: string, path: string): WorkflowRunEvent {
  try {
    return eventSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new BenchError(
      `Cannot read "${path}": it is not the event that a workflow's run ended, expected workflow_run`,
      { help: messageOf(cause), cause },
    );
  }
}

/**
 * Creates or updates the comment, and returns its address; undefined if no open pull request to the default branch
 * has the commit as its head, because it was closed, or a later run comments.
 *
 * @throws {BenchError} when GitHub refuses.
 */
export async function postComment(
  body: string,
  event: WorkflowRunEvent,
  api: GitHubApi,
): Promise<string | undefined> {
  const repository = event.repository.full_name;
  const pullRequest = await findPullRequest(event, api);
  if (pullRequest === undefined) return undefined;
  body = withWarning(body, await changedHarness(`repos/${repository}/pulls/${pullRequest}`, api));
  const comments = `repos/${repository}/issues/${pullRequest}/comments`;
  const earlier = await findComment(comments, api);
  const { html_url } = earlier === undefined
    ? await ask(commentSchema, comments, api, { method: "POST", body: { body } })
    : await ask(commentSchema, `repos/${repository}/issues/comments/${earlier}`, api, {
      method: "PATCH",
      body: { body },
    });
  return html_url;
}

/**
 * Finds the number. For a fork, the event's list of pull requests is empty, so it is looked up by the head's
 * repository and branch; there is at most one open to the default branch.
 */
async function findPullRequest(
  { repository, workflow_run: run }: WorkflowRunEvent,
  api: GitHubApi,
): Promise<number | undefined> {
  if (run.head_repository === null || run.head_branch === null) return undefined;
  const { id, owner } = run.head_repository;
  const found = await askAll(pullRequestSchema, `repos/${repository.full_name}/pulls`, api, {
    state: "open",
    base: repository.default_branch,
    head: `${owner.login}:${run.head_branch}`,
  });
  // An owner may have several forks, and GitHub ignores a head that it cannot read: then all are listed.
  return found.find(({ head }) => head.sha === run.head_sha && head.repo?.id === id)?.number;
}

const fileSchema = z.object({
  filename: z.string(),
  previous_filename: z.string().optional(),
});

/** The most files of a pull request that GitHub lists: https://docs.github.com/en/rest/pulls/pulls */
const mostListed = 3_000;

/**
 * What is measured, what is only shown, and documents. Anything else may measure: the harness, which also runs assets of
 * the site, workflows, recipes, and files at the root that a tool reads.
 */
const measuresNothing = /^(?:impls\/|site\/(?!assets\/)|[^/]+\.md$)/;

/** Which files of a pull request may measure it, and whether GitHub lists all that it changes. */
interface ChangedHarness {
  changed: string[];
  isAll: boolean;
}

async function changedHarness(pullRequest: string, api: GitHubApi): Promise<ChangedHarness> {
  const files = await askAll(fileSchema, `${pullRequest}/files`, api);
  const paths = files.flatMap(({ filename, previous_filename: before = filename }) => [
    ...new Set([filename, before]),
  ]);
  return {
    changed: paths.filter((path) => !measuresNothing.test(path)),
    isAll: files.length < mostListed,
  };
}

/** Says, below the heading, that a pull request changes what measures it: its figures can be anything. */
function withWarning(body: string, { changed, isAll }: ChangedHarness): string {
  const [example] = changed;
  if (example === undefined && isAll) return body;
  const count = changed.length === 1 ? "a file" : `${number(changed.length)} files, for example`;
  const warning = example === undefined
    ? "**This pull request may change what measures it**: GitHub lists only " +
      `${number(mostListed)} of its files.`
    : `**This pull request changes what measures it** (${count} ${code(example)}): ` +
      "its figures are what the changed code says.";
  return body.replace(/^(<!--.*-->\n## .*\n)/, (heading) => `${heading}\n${warning}\n`);
}

/** Comments by other accounts may begin with the marker, too, and cannot be changed. */
async function findComment(comments: string, api: GitHubApi): Promise<number | undefined> {
  const found = await askAll(commentSchema, comments, api);
  return found.find(({ user, body }) => user?.login === botLogin && body?.startsWith(commentMarker))
    ?.id;
}
