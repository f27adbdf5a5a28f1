/** Parts of a comment's lines that several of its sections have. */
import { comparedLevels, qualifierAt, ratioAt } from "../../results/compared.ts";
import type { Result } from "../../results/result_schema.ts";
import { ratioText } from "../../results/words.ts";
import type { RatioInterval } from "../../statistics/mod.ts";
import { code, number } from "../markdown.ts";

/** Maximum number of rows of one kind: levels, problems, comparisons. */
export const maxRows = 12;

/** Returns a line for each item, and one for the omitted ones. */
export function rows<T>(items: readonly T[], render: (item: T) => string, most = maxRows): string {
  const shown = items.slice(0, most).map(render).join("\n");
  const left = items.length - most;
  return left > 0 ? `${shown}\n\n${number(left)} more are left out here.` : shown;
}

/** Returns how a line names what was measured. */
export function nameOf(implId: string, scenario: string): string {
  return `${code(implId)}, ${code(scenario)}`;
}

/** Returns the ratio to the control at a level, or why there is none. */
export function renderControl(result: Result, connections: number): string {
  if (!comparedLevels(result).includes(connections)) return "–";
  const ratio = ratioAt(result, connections);
  if ("missing" in ratio) return code(ratio.missing);
  const qualifier = qualifierAt(result, connections);
  return `${qualifier === undefined ? "" : `${qualifier} `}${renderRatio(ratio.value)}`;
}

/** Returns a ratio with its interval. */
export function renderRatio({ estimate, low, high, confidence, rounds }: RatioInterval): string {
  const [ratio, from, to] = [estimate, low, high].map((value) => ratioText(value, 3));
  const percent = number(Math.floor(confidence * 100));
  return `${ratio} times (${percent} %: ${from}–${to}, ${number(rounds)} rounds)`;
}
