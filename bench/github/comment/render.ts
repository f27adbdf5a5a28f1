/**
 * The comment on a pull request. Takes the files from its unprivileged job, and commit and job from the event;
 * returns Markdown. The files are untrusted: text is escaped by `markdown.ts`, and numbers are validated by a schema.
 */
import { comparedLevels, qualifierAt, ratioAt } from "../../results/compared.ts";
import { coldStartAt, warmGoodputAt } from "../../results/goodput.ts";
import { partsDone } from "../../results/parts_done.ts";
import {
  invalidReasons,
  isGeneratorBound,
  lastRepetition,
  outcomeOf,
} from "../../results/outcome.ts";
import type { Level, Problem, Result } from "../../results/result_schema.ts";
import type { ComparisonFile } from "../../results/files_schema.ts";
import { comparedLevel } from "../../results/plan.ts";
import { partText, versionsOf } from "../../results/versions.ts";
import { boundOf, capitalise, list, ratioText } from "../../results/words.ts";
import { type RatioInterval, verdict } from "../../statistics/mod.ts";
import { type ArtifactFiles, parseArtifact } from "./artifact.ts";
import { invalidSteps, renderBursts } from "./bursts.ts";
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

/** Maximum number of lines that say what came out, one for each implementation and scenario. */
const maxOutcomes = 24;

/** Returns the comment, which GitHub accepts whatever the files contain. */
export function renderComment(files: ArtifactFiles, { headSha, runUrl }: CommentContext): string {
  const { results, comparisons, problems } = parseArtifact(files);
  const outcomes = outcomesOf(results, comparisons);
  const causes = [...causesOf(results, comparisons), ...ignoredFiles(problems)];
  const job = `[this job](${new URL(runUrl).href})`;
  const head = [
    `${commentMarker}\n## Backbench: ${summaryOf(outcomes)}`,
    files.size === 0
      ? `If an implementation was touched, the log of ${job} says why.`
      : rows(outcomes, ({ line }) => `- ${line}`, maxOutcomes),
    ...(causes.length === 0 ? [] : [`### Problems\n\n${rows(causes, (cause) => `- ${cause}`)}`]),
    `Measured at ${headSha.slice(0, 7)} in ${job}, which ran the pull request's own code: ` +
    `unverified; not a published result.`,
  ].filter((part) => part !== "").join("\n\n");
  const sections = [
    ...comparisons.map(renderComparison),
    ...[...Map.groupBy(results, sameFailure).values()].map(renderResults),
  ];
  return `${head}${fold(sections, maxCharacters - head.length)}\n`;
}

/** Returns sections that a click unfolds, as many as there is room for. */
function fold(sections: readonly string[], room: number): string {
  if (sections.length === 0) return "";
  let text = "\n\n<details>\n<summary>Every figure</summary>";
  for (const [index, section] of sections.entries()) {
    if (text.length + section.length > room) {
      text += `\n\n${number(sections.length - index)} more parts do not fit here: see the job.`;
      break;
    }
    text += `\n\n${section}`;
  }
  return `${text}\n\n</details>`;
}

/** What came out for one implementation in one scenario. */
interface Outcome {
  kind: "failed" | "slower" | "faster" | "no difference" | "measured";
  line: string;
}

/** Returns an outcome for each implementation and scenario: those that need somebody first. */
function outcomesOf(
  results: readonly Result[],
  comparisons: readonly ComparisonFile[],
): Outcome[] {
  const left = new Set(comparisons);
  const ofResults = results.map((result) => {
    const comparison = comparisons.find((file) =>
      left.has(file) && file.subject.id === result.impl.id && file.scenario === result.scenario
    );
    if (comparison !== undefined) left.delete(comparison);
    return outcomeFor(result, comparison);
  });
  const alone = [...left].map((file) => outcomeOfComparison(file));
  const order: Outcome["kind"][] = ["failed", "slower", "faster", "no difference", "measured"];
  return [...ofResults, ...alone].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

function outcomeFor(result: Result, comparison: ComparisonFile | undefined): Outcome {
  const wrong = whatIsWrong(result);
  const name = nameOf(result.impl.id, result.scenario);
  const compared = comparison && outcomeOfComparison(comparison);
  if (wrong.length > 0) {
    const line = `${name}: ${
      [...wrong, ...compared === undefined ? [] : [compared.line.slice(name.length + 2)]].join("; ")
    }`;
    return { kind: "failed", line };
  }
  if (compared !== undefined) return compared;
  const [connections] = comparedLevels(result).includes(comparedLevel)
    ? [comparedLevel]
    : comparedLevels(result);
  const ratio = connections === undefined
    ? "without a comparison"
    : `${renderControl(result, connections)} the control at ${number(connections)} connections`;
  return { kind: "measured", line: `${name}: measured, ${ratio}` };
}

/** Says what keeps a result from being a good one, each thing in a few words. */
function whatIsWrong(result: Result): string[] {
  const { failure, status, levels, verification } = result;
  const { done, planned, name: what } = partsDone(result);
  const problems = verification?.problems.length ?? 0;
  const invalid = levels.filter((level) => invalidReasons(level).length > 0)
    .map(({ connections }) => number(connections));
  return [
    ...(failure === undefined ? [] : [`**failed at ${failure.stage}**: ${code(failure.message)}`]),
    ...(status === "incomplete"
      ? [
        `**incomplete**: its job ended before the measurement did, after ${number(done)} of ${
          number(planned)
        } ${what}`,
      ]
      : []),
    ...(problems === 0 ? [] : [`**checks failed: ${number(problems)}**`]),
    ...(invalid.length === 0
      ? []
      : [`**invalid** at ${invalid.slice(0, maxRows).join(", ")} connections`]),
    ...invalidSteps(result).slice(0, maxRows).map(({ where }) => `**invalid** ${where}`),
  ];
}

function outcomeOfComparison({ scenario, subject, reference, levels }: ComparisonFile): Outcome {
  const base = subject.id === reference.id ? "its base" : code(reference.id);
  const name = nameOf(subject.id, scenario);
  const found = levels.flatMap(({ goodput, problem }) =>
    goodput === undefined || problem !== undefined ? [] : [verdict(goodput)]
  );
  const kind = (["slower", "faster"] as const).find((one) => found.includes(one)) ??
    (found.length === 0 ? "failed" : "no difference");
  const texts = levels.slice(0, maxRows).map(({ connections, goodput, problem, rounds }) => {
    const at = `at ${number(connections)} connections`;
    if (problem !== undefined) return `**no comparison** with ${base} ${at}`;
    if (goodput === undefined) {
      return `**not decided** against ${base} ${at} after ${number(rounds.length)} rounds`;
    }
    return `${renderVerdict(goodput)} ${base} ${at}, ${renderRatio(goodput)}`;
  });
  return { kind, line: `${name}: ${texts.join("; ")}` };
}

/** Returns by how much one is faster or slower, in words that go before a name: `**8.2 % slower** than`. */
function renderVerdict(ratio: RatioInterval): string {
  const which = verdict(ratio);
  if (which === "tied") return "**no difference** found from";
  const share = Math.abs(ratio.estimate - 1);
  const by = share < 1
    ? `${number(100 * share, share < 0.1 ? 1 : 0)} % ${which}`
    : `${ratioText(ratio.estimate)} times as fast`;
  return `**${by}** ${share < 1 ? "than" : "as"}`;
}

function nameOf(implId: string, scenario: string): string {
  return `${code(implId)}, ${code(scenario)}`;
}

function summaryOf(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return "nothing was measured";
  const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
  return [...kinds].map(([kind, { length }]) => `${number(length)} ${kind}`).join(", ");
}

/** Something that is wrong, once or many times. */
interface Found {
  /** Equal for what has the same cause. */
  cause: string;
  where: string;
  /** As it was once. */
  example: string;
}

/** Returns a line for each cause of problems, with one example, how often it was found, and where. */
function causesOf(
  results: readonly Result[],
  comparisons: readonly ComparisonFile[],
): string[] {
  const found = [
    ...results.flatMap(problemsOf),
    ...comparisons.flatMap(({ scenario, subject, levels }) =>
      levels.flatMap(({ connections, problem }): Found[] =>
        problem === undefined ? [] : [{
          cause: withoutNumbers(problem),
          where: nameOf(subject.id, scenario),
          example: `compared at ${number(connections)} connections: ${code(problem)}`,
        }]
      )
    ),
  ];
  const causes = [...Map.groupBy(found, ({ cause }) => cause).values()];
  return causes.sort((a, b) => b.length - a.length).map((alike) => {
    const places = [...new Set(alike.map(({ where }) => where))];
    const more = places.length > 3 ? ` and ${number(places.length - 3)} more` : "";
    const count = alike.length === 1 ? "" : `${number(alike.length)} times, for example `;
    return `${places.slice(0, 3).join("; ")}${more}: ${count}${alike[0]!.example}`;
  });
}

function problemsOf(result: Result): Found[] {
  const where = nameOf(result.impl.id, result.scenario);
  return [
    ...(result.verification?.problems ?? []).map((problem) => ({
      cause: causeOf(problem),
      where,
      example: `${code(problem.check)}: sent ${code(problem.sent)}, got ${code(problem.came)}, ` +
        `expected ${code(problem.expected)}`,
    })),
    ...result.levels.flatMap((level) =>
      invalidReasons(level).map((reason) => ({
        cause: withoutNumbers(reason),
        where,
        example: `invalid at ${number(level.connections)} connections: ${code(reason)}`,
      }))
    ),
    ...invalidSteps(result).map((step) => ({
      cause: withoutNumbers(step.reason),
      where,
      example: `invalid ${step.where}: ${code(step.reason)}`,
    })),
  ];
}

/**
 * Returns what answers that are wrong for one reason have in common: what is wrong, without the data of the request. Of
 * a wrong status it is the status that was right, too, because a missing check and a crash are two mistakes.
 */
function causeOf({ came, expected }: Problem): string {
  const [what = ""] = came.slice(0, 1_000).split(
    /, (?:from byte|body:) |(?<=another value of "[^"]*"),/,
  );
  return /^status is/.test(what) ? `${what}, expected ${expected}` : withoutNumbers(what);
}

function withoutNumbers(text: string): string {
  return text.slice(0, 1_000).replaceAll(/\b[0-9a-f]{8}\b|\d[\d.,]*/g, "…");
}

function ignoredFiles(problems: readonly string[]): string[] {
  const [first] = problems;
  return first === undefined ? [] : [
    `${number(problems.length)} ${problems.length === 1 ? "file was" : "files were"} ignored, ` +
    `for example: ${code(first)}`,
  ];
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
  const { done, planned, name: what } = partsDone(result);
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
  parts.push(...[renderBursts(result)].filter((text) => text !== undefined));
  if (done < planned) parts.push(`${capitalise(what)} not measured: ${number(planned - done)}.`);
  parts.push(renderVersions(result));
  return parts.join("\n\n");
}

function renderContract({ verification }: Result): string {
  if (verification === undefined) return "Contract: not checked.";
  const { problems, outage } = verification;
  const unchecked = outage === "not-checked" ? " Loss of the database was not checked." : "";
  if (problems.length === 0) return `Contract: all checks passed.${unchecked}`;
  const checks = [...new Set(problems.map(({ check }) => check))];
  const left = checks.length > maxRows ? `, and ${number(checks.length - maxRows)} more` : "";
  return `Contract: **checks failed: ${number(problems.length)}**.${unchecked} ` +
    `${checks.slice(0, maxRows).map(code).join(", ")}${left}.`;
}

function renderLevels(result: Result): string {
  const sorted = result.levels.toSorted((a, b) => a.connections - b.connections);
  const table =
    "| connections | warm: ratio to the control | warm: answers/s | cold: answers/s | cold of warm | cold: failed | cold: p99 ms |\n" +
    "| ---: | :--- | :--- | ---: | ---: | ---: | ---: |\n" +
    rows(sorted, (level) => renderLevel(result, level));
  return [table, meaningOf(result)].join("\n\n");
}

function renderLevel(result: Result, level: Level): string {
  const { connections } = level;
  const { observation } = lastRepetition(level);
  const failed = observation === undefined
    ? "–"
    : number(observation.attempted - observation.correct);
  const outcome = outcomeOf(level);
  if ("missing" in outcome) {
    return `| ${number(connections)} | **invalid** | – | – | – | ${failed} | – |`;
  }
  const { goodputPerSecond, latencySeconds } = outcome.value.figures;
  const least = isGeneratorBound(result, connections) ? "at least " : "";
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
  const shown = rows(levels, ({ connections, rounds, cpuPerAnswer }) => {
    const cpu = cpuPerAnswer === undefined ? "" : `; CPU per answer ${renderRatio(cpuPerAnswer)}`;
    return `- ${number(connections)} connections: ${number(rounds.length)} rounds${cpu}`;
  });
  return `${what}\n\n${shown}\n\n` +
    `Warm throughput with the interval of this run, measured in alternating slices for ${seconds} s.`;
}

function renderRatio({ estimate, low, high, confidence, rounds }: RatioInterval): string {
  const [ratio, from, to] = [estimate, low, high].map((value) => ratioText(value, 3));
  const percent = number(Math.floor(confidence * 100));
  return `${ratio} times (${percent} %: ${from}–${to}, ${number(rounds)} rounds)`;
}

function renderVersions(result: Result): string {
  const { framework, driver, jwt, client, runtime, database } = versionsOf(result);
  const parts = [framework, driver, jwt, client, runtime, database]
    .filter((part) => part !== undefined)
    .map((part) =>
      code(part.version === undefined ? `${part.name} (version unknown)` : partText(part))
    );
  const { cpuModel, cpuCount } = result.machine;
  return `${parts.join(", ")}; ${code(cpuModel)}, ${number(cpuCount)} processors.`;
}

/** Returns a line for each item, and one for the omitted ones. */
function rows<T>(items: readonly T[], render: (item: T) => string, most = maxRows): string {
  const shown = items.slice(0, most).map(render).join("\n");
  const left = items.length - most;
  return left > 0 ? `${shown}\n\n${number(left)} more are left out here.` : shown;
}
