/** Parts of a comment's lines that several of its sections have. */
import { comparedLevels, qualifierAt, ratioAt } from "../../results/compared.ts";
import type { Result } from "../../results/result_schema.ts";
import { ratioText, timesText } from "../../results/words.ts";
import type { RatioInterval } from "../../statistics/mod.ts";
import { code, number } from "../markdown.ts";

/** Maximum number of rows of one kind: levels, problems, comparisons. */
export const maxRows = 12;

/** Returns a line for each item, as many as `most` and as there is `room` for in characters, and one for the omitted ones. */
export function rows<T>(
  items: readonly T[],
  render: (item: T) => string,
  { most = maxRows, room = Infinity }: { most?: number; room?: number } = {},
): string {
  const shown: string[] = [];
  for (const line of items.slice(0, most).map(render)) {
    room -= line.length + 1;
    if (room < 0) break;
    shown.push(line);
  }
  const left = items.length - shown.length;
  const more = left > 0 ? [`${number(left)} more are left out here.`] : [];
  return [shown.join("\n"), ...more].join("\n\n");
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
  return qualifier === undefined
    ? renderRatio(ratio.value)
    : `${timesText(ratio.value, qualifier)} (${number(ratio.value.rounds)} rounds)`;
}

/** Returns a ratio with its interval. */
export function renderRatio({ estimate, low, high, confidence, rounds }: RatioInterval): string {
  const [ratio, from, to] = [estimate, low, high].map((value) => ratioText(value, 3));
  const percent = number(Math.floor(confidence * 100));
  return `${ratio} times (${percent} %: ${from}–${to}, ${number(rounds)} rounds)`;
}
