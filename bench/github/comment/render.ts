/**
 * The comment on a pull request. Takes the files from its unprivileged job, and commit and job from the event;
 * returns Markdown. The files are untrusted: text is escaped by `markdown.ts`, and numbers are validated by a schema.
 */
import { code, number } from "../markdown.ts";
import { type ArtifactFiles, parseArtifact } from "./untrusted_files.ts";
import { withBases } from "./bases.ts";
import { causesOf } from "./causes.ts";
import { outcomesOf, summaryOf } from "./outcomes.ts";
import { rows } from "./parts.ts";
import { renderComparison, renderResults, sameFailure } from "./sections.ts";

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

/** Limits for the lines that say what came out, one for each implementation and scenario: their number, and characters. */
const outcomeLimits = { most: 24, room: 40_000 };

/** Returns the comment, which GitHub accepts whatever the files contain. */
export function renderComment(files: ArtifactFiles, { headSha, runUrl }: CommentContext): string {
  const { results: all, comparisons, problems } = parseArtifact(files);
  const { results, bases } = withBases(all);
  const outcomes = outcomesOf(results, comparisons, bases);
  const causes = [...causesOf(results, comparisons), ...ignoredFiles(problems)];
  const job = `[this job](${new URL(runUrl).href})`;
  const head = [
    `${commentMarker}\n## Backbench: ${summaryOf(outcomes)}`,
    files.size === 0
      ? `If an implementation was touched, the log of ${job} says why.`
      : rows(outcomes, ({ line }) => `- ${line}`, outcomeLimits),
    ...(causes.length === 0 ? [] : [`### Problems\n\n${rows(causes, (cause) => `- ${cause}`)}`]),
    `Measured at ${headSha.slice(0, 7)} in ${job}, which ran the pull request's own code: ` +
    `unverified; not a published result.`,
  ].filter((part) => part !== "").join("\n\n");
  const sections = [
    ...comparisons.map(renderComparison),
    ...[...Map.groupBy(results, sameFailure).values()].map((same) => renderResults(same, bases)),
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

/** Returns a line about the files that could not be read, if there are any. */
function ignoredFiles(problems: readonly string[]): string[] {
  const [first] = problems;
  return first === undefined ? [] : [
    `${number(problems.length)} ${problems.length === 1 ? "file was" : "files were"} ignored, ` +
    `for example: ${code(first)}`,
  ];
}
