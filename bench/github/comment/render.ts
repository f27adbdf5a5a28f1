/**
 * The comment on a pull request: what was measured of it? Takes the files that its unprivileged job left, and
 * from the event what was measured and where; gives Markdown. The files are a stranger's: their text is
 * shown only as `markdown.ts` makes it, and only numbers that a schema let through are formatted.
 */
import { invalidReasons, lastRepetition } from "../../results/outcome.ts";
import type { Level, Problem, Result } from "../../results/result_schema.ts";
import type { ComparedLevel } from "../../results/comparison_schema.ts";
import type { ComparisonFile } from "../../results/files_schema.ts";
import { type RatioInterval, verdict } from "../../statistics/mod.ts";
import { type ArtifactFiles, parseArtifact } from "./artifact.ts";
import { code, codeBlock, number } from "../markdown.ts";

/** What the event says, which no artifact can. */
export interface CommentContext {
  /** The commit at the head of the pull request. */
  headSha: string;
  /** Address of the workflow's run. */
  runUrl: string;
}

/** The first line of each of our comments: by it, the one to update is found. */
export const commentMarker = "<!-- backbench: pull request -->";

/** GitHub takes 65,536 characters. */
const maxCharacters = 60_000;

/** Rows of one kind that are shown: levels, problems, comparisons. */
const maxRows = 12;

/** Returns the comment. Whatever the files hold, it is one that GitHub takes. */
export function renderComment(files: ArtifactFiles, { headSha, runUrl }: CommentContext): string {
  const { results, comparisons, problems } = parseArtifact(files);
  const sections = [
    ...results.map(renderResult),
    ...comparisons.map(renderComparison),
    ...(problems.length === 0 ? [] : [
      "### Files that are not used\n\n" +
      rows(problems, (problem) => `- ${code(problem)}`),
    ]),
    ...(files.size === 0
      ? ["Nothing was measured. Where an implementation was touched, the job's log tells why."]
      : []),
  ];
  const head = `${commentMarker}\n## Backbench\n\n` +
    `Measured at ${headSha.slice(0, 7)} in [this job](${new URL(runUrl).href}), which ran the ` +
    `pull request's own code: its word, not a published result.`;
  let text = head;
  for (const [index, section] of sections.entries()) {
    if (text.length + section.length > maxCharacters) {
      text += `\n\n${number(sections.length - index)} more parts do not fit here: see the job.`;
      break;
    }
    text += `\n\n${section}`;
  }
  return `${text}\n`;
}

function renderResult(result: Result): string {
  const { impl, plan, failure, levels } = result;
  const parts = [`### ${code(impl.id)}, profile ${plan.profile}`];
  if (failure !== undefined) {
    parts.push(
      `**Failed to ${failure.stage}**: ${code(failure.message)}` +
        (failure.detail === "" ? "" : `\n\n${codeBlock(failure.detail)}`),
    );
  }
  parts.push(renderContract(result));
  if (levels.length > 0) parts.push(renderLevels(result));
  if (levels.length < plan.levels.length) {
    parts.push(`${number(plan.levels.length - levels.length)} levels were not measured.`);
  }
  parts.push(renderVersions(result));
  return parts.join("\n\n");
}

function renderContract({ verification }: Result): string {
  if (verification === undefined) return "Contract: not checked.";
  const { problems, outage } = verification;
  const unchecked = outage === "checked" ? "" : " Loss of the database was not checked.";
  if (problems.length === 0) return `Contract: all checks passed.${unchecked}`;
  return `Contract: **${number(problems.length)} not met**.${unchecked}\n\n${
    rows(problems, renderProblem)
  }`;
}

function renderProblem({ check, sent, came, expected }: Problem): string {
  return `- ${code(check)}: sent ${code(sent)}, came ${code(came)}, expected ${code(expected)}`;
}

function renderLevels({ levels, comparison }: Result): string {
  const head = "| connections | correct answers/s | failed | p99 ms | to the control |\n" +
    "| ---: | ---: | ---: | ---: | :--- |\n";
  const compared = new Map(comparison?.levels.map((level) => [level.connections, level]));
  const sorted = levels.toSorted((a, b) => a.connections - b.connections);
  return head + rows(sorted, (level) => renderLevel(level, compared.get(level.connections)));
}

function renderLevel(level: Level, compared: ComparedLevel | undefined): string {
  const { figures, observation } = lastRepetition(level);
  const failed = observation === undefined
    ? "–"
    : number(observation.attempted - observation.correct);
  const control = compared === undefined ? "–" : renderRatio(compared);
  if (figures === undefined) {
    const reasons = invalidReasons(level).slice(0, maxRows).map(code);
    return `| ${number(level.connections)} | **invalid**: ${
      reasons.join(" ")
    } | ${failed} | – | – |`;
  }
  const least = level.frame?.isGeneratorBound ? "at least " : "";
  return `| ${number(level.connections)} | ${least}${number(figures.goodputPerSecond)} | ` +
    `${failed} | ${number(figures.latencySeconds.p99 * 1000, 2)} | ${control} |`;
}

function renderComparison({ subject, reference, levels, plan }: ComparisonFile): string {
  const name = subject.id === reference.id ? "its base" : code(reference.id);
  const what = `### ${code(subject.id)} against ${name} (${reference.commit.slice(0, 7)})`;
  const seconds = number(plan.budgetSeconds);
  return `${what}\n\n${
    rows(levels, (level) => {
      const { goodput, connections } = level;
      const outcome = goodput === undefined || level.problem !== undefined
        ? ""
        : `**${verdict(goodput)}**, `;
      return `- ${number(connections)} connections: ${outcome}${renderRatio(level)}`;
    })
  }\n\nGoodput, interleaved in one job for ${seconds} s; tied unless the whole interval is on one side of 1.`;
}

function renderRatio({ goodput, problem, rounds }: ComparedLevel): string {
  if (problem !== undefined) return `invalid: ${code(problem)}`;
  if (goodput === undefined) return `not decided, with ${number(rounds.length)} rounds`;
  return renderInterval(goodput);
}

function renderInterval({ estimate, low, high, confidence, rounds }: RatioInterval): string {
  return `${number(estimate, 3)} times (${number(Math.floor(confidence * 100))} % interval ` +
    `${number(low, 3)} to ${number(high, 3)}, ${number(rounds)} rounds)`;
}

function renderVersions({ impl, database, machine }: Result): string {
  const parts = [impl.framework, impl.driver, impl.jwt, impl.runtime]
    .filter((part) => part !== undefined)
    .map(({ name, version }) => code(`${name} ${version ?? "(version unknown)"}`));
  if (database !== undefined) parts.push(code(`${database.engine} ${database.version}`));
  return `${parts.join(", ")}; ${code(machine.cpuModel)}, ${number(machine.cpuCount)} processors.`;
}

/** Returns a line for each item, and one for those that are left out. */
function rows<T>(items: readonly T[], render: (item: T) => string): string {
  const shown = items.slice(0, maxRows).map(render).join("\n");
  const left = items.length - maxRows;
  return left > 0 ? `${shown}\n\n${number(left)} more are left out here.` : shown;
}
