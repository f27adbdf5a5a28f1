/**
 * The comment on a pull request. Takes the files from its unprivileged job, and commit and job from the event;
 * returns Markdown. The files are untrusted: text is escaped by `markdown.ts`, and numbers are validated by a schema.
 */
import { comparedLevels, qualifierAt, ratioAt } from "../../results/compared.ts";
import { coldStartAt, warmGoodputAt } from "../../results/goodput.ts";
import { invalidReasons, lastRepetition, outcomeOf } from "../../results/outcome.ts";
import type { Level, Problem, Result } from "../../results/result_schema.ts";
import type { ComparedLevel } from "../../results/comparison_schema.ts";
import type { ComparisonFile } from "../../results/files_schema.ts";
import { partText, versionsOf } from "../../results/versions.ts";
import { boundOf, list, ratioText } from "../../results/words.ts";
import { type RatioInterval, verdict } from "../../statistics/mod.ts";
import { type ArtifactFiles, parseArtifact } from "./artifact.ts";
import { code, codeBlock, number } from "../markdown.ts";

/** Facts from the event, not from an artifact. */
export interface CommentContext {
  /** The commit at the head of the pull request. */
  headSha: string;
  /** Address of the workflow's run. */
  runUrl: string;
}

/** The first line of the comment, by which it is found for an update. */
export const commentMarker = "<!-- backbench: pull request -->";

/** GitHub accepts 65,536 characters. */
const maxCharacters = 60_000;

/** Maximum number of rows of one kind: levels, problems, comparisons. */
const maxRows = 12;

/** Returns the comment, which GitHub accepts whatever the files contain. */
export function renderComment(files: ArtifactFiles, { headSha, runUrl }: CommentContext): string {
  const { results, comparisons, problems } = parseArtifact(files);
  const sections = [
    ...[...Map.groupBy(results, sameFailure).values()].map(renderResults),
    ...comparisons.map(renderComparison),
    ...(problems.length === 0 ? [] : [
      "### Ignored files\n\n" +
      rows(problems, (problem) => `- ${code(problem)}`),
    ]),
    ...(files.size === 0
      ? ["Nothing was measured. If an implementation was touched, the job's log says why."]
      : []),
  ];
  const head = `${commentMarker}\n## Backbench\n\n` +
    `Measured at ${headSha.slice(0, 7)} in [this job](${new URL(runUrl).href}), which ran the ` +
    `pull request's own code: unverified; not a published result.`;
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

/** Groups results: a failed build is reported once for all scenarios of an implementation; other results separately. */
function sameFailure(result: Result): string | Result {
  const { impl, failure, levels } = result;
  return failure?.stage === "build" && levels.length === 0
    ? JSON.stringify([impl.id, failure.message])
    : result;
}

function renderResults(results: Result[]): string {
  const [result] = results as [Result];
  const { impl, plan, failure, levels } = result;
  const scenarios = [...new Set(results.map(({ scenario }) => code(scenario)))];
  const parts = [`### ${code(impl.id)}: ${list(scenarios)}, profile ${plan.profile}`];
  if (failure !== undefined) {
    parts.push(
      `**Failed at ${failure.stage}**: ${code(failure.message)}` +
        (failure.detail === "" ? "" : `\n\n${codeBlock(failure.detail)}`),
    );
  }
  parts.push(renderContract(result));
  if (levels.length > 0) parts.push(renderLevels(result));
  if (levels.length < plan.levels.length) {
    parts.push(`Levels not measured: ${number(plan.levels.length - levels.length)}.`);
  }
  parts.push(renderVersions(result));
  return parts.join("\n\n");
}

function renderContract({ verification }: Result): string {
  if (verification === undefined) return "Contract: not checked.";
  const { problems, outage } = verification;
  const unchecked = outage === "not-checked" ? " Loss of the database was not checked." : "";
  if (problems.length === 0) return `Contract: all checks passed.${unchecked}`;
  const alike = Map.groupBy(problems, ({ came, expected }) => JSON.stringify([came, expected]));
  return `Contract: **checks failed: ${number(problems.length)}**.${unchecked}\n\n${
    rows([...alike.values()], renderProblems)
  }`;
}

/** One mistake fails many checks, so those with the same answer and expectation share a line. */
function renderProblems(problems: Problem[]): string {
  const [{ sent, came, expected }] = problems as [Problem];
  const checks = [...new Set(problems.map(({ check }) => check))];
  const names = checks.slice(0, maxRows).map(code).join(", ");
  const left = checks.length > maxRows ? `, and ${number(checks.length - maxRows)} more` : "";
  const example = checks.length > 1 ? "for example, " : "";
  return `- ${names}${left}: ${example}sent ${code(sent)}, got ${code(came)}, ` +
    `expected ${code(expected)}`;
}

function renderLevels(result: Result): string {
  const sorted = result.levels.toSorted((a, b) => a.connections - b.connections);
  const table =
    "| connections | warm: ratio to the control | warm: answers/s | cold: answers/s | cold of warm | cold: failed | cold: p99 ms |\n" +
    "| ---: | :--- | :--- | ---: | ---: | ---: | ---: |\n" +
    rows(sorted, (level) => renderLevel(result, level));
  const reasons = sorted.flatMap((level) =>
    invalidReasons(level).map((reason) => ({ reason, connections: level.connections }))
  );
  const alike = Map.groupBy(reasons, ({ reason }) => reason);
  const invalid = rows([...alike], ([reason, levels]) => {
    const connections = [...new Set(levels.map(({ connections }) => number(connections)))];
    return `- invalid at ${connections.slice(0, maxRows).join(", ")} connections: ${code(reason)}`;
  });
  return [table, invalid, meaningOf(result)].filter((part) => part !== "").join("\n\n");
}

function renderLevel(result: Result, level: Level): string {
  const { connections, frame } = level;
  const { observation } = lastRepetition(level);
  const failed = observation === undefined
    ? "–"
    : number(observation.attempted - observation.correct);
  const outcome = outcomeOf(level);
  if ("missing" in outcome) {
    return `| ${number(connections)} | **invalid** | – | – | – | ${failed} | – |`;
  }
  const { goodputPerSecond, latencySeconds } = outcome.value.figures;
  const least = frame?.isGeneratorBound ? "at least " : "";
  const warm = warmGoodputAt(result, connections);
  const coldStart = coldStartAt(result, connections);
  return `| ${number(connections)} | ${renderControl(result, connections)} | ` +
    ("value" in warm
      ? `${least}${number(warm.value.estimate)} (${number(warm.value.low)}–${
        number(warm.value.high)
      })`
      : "–") +
    ` | ${least}${number(goodputPerSecond)} | ` +
    ("value" in coldStart ? `${number(100 * coldStart.value.share)} %` : "–") +
    ` | ${failed} | ${boundOf(latencySeconds, "p99")}${number(latencySeconds.p99 * 1000, 2)} |`;
}

/** Returns what cold and warm are, for those who read nothing else. */
function meaningOf({ plan: { warmUpRequests, requests } }: Result): string {
  return "Warm: from alternating slices of load on warm processes, with the interval of this run. " +
    `Cold: one load of ${number(requests)} requests on a fresh process after ` +
    `${number(warmUpRequests)}, without an interval.`;
}

function renderControl(result: Result, connections: number): string {
  if (!comparedLevels(result).includes(connections)) return "–";
  const ratio = ratioAt(result, connections);
  if ("missing" in ratio) return code(ratio.missing);
  const qualifier = qualifierAt(result, connections);
  return `${qualifier === undefined ? "" : `${qualifier} `}${renderRatio(ratio.value)}`;
}

function renderComparison({ scenario, subject, reference, levels, plan }: ComparisonFile): string {
  const name = subject.id === reference.id ? "its base" : code(reference.id);
  const what = `### ${code(subject.id)}: ${code(scenario)}, compared with ${name} ` +
    `(${reference.commit.slice(0, 7)})`;
  const seconds = number(plan.budgetSeconds);
  return `${what}\n\n${rows(levels, renderComparedLevel)}\n\n` +
    `Warm throughput with the interval of this run, measured in alternating slices for ${seconds} s. Tied: we could not measure a difference.`;
}

function renderComparedLevel({ connections, goodput, problem, rounds }: ComparedLevel): string {
  const at = `- ${number(connections)} connections: `;
  if (problem !== undefined) return `${at}invalid: ${code(problem)}`;
  if (goodput === undefined) return `${at}not decided after ${number(rounds.length)} rounds`;
  return `${at}**${verdict(goodput)}**, ${renderRatio(goodput)}`;
}

function renderRatio({ estimate, low, high, confidence, rounds }: RatioInterval): string {
  const [ratio, from, to] = [estimate, low, high].map((value) => ratioText(value, 3));
  const percent = number(Math.floor(confidence * 100));
  return `${ratio} times (${percent} %: ${from}–${to}, ${number(rounds)} rounds)`;
}

function renderVersions(result: Result): string {
  const { framework, driver, jwt, runtime, database } = versionsOf(result);
  const parts = [framework, driver, jwt, runtime, database]
    .filter((part) => part !== undefined)
    .map((part) =>
      code(part.version === undefined ? `${part.name} (version unknown)` : partText(part))
    );
  const { cpuModel, cpuCount } = result.machine;
  return `${parts.join(", ")}; ${code(cpuModel)}, ${number(cpuCount)} processors.`;
}

/** Returns a line for each item, and one for the omitted ones. */
function rows<T>(items: readonly T[], render: (item: T) => string): string {
  const shown = items.slice(0, maxRows).map(render).join("\n");
  const left = items.length - maxRows;
  return left > 0 ? `${shown}\n\n${number(left)} more are left out here.` : shown;
}
