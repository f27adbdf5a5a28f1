/** What came out for each implementation and scenario, in a line: what a reader of the comment wants to know first. */
import { comparedLevels } from "../../results/compared.ts";
import type { ComparisonFile } from "../../results/files_schema.ts";
import { invalidParts } from "../../results/invalid_parts.ts";
import { isValid, ownReasons } from "../../results/outcome.ts";
import { partsDone } from "../../results/parts_done.ts";
import { shownLevel } from "../../results/profiles.ts";
import type { Result } from "../../results/result_schema.ts";
import { ratioText } from "../../results/words.ts";
import { type RatioInterval, verdict } from "../../statistics/mod.ts";
import { code, number } from "../markdown.ts";
import type { WithBases } from "./bases.ts";
import { maxRows, nameOf, renderControl, renderRatio } from "./parts.ts";
import { stepsOutcome } from "./steps.ts";

/** What came out for one implementation in one scenario. */
export interface Outcome {
  kind: "failed" | "slower" | "faster" | "no difference" | "measured";
  line: string;
}

/** Returns an outcome for each implementation and scenario: those that need somebody first. */
export function outcomesOf(
  results: readonly Result[],
  comparisons: readonly ComparisonFile[],
  bases: WithBases["bases"] = new Map(),
): Outcome[] {
  const left = new Set(comparisons);
  const ofResults = results.map((result) => {
    const comparison = comparisons.find((file) =>
      left.has(file) && file.subject.id === result.impl.id && file.scenario === result.scenario
    );
    if (comparison !== undefined) left.delete(comparison);
    return outcomeFor(result, comparison, bases.get(result));
  });
  const alone = [...left].map((file) => outcomeOfComparison(file));
  const order: Outcome["kind"][] = ["failed", "slower", "faster", "no difference", "measured"];
  return [...ofResults, ...alone].sort((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind));
}

/** Returns how many there are of each kind, for the heading. */
export function summaryOf(outcomes: readonly Outcome[]): string {
  if (outcomes.length === 0) return "nothing was measured";
  const kinds = Map.groupBy(outcomes, ({ kind }) => kind);
  return [...kinds].map(([kind, { length }]) => `${number(length)} ${kind}`).join(", ");
}

/** Returns the outcome of a result. What only the machine disturbed is said last, and makes nothing a failure. */
function outcomeFor(
  result: Result,
  comparison: ComparisonFile | undefined,
  base: Result | undefined,
): Outcome {
  const { kind, line } = judgedOutcome(result, comparison, base);
  const disturbed = result.levels.filter((level) =>
    !isValid(level) && ownReasons(level).length === 0
  )
    .map(({ connections }) => number(connections));
  return disturbed.length === 0 ? { kind, line } : {
    kind,
    line: `${line}; disturbed at ${
      disturbed.slice(0, maxRows).join(", ")
    } connections: no cold figures`,
  };
}

function judgedOutcome(
  result: Result,
  comparison: ComparisonFile | undefined,
  base: Result | undefined,
): Outcome {
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
  const ofSteps = stepsOutcome(result);
  if (ofSteps !== undefined) {
    const ofBase = base && `; its base ${stepsOutcome(base) ?? "has no figures"}; no verdict`;
    return { kind: "measured", line: `${name}: measured, ${ofSteps}${ofBase ?? ""}` };
  }
  const levels = comparedLevels(result);
  const connections = shownLevel(levels);
  const ratio = levels.length === 0
    ? "without a comparison"
    : `${renderControl(result, connections)} the control at ${number(connections)} connections`;
  return { kind: "measured", line: `${name}: measured, ${ratio}` };
}

/** Says what keeps a result from being a good one, each thing in a few words. */
function whatIsWrong(result: Result): string[] {
  const { failure, status, levels, verification } = result;
  const { done, planned, name: what } = partsDone(result);
  const problems = verification?.problems.length ?? 0;
  const invalid = levels.filter((level) => ownReasons(level).length > 0)
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
    ...invalidParts(result).slice(0, maxRows).map(({ where }) => `**invalid** ${where}`),
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
  if (which === "tied") return "**no difference** measured against";
  const share = Math.abs(ratio.estimate - 1);
  const by = share < 1
    ? `${number(100 * share, share < 0.1 ? 1 : 0)} % ${which}`
    : `${ratioText(ratio.estimate)} times as fast`;
  return `**${by}** ${share < 1 ? "than" : "as"}`;
}
