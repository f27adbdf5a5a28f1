/**
 * The text of an issue about a regression: figures, intervals where there are any, thresholds, and where to look.
 * Its first line says, for later runs, which implementation and scenario it is about, since when, and what each figure
 * lost. What a job's artifact decides is shown as numbers that a schema let through, or as `markdown.ts` makes it.
 */
import { z } from "zod";
import { implIdSchema } from "../../results/environment_schema.ts";
import { runIdSchema } from "../../results/result_schema.ts";
import { scenarioIds } from "../../scenario/ids.ts";
import {
  confirmConfidence,
  deviations,
  fewestRuns,
  type Judgement,
  type Regression,
  smallestShare,
  suspectConfidence,
} from "./rule.ts";
import { type Findings, type Losses, type Recovery, regainedShare } from "./decision.ts";
import { code, number } from "../markdown.ts";
import { type Baseline, type Followed, historyLength, type ImplInScenario } from "../figures.ts";
import { intervalName } from "../../results/words.ts";

/** The targets of an issue's links. */
export interface Links {
  /** The repository's page. */
  repositoryUrl: string;
  /** The workflow's run that wrote it. */
  jobUrl: string;
  /** The published site; runs are not linked without it. */
  siteUrl?: string;
}

/** Returns the title. */
export function issueTitle({ implId, scenario }: ImplInScenario): string {
  return `Regression: ${implId}, ${scenario}`;
}

const aboutSchema = z.object({
  implId: implIdSchema,
  scenario: z.enum(scenarioIds),
  since: runIdSchema,
});

/** A figure's name, and what it lost as a share of its baseline. */
const lossesSchema = z.array(z.tuple([z.string(), z.number().positive()]));

/** What the first line of an issue says. */
export interface IssueAbout extends z.infer<typeof aboutSchema> {
  /** Empty if it does not say. */
  losses: Losses;
}

/** Parses the first line of an issue by {@linkcode renderIssue}; undefined for any other text. */
export function parseIssue(body: string): IssueAbout | undefined {
  const [, implId, scenario, since, losses] =
    /^<!-- backbench: regression of (\S+) in (\S+) since (\S+?)(?:: (.+))? -->/.exec(body) ?? [];
  const { data } = aboutSchema.safeParse({ implId, scenario, since });
  return data && { ...data, losses: parseLosses(losses) };
}

function parseLosses(json = "[]"): Losses {
  try {
    return new Map(lossesSchema.safeParse(JSON.parse(json)).data);
  } catch {
    // A person may have edited it.
    return new Map();
  }
}

/** Returns the text of an open issue. */
export function renderIssue(findings: Findings, links: Links): string {
  const { now, since, regressions, losses } = findings;
  const [impl, scenario, first] = [now.implId, now.scenario, since].map(code);
  const limit = number(100 * smallestShare);
  const parts = [
    `<!-- backbench: regression of ${now.implId} in ${now.scenario} since ${since}: ${
      JSON.stringify([...losses])
    } -->`,
    renderSince(findings, links),
    "| figure | baseline | now | worse by | threshold | second measurement |\n" +
    "| :--- | ---: | ---: | ---: | ---: | :--- |\n" +
    regressions.map(renderRegression).join("\n"),
    renderRange(findings, links),
    `The baseline covers the last valid runs before it, ${historyLength} at most, of the same scenario ` +
    "and profile, on the same processor, with the same control, whatever the sources and versions " +
    "were. For warm goodput and startup it is their mean ratio to the control, and the threshold is " +
    `${limit} %, or the ${
      number(100 * suspectConfidence)
    } % prediction interval of a further run if that is ` +
    "more; a second measurement confirms the regression if both together leave the " +
    `${
      number(100 * confirmConfidence, 1)
    } % interval. For other figures it is the median, and the ` +
    `threshold is ${limit} %, or ${deviations} median absolute deviations of those runs if that is ` +
    `more, and wider with fewer than ${historyLength} runs; for the highest sustainable rate, it is ` +
    "at least one step of the rate sweep. Of a figure that is 0, it is " +
    `${limit} % if no earlier run had 0.`,
    `Later runs of ${impl} in ${scenario} update this issue. It is closed once two of them in a row ` +
    "show each figure that was confirmed within its threshold, and no further from its baseline than " +
    `${
      number(100 * (1 - regainedShare))
    } % of what it had lost. To accept the new level, close it as *not planned*: alerts then ignore all runs ` +
    `before ${first}.`,
  ];
  return parts.filter((part) => part !== "").join("\n\n") + "\n";
}

/** Returns the comment that closes an issue. */
export function renderEnd(
  { now, since, recoveries }: { now: Followed; since: string; recoveries: Recovery[] },
  links: Links,
): string {
  return `Fixed in ${
    runLink(now.runId, links)
  }: in this run and in the one before it, each figure is ` +
    `within the threshold of its baseline, the runs before ${
      code(since)
    }, and has regained at least ` +
    `${number(100 * regainedShare)} % of what it had lost.\n\n` +
    "| figure | baseline | now | difference | threshold | had lost |\n" +
    "| :--- | ---: | ---: | ---: | ---: | ---: |\n" +
    recoveries.map((recovery) => `${renderRecovery(recovery)}\n`).join("");
}

/** Returns the comment that closes an issue once no recent run is comparable with its baseline. */
export function renderLapse(
  { now, since }: { now: Followed; since: string },
  links: Links,
): string {
  return `No recent run is comparable with those before ${
    code(since)
  }: the kind of machine, a setting of the kernel, the control ` +
    `or the profile differs in ${
      runLink(now.runId, links)
    } and the ${fewestRuns} runs before it. ` +
    "Whether the figures recovered is unknown. From now on, the baseline covers the comparable runs.\n";
}

/** Returns the comment that closes the issue of what is no longer measured. */
export function renderRemoval({ implId, scenario }: ImplInScenario): string {
  return `No longer measured: ${
    code(`impls/${implId}`)
  } was removed, or no longer lists the scenario ` +
    `${code(scenario)}.\n`;
}

function renderSince({ now, rerun, since }: Findings, links: Links): string {
  const sentences = [
    `${code(now.implId)} regressed in ${code(now.scenario)} in ${runLink(since, links)}.`,
  ];
  if (now.runId !== since) sentences.push(`Last measured in ${runLink(now.runId, links)}.`);
  if (rerun !== undefined) {
    const job = `CI repeated the measurement in [this job](${new URL(links.jobUrl).href})`;
    const other = `on ${code(rerun.cpuModel)} instead of ${code(now.cpuModel)}: each is compared ` +
      "with the baseline of its own processor";
    sentences.push(rerun.cpuModel === now.cpuModel ? `${job}.` : `${job}, ${other}.`);
  }
  return sentences.join(" ");
}

function renderRegression(regression: Regression): string {
  const { figure: { name, unit, value, interval, machines }, before } = regression;
  const confidence = interval && number(Math.floor(100 * interval.confidence));
  const range = interval === undefined
    ? ""
    : ` (${confidence} %: ${short(interval.low)}–${short(interval.high)}, ${
      intervalName({ runs: 1, machines: machines?.length })
    })`;
  return row(
    `${code(name)}, ${unit}`,
    renderBaseline(before),
    `${short(value)}${range}`,
    percent(regression.worseBy),
    percent(regression.threshold),
    renderAgain(regression),
  );
}

function renderBaseline({ value, interval, runs, machines }: Baseline): string {
  return interval === undefined
    ? `${short(value)} (median of ${runs} runs)`
    : `${short(value)} (95 %: ${short(interval.low)}–${short(interval.high)}, ${
      intervalName({ runs, machines })
    })`;
}

function renderAgain({ again, state }: Regression): string {
  if (again === undefined) return "–";
  const outcome = state === "confirmed" ? "**confirmed**" : "not confirmed";
  return `${short(again.figure.value)}, ${difference(again)}: ${outcome}`;
}

function renderRecovery(recovery: Recovery): string {
  const { figure: { name, unit, value }, before, threshold, loss } = recovery;
  return row(
    `${code(name)}, ${unit}`,
    renderBaseline(before),
    short(value),
    difference(recovery),
    percent(threshold),
    percent(loss),
  );
}

function row(...cells: string[]): string {
  return `| ${cells.join(" | ")} |`;
}

function renderRange({ first, last }: Findings, { repositoryUrl }: Links): string {
  if (first === undefined || last === undefined) return "";
  const [from, to] = [last.commit, first.commit].map((commit) => commit.slice(0, 7));
  const before = code(last.runId);
  if (last.commit === first.commit) {
    return `The run before it, ${before}, measured the same commit, ${to}: no change in this ` +
      "repository explains the regression.";
  }
  const address = new URL(`${repositoryUrl}/compare/${last.commit}...${first.commit}`).href;
  return `[The commits from ${from} to ${to}](${address}) came in after the run before it, ${before}.`;
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

/** Returns a number with three significant digits, or an integer in full. */
function short(value: number): string {
  if (Number.isInteger(value)) return number(value);
  const before = Math.floor(Math.log10(value)) + 1;
  return number(value, Math.min(Math.max(3 - before, 0), 6));
}
