/** Causes: what is wrong with the measurements, each thing once, however often it was found. */
import type { ComparisonFile } from "../../results/files_schema.ts";
import { invalidParts } from "../../results/invalid_parts.ts";
import { invalidReasons } from "../../results/outcome.ts";
import type { Problem, Result } from "../../results/result_schema.ts";
import { code, number } from "../markdown.ts";
import { nameOf } from "./parts.ts";

/** Something that is wrong, once or many times. */
interface Found {
  /** Equal for what has the same cause. */
  cause: string;
  where: string;
  /** As it was once. */
  example: string;
}

/** Returns a line for each cause of problems, with one example, how often it was found, and where. */
export function causesOf(
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
    ...invalidParts(result).map((step) => ({
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
