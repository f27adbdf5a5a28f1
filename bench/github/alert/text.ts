/**
 * The text of an issue about a regression: figures, intervals where there are any, thresholds, and where to look.
 * Its first line says, for later runs, which implementation it is about and since when. What a job's artifact
 * decides is shown as numbers that a schema let through, or as `markdown.ts` makes it.
 */
import { implIdSchema, runIdSchema } from "../../results/result_schema.ts";
import {
  deviations,
  fewestRuns,
  isWorse,
  type Judgement,
  type Regression,
  smallestShare,
} from "./rule.ts";
import type { Findings, Recovery } from "./decision.ts";
import { code, number } from "../markdown.ts";
import { type Followed, historyLength } from "../figures.ts";

/** Where an issue's links lead. */
export interface Links {
  /** The repository's page. */
  repositoryUrl: string;
  /** The workflow's run that wrote it. */
  jobUrl: string;
  /** The published site; runs are not linked without it. */
  siteUrl?: string;
}

/** Returns the title. */
export function issueTitle(implId: string): string {
  return `Regression: ${implId}`;
}

/** Returns what {@linkcode renderIssue} says for later runs; undefined where a text is not of an issue of ours. */
export function parseIssue(body: string): { implId: string; since: string } | undefined {
  const [, implId, since] = /^<!-- backbench: regression of (\S+) since (\S+) -->/.exec(body) ?? [];
  const isOurs = implIdSchema.safeParse(implId).success && runIdSchema.safeParse(since).success;
  return isOurs ? { implId: implId!, since: since! } : undefined;
}

/** Returns the text of an issue that is open. */
export function renderIssue(findings: Findings, links: Links): string {
  const { now, since, regressions } = findings;
  const [impl, first] = [now.implId, since].map(code);
  const limit = number(100 * smallestShare);
  const parts = [
    `<!-- backbench: regression of ${now.implId} since ${since} -->`,
    renderSince(findings, links),
    "| figure | before | now | worse by | threshold | measured again |\n" +
    "| :--- | ---: | ---: | ---: | ---: | :--- |\n" +
    regressions.map((regression) => renderRegression(regression, now)).join("\n"),
    renderRange(findings, links),
    `Before is the median of the last valid runs until then, ${historyLength} at most, on the same ` +
    `processor and with the same profile and control. The threshold is ${limit} %, or ${deviations} ` +
    `median absolute deviations of theirs where that is more, widened where they are fewer than ` +
    `${historyLength}; for a capacity, one step of the ladder at least.`,
    `Later runs of ${impl} rewrite this text, and the first in which all of these figures are back ` +
    `closes it. Close it as *not planned* to accept the new level: alerts then look at no run ` +
    `before ${first} any more.`,
  ];
  return parts.filter((part) => part !== "").join("\n\n") + "\n";
}

/** Returns the comment with which an issue is closed. */
export function renderEnd(
  { now, since, recoveries }: { now: Followed; since: string; recoveries: Recovery[] },
  links: Links,
): string {
  return `Over with ${runLink(now.runId, links)}: none of the figures that were worse is so any ` +
    `more, held against the runs before ${code(since)}.\n\n` +
    "| figure | before | now | difference | threshold |\n" +
    "| :--- | ---: | ---: | ---: | ---: |\n" +
    recoveries.map((recovery) => `${renderRecovery(recovery, now)}\n`).join("");
}

/** Returns the comment with which an issue is closed that nothing can be held against any more. */
export function renderLapse(
  { now, since }: { now: Followed; since: string },
  links: Links,
): string {
  return `No longer comparable: neither ${
    runLink(now.runId, links)
  } nor the ${fewestRuns} before it ` +
    `can be held against the runs before ${
      code(since)
    }, because the processor, the control or the ` +
    "profile is another. Whether the figures recovered is not known; from now on, they are held " +
    "against runs that they can be compared with.\n";
}

/** Returns the comment with which the issue of an implementation that is gone is closed. */
export function renderRemoval(implId: string): string {
  return `Closed, because ${code(implId)} is no longer measured: there is no folder ` +
    `${code(`impls/${implId}`)} any more.\n`;
}

function renderSince({ now, rerun, since }: Findings, links: Links): string {
  const sentences = [`${code(now.implId)} has been worse since ${runLink(since, links)}.`];
  if (now.runId !== since) sentences.push(`Measured last in ${runLink(now.runId, links)}.`);
  if (rerun !== undefined) {
    const job = `It was measured again in [this job](${new URL(links.jobUrl).href})`;
    const other = `on ${code(rerun.cpuModel)} instead of ${code(now.cpuModel)}: each is held ` +
      "against earlier runs on its own";
    sentences.push(rerun.cpuModel === now.cpuModel ? `${job}.` : `${job}, ${other}.`);
  }
  return sentences.join(" ");
}

function renderRegression(regression: Regression, now: Followed): string {
  const { figure: { name, unit, value, interval }, before, runs } = regression;
  const confidence = interval && number(Math.floor(100 * interval.confidence));
  const range = interval === undefined
    ? ""
    : ` (${confidence} % interval ${short(interval.low)} to ${short(interval.high)})`;
  return row(
    `${figureName(name, now)}, ${unit}`,
    `${short(before)} (${runs} runs)`,
    `${short(value)}${range}`,
    percent(regression.worseBy),
    percent(regression.threshold),
    regression.again === undefined ? "–" : renderAgain(regression.again),
  );
}

function renderAgain(again: Judgement): string {
  const outcome = isWorse(again) ? "**confirmed**" : "not confirmed";
  return `${short(again.figure.value)}, ${difference(again)}: ${outcome}`;
}

function renderRecovery({ again, ...once }: Recovery, now: Followed): string {
  const judgement = again ?? once;
  const { figure: { name, unit, value }, before, runs, threshold } = judgement;
  return row(
    `${figureName(name, now)}, ${unit}`,
    `${short(before)} (${runs} runs)`,
    again === undefined ? short(value) : `${short(value)} (measured again)`,
    difference(judgement),
    percent(threshold),
  );
}

function row(...cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

/** Within an issue about one implementation, its name goes without saying. */
function figureName(name: string, { implId }: Followed): string {
  return code(name.replace(`${implId}: `, ""));
}

function renderRange({ first, last }: Findings, { repositoryUrl }: Links): string {
  if (first === undefined || last === undefined) return "";
  const [from, to] = [last.commit, first.commit].map((commit) => commit.slice(0, 7));
  const before = code(last.runId);
  if (last.commit === first.commit) {
    return `The run before it, ${before}, measured the same commit, ${to}: what changed is not in ` +
      "this repository.";
  }
  const address = new URL(`${repositoryUrl}/compare/${last.commit}...${first.commit}`).href;
  return `[The commits from ${from} to ${to}](${address}) came in since the run before it, ${before}.`;
}

function runLink(runId: string, { siteUrl }: Links): string {
  return siteUrl === undefined
    ? `run ${code(runId)}`
    : `[run ${runId}](${new URL(`runs/${runId}/`, siteUrl.replace(/\/*$/, "/")).href})`;
}

function difference({ worseBy }: Judgement): string {
  return `${percent(Math.abs(worseBy))} ${worseBy < 0 ? "better" : "worse"}`;
}

function percent(share: number): string {
  return `${number(100 * share, 1)} %`;
}

/** Returns a number with four digits that count, and all of an integer. */
function short(value: number): string {
  if (Number.isInteger(value)) return number(value);
  const before = Math.floor(Math.log10(value)) + 1;
  return number(value, Math.min(Math.max(4 - before, 0), 6));
}
