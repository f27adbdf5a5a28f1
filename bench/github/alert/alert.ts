/**
 * The commands `regressions`, which says what a published run makes suspect and must be measured again, and
 * `alert`, which has the permission to write issues and takes what was measured again as a stranger's data.
 */
import type { Report } from "../../lib/report.ts";
import { newRunId, parseResult, readRun } from "../../results/store.ts";
import { findRegressions } from "./rule.ts";
import { decide, type Decision, type RegressionIssue, sinceAccepted } from "./decision.ts";
import type { GitHubApi } from "../api.ts";
import { readArtifacts } from "../artifacts.ts";
import { type Environment, valueOf } from "../environment.ts";
import { follow } from "../figures.ts";
import { readHistory } from "../history.ts";
import { closeIssue, listRegressionIssues, openIssue, rewriteIssue } from "./issues.ts";
import {
  issueTitle,
  type Links,
  renderEnd,
  renderIssue,
  renderLapse,
  renderRemoval,
} from "./text.ts";

/** What a run makes suspect. */
export interface Suspects {
  /** The implementations to measure once more, in order. */
  implIds: string[];
  /** The id of the run that does it: it begins now, at the same commit. */
  rerunId: string;
}

/** Options for {@linkcode findSuspects}. */
export interface SuspectOptions {
  publishedRuns: string;
  /** All that there are now: others cannot be measured again. */
  implIds: readonly string[];
  /** Runs before a level that was accepted are not looked at. */
  issues: readonly RegressionIssue[];
  report: Report;
}

/**
 * Finds the implementations that became worse in a published run.
 *
 * @throws {BenchError} when there is no such run, or a published file is damaged.
 */
export async function findSuspects(
  runId: string,
  { publishedRuns, implIds, issues, report }: SuspectOptions,
): Promise<Suspects> {
  const run = (await readRun(publishedRuns, runId)).map(follow);
  const history = await readHistory(publishedRuns, runId);
  const worse = run.filter((now) => {
    const regressions = findRegressions(now, sinceAccepted(now.implId, history, issues));
    for (const { figure, worseBy, threshold, runs } of regressions) {
      const [by, limit] = [worseBy, threshold].map((share) => `${(100 * share).toFixed(1)} %`);
      report.line(
        `${figure.name}: ${by} worse than the median of ${runs} runs, more than ${limit}`,
      );
    }
    return regressions.length > 0;
  }).map(({ implId }) => implId);
  for (const id of worse.filter((id) => !implIds.includes(id))) {
    report.line(`${id}: removed since, so it is not measured again`);
  }
  return {
    implIds: worse.filter((id) => implIds.includes(id)),
    rerunId: newRunId(new Date(), run[0]!.commit),
  };
}

/** What {@linkcode sendAlerts} looks at. */
export interface AlertRequest {
  /** The published run. */
  runId: string;
  /** The run that measured suspects once more. */
  rerunId: string;
  /** Its artifacts; nothing needs to be there. */
  artifactsFolder: string;
  /** The address of the published site, where it is known. */
  siteUrl?: string;
}

/** Options for {@linkcode sendAlerts}. */
export interface AlertOptions {
  publishedRuns: string;
  /** All that there are now: the issue of another one is closed. */
  implIds: readonly string[];
  environment: Environment;
  report: Report;
  signal: AbortSignal;
}

/**
 * Opens, rewrites or closes the issue of each implementation of a run, closes those of implementations that are
 * gone, and returns a line for each artifact that could not be used.
 *
 * @throws {BenchError} when a variable is missing, there is no such run, or GitHub refuses.
 */
export async function sendAlerts(
  { runId, rerunId, artifactsFolder, siteUrl }: AlertRequest,
  { publishedRuns, implIds, environment, report, signal }: AlertOptions,
): Promise<string[]> {
  const repository = valueOf("GITHUB_REPOSITORY", environment);
  const repositoryUrl = `${valueOf("GITHUB_SERVER_URL", environment)}/${repository}`;
  const links: Links = {
    repositoryUrl,
    jobUrl: `${repositoryUrl}/actions/runs/${valueOf("GITHUB_RUN_ID", environment)}`,
    ...(siteUrl && { siteUrl }),
  };
  const api = apiOf(environment, signal);
  const run = (await readRun(publishedRuns, runId)).map(follow);
  const history = await readHistory(publishedRuns, runId);
  const { texts, damaged } = await readArtifacts(artifactsFolder, {
    runId: rerunId,
    kind: "rerun",
  });
  const issues = await listRegressionIssues(repository, api);
  for (const { number, implId, state } of issues) {
    if (state !== "open" || implIds.includes(implId)) continue;
    const address = await closeIssue(repository, { number, comment: renderRemoval(implId) }, api);
    report.line(`${implId}: removed, closed ${address}`);
  }
  for (const now of run) {
    if (!implIds.includes(now.implId)) continue;
    const text = texts.get(now.implId);
    const rerun = text === undefined ? undefined : follow(parseResult(text, now.implId));
    const decision = decide(now, history, { ...(rerun && { rerun }), issues });
    report.line(`${now.implId}: ${await carryOut(decision, { repository, links, api })}`);
  }
  return damaged;
}

/**
 * Returns our issues about regressions of the repository that a step of a workflow runs in; none elsewhere, where
 * no token and no repository are named.
 *
 * @throws {BenchError} when another variable is missing, or GitHub refuses.
 */
export async function readIssues(
  environment: Environment,
  signal: AbortSignal,
): Promise<RegressionIssue[]> {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = environment;
  if (!token || !repository) return [];
  return await listRegressionIssues(repository, apiOf(environment, signal));
}

function apiOf(environment: Environment, signal: AbortSignal): GitHubApi {
  return {
    url: valueOf("GITHUB_API_URL", environment),
    token: valueOf("GITHUB_TOKEN", environment),
    signal,
  };
}

/** Does what was decided, and returns what that was. */
async function carryOut(
  decision: Decision,
  { repository, links, api }: { repository: string; links: Links; api: GitHubApi },
): Promise<string> {
  switch (decision.kind) {
    case "nothing":
      return "nothing to say";
    case "open": {
      const title = issueTitle(decision.findings.now.implId);
      const body = renderIssue(decision.findings, links);
      return `opened ${await openIssue(repository, { title, body }, api)}`;
    }
    case "update": {
      const { number, findings } = decision;
      const body = renderIssue(findings, links);
      return `rewrote ${await rewriteIssue(repository, { number, body }, api)}`;
    }
    case "close": {
      const { number } = decision;
      const comment = renderEnd(decision, links);
      return `closed ${await closeIssue(repository, { number, comment }, api)}`;
    }
    case "lapse": {
      const { number, next } = decision;
      const comment = renderLapse(decision, links);
      const address = await closeIssue(repository, { number, comment }, api);
      return `closed ${address}, ${await carryOut(next, { repository, links, api })}`;
    }
  }
}
