/**
 * The commands `regressions`, which lists suspected regressions in published runs, to be measured again, and `alert`,
 * which may write issues and reads the second measurement as untrusted data.
 */
import type { Report } from "../../lib/report.ts";
import { findRegressions, missingRuns } from "./rule.ts";
import { decide, type Decision, type RegressionIssue, sinceAccepted } from "./decision.ts";
import { apiOf, type GitHubApi } from "../api.ts";
import { type ArtifactsWanted, readArtifacts } from "../result_artifacts.ts";
import { requireDownloaded } from "../downloaded.ts";
import { type Environment, valueOf } from "../environment.ts";
import { followAll, type Followed, type ImplInScenario, isSame } from "../figures.ts";
import { readFollowed } from "../followed.ts";
import { newRunIds, type RunIds } from "../run_ids.ts";
import { defaultScenarioId } from "../../scenario/ids.ts";
import { closeIssue, listRegressionIssues, openIssue, rewriteIssue } from "./issues.ts";
import {
  issueTitle,
  type Links,
  renderEnd,
  renderIssue,
  renderLapse,
  renderRemoval,
} from "./text.ts";

/** Suspected regressions. */
export interface Suspects {
  /** What to measure again, in order. */
  impls: ImplInScenario[];
  /** The ids of the runs that measure again: they start now, at the same commit. */
  rerunIds: RunIds;
}

/** Options for {@linkcode findSuspects}. */
export interface SuspectOptions {
  publishedRuns: string;
  /** All current implementations and scenarios; others cannot be measured again. */
  impls: readonly ImplInScenario[];
  /** Runs before an accepted level are ignored. */
  issues: readonly RegressionIssue[];
  report: Report;
}

/**
 * Finds implementations with suspected regressions in published runs.
 *
 * @throws {BenchError} when none of the runs is published, or a published file is damaged.
 */
export async function findSuspects(
  runIds: RunIds,
  { publishedRuns, impls, issues, report }: SuspectOptions,
): Promise<Suspects> {
  const { run, history } = await readFollowed(publishedRuns, runIds);
  for (const now of run) {
    const line = missingRuns(now, sinceAccepted(now, history, issues));
    if (line !== undefined) report.line(`${label(now)}: ${line}`);
  }
  const worse = run.filter((now) => {
    const regressions = findRegressions(now, sinceAccepted(now, history, issues));
    for (const { figure, worseBy, threshold, before: { runs } } of regressions) {
      const [by, limit] = [worseBy, threshold].map((share) => `${(100 * share).toFixed(1)} %`);
      report.line(
        `${
          label(now)
        }: ${figure.name}: ${by} worse than the baseline of ${runs} runs, more than ${limit}`,
      );
    }
    return regressions.length > 0;
  });
  const isThere = (impl: ImplInScenario) => impls.some((other) => isSame(other, impl));
  for (const impl of worse.filter((impl) => !isThere(impl))) {
    report.line(`${label(impl)}: removed since, so it is not measured again`);
  }
  return {
    impls: worse.filter(isThere).map(({ scenario, implId }) => ({ scenario, implId })),
    rerunIds: newRunIds(new Date(), run[0]!.commit),
  };
}

/** Returns the second measurement of a result: on its kind of machine where there is one, else on what most have. */
function rerunOf(now: Followed, reruns: readonly Followed[][]): Followed | undefined {
  const own = reruns.find(([first]) => isSame(first!, now)) ?? [];
  const first = own.find(({ comparableKey }) => comparableKey === now.comparableKey) ?? own[0];
  return first && { ...first, others: own.filter((other) => other !== first) };
}

function label({ implId, scenario }: ImplInScenario): string {
  return `${implId}, ${scenario}`;
}

/** What {@linkcode sendAlerts} looks at. */
export interface AlertRequest extends Pick<ArtifactsWanted, "plans"> {
  /** The published runs. */
  runIds: RunIds;
  /** The runs that measured suspects again. */
  rerunIds: RunIds;
  /** Their artifacts; may be missing. */
  artifactsFolder: string;
  /** How many attempts the workflow's run has had; 1 by default. */
  attempts?: number;
  /** The address of the published site, if known. */
  siteUrl?: string;
}

/** Options for {@linkcode sendAlerts}. */
export interface AlertOptions {
  publishedRuns: string;
  /** All current implementations and scenarios; the issue of any other is closed. */
  impls: readonly ImplInScenario[];
  environment: Environment;
  report: Report;
  signal: AbortSignal;
}

/**
 * Opens, updates or closes the issue of each implementation and scenario of published runs, closes issues of what was
 * removed, and returns a line for each artifact that could not be used.
 *
 * @throws {BenchError} when a variable is missing, none of the runs is published, an artifact was not downloaded, or
 * GitHub refuses.
 */
export async function sendAlerts(
  { runIds, rerunIds, artifactsFolder, plans, attempts = 1, siteUrl }: AlertRequest,
  { publishedRuns, impls, environment, report, signal }: AlertOptions,
): Promise<string[]> {
  const repository = valueOf("GITHUB_REPOSITORY", environment);
  const repositoryUrl = `${valueOf("GITHUB_SERVER_URL", environment)}/${repository}`;
  const links: Links = {
    repositoryUrl,
    jobUrl: `${repositoryUrl}/actions/runs/${valueOf("GITHUB_RUN_ID", environment)}`,
    siteUrl: siteUrl || undefined,
  };
  const api = apiOf(environment, signal);
  const { run, history } = await readFollowed(publishedRuns, runIds);
  // An earlier attempt of the workflow's run may have left others.
  const kind = `rerun-${rerunIds[defaultScenarioId]}`;
  await requireDownloaded(artifactsFolder, kind, { environment, signal });
  const commit = valueOf("GITHUB_SHA", environment);
  const wanted = { runIds: rerunIds, attempts, kind, commit, plans };
  const artifacts = await readArtifacts(artifactsFolder, wanted);
  const reruns = followAll(artifacts.results.map(({ result }) => result));
  const issues = await listRegressionIssues(repository, api);
  if (issues === undefined) {
    report.line(`${repository} has issues disabled: regressions are reported to nobody`);
    return artifacts.damaged;
  }
  const isThere = (impl: ImplInScenario) => impls.some((other) => isSame(other, impl));
  for (const issue of issues) {
    if (issue.state !== "open" || isThere(issue)) continue;
    const { number } = issue;
    const address = await closeIssue(repository, { number, comment: renderRemoval(issue) }, api);
    report.line(`${label(issue)}: removed, closed ${address}`);
  }
  for (const now of run.filter(isThere)) {
    const rerun = rerunOf(now, reruns);
    const decision = decide(now, history, { rerun, issues });
    report.line(`${label(now)}: ${await carryOut(decision, { repository, links, api })}`);
  }
  return artifacts.damaged;
}

/**
 * Returns this repository's issues about regressions; none outside a workflow, without a token and a repository, and
 * none where issues are disabled, which is said.
 *
 * @throws {BenchError} when another variable is missing, or GitHub refuses.
 */
export async function readIssues(
  environment: Environment,
  { report, signal }: Pick<AlertOptions, "report" | "signal">,
): Promise<RegressionIssue[]> {
  const { GITHUB_TOKEN: token, GITHUB_REPOSITORY: repository } = environment;
  if (!token || !repository) return [];
  const issues = await listRegressionIssues(repository, apiOf(environment, signal));
  if (issues === undefined) report.line(`${repository} has issues disabled: no level was accepted`);
  return issues ?? [];
}

/** Carries a decision out, and describes it. */
async function carryOut(
  decision: Decision,
  { repository, links, api }: { repository: string; links: Links; api: GitHubApi },
): Promise<string> {
  switch (decision.kind) {
    case "nothing":
      return "nothing to say";
    case "open": {
      const title = issueTitle(decision.findings.now);
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
