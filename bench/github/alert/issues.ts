/** Issues about regressions on GitHub: found by label, author and first line; opened, updated, closed. */
import { z } from "zod";
import type { RegressionIssue } from "./decision.ts";
import { ask, askAll, botLogin, type GitHubApi } from "../api.ts";
import { parseIssue } from "./text.ts";

/** The label of every issue about a regression. */
const regressionLabel = "regression";

const repositorySchema = z.object({ has_issues: z.boolean() });

const issueSchema = z.object({
  number: z.number().int().positive(),
  html_url: z.string(),
  body: z.string().nullish(),
  state: z.enum(["open", "closed"]),
  state_reason: z.string().nullish(),
  user: z.object({ login: z.string() }).nullable(),
});

const labelSchema = z.object({ name: z.string() });

/** Returns the issues about regressions, including closed ones; undefined where the repository has issues disabled. */
export async function listRegressionIssues(
  repository: string,
  api: GitHubApi,
): Promise<RegressionIssue[] | undefined> {
  // Also where issues are disabled, GitHub answers with a list of them, and refuses only a new one.
  const { has_issues } = await ask(repositorySchema, `repos/${repository}`, api);
  if (!has_issues) return undefined;
  const query = { labels: regressionLabel, state: "all" };
  const found = await askAll(issueSchema, `repos/${repository}/issues`, api, query);
  return found.flatMap(({ number, body, state, state_reason: reason, user }) => {
    // Others can write issues that look the same.
    const about = user?.login === botLogin ? parseIssue(body ?? "") : undefined;
    if (about === undefined) return [];
    const isAccepted = state === "closed" && reason === "not_planned";
    return [{ ...about, number, state: isAccepted ? "accepted" : state }];
  });
}

/** Opens an issue, and returns its address. */
export async function openIssue(
  repository: string,
  { title, body }: { title: string; body: string },
  api: GitHubApi,
): Promise<string> {
  await ensureLabel(repository, api);
  const { html_url } = await ask(issueSchema, `repos/${repository}/issues`, api, {
    method: "POST",
    body: { title, body, labels: [regressionLabel] },
  });
  return html_url;
}

/** Replaces the text of an issue, and returns its address. */
export async function rewriteIssue(
  repository: string,
  { number, body }: { number: number; body: string },
  api: GitHubApi,
): Promise<string> {
  const { html_url } = await ask(issueSchema, `repos/${repository}/issues/${number}`, api, {
    method: "PATCH",
    body: { body },
  });
  return html_url;
}

/** Closes an issue, with a comment before it, and returns its address. */
export async function closeIssue(
  repository: string,
  { number, comment }: { number: number; comment: string },
  api: GitHubApi,
): Promise<string> {
  const path = `repos/${repository}/issues/${number}`;
  await ask(z.object({ id: z.number() }), `${path}/comments`, api, {
    method: "POST",
    body: { body: comment },
  });
  const { html_url } = await ask(issueSchema, path, api, {
    method: "PATCH",
    body: { state: "closed", state_reason: "completed" },
  });
  return html_url;
}

async function ensureLabel(repository: string, api: GitHubApi): Promise<void> {
  const labels = await askAll(labelSchema, `repos/${repository}/labels`, api);
  // GitHub's label names are case-insensitive.
  if (labels.some(({ name }) => name.toLowerCase() === regressionLabel)) return;
  await ask(labelSchema, `repos/${repository}/labels`, api, {
    method: "POST",
    body: {
      name: regressionLabel,
      color: "d93f0b",
      description: "A published figure regressed, and a second measurement confirmed it",
    },
  });
}
