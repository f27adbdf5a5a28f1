/** What did a run find? In a sentence without its period, which titles its page and stands in lists of runs. */
import type { Headline } from "../headline.ts";

/**
 * Returns who leads, at the level that is shown first; where nothing was compared, what the cold loads show; and where
 * nothing gave a figure, who failed.
 */
export function runFinding({ classes, failed }: Headline, loadsFinding: string): string {
  const [first] = classes.flatMap(({ class: implClass, sentences }) =>
    sentences.map((sentence) => implClass === "tuned" ? `Tuned: ${sentence}` : sentence)
  );
  if (first !== undefined) return first;
  const all = classes.reduce((sum, { entries }) => sum + entries.length, 0);
  return failed.length < all
    ? loadsFinding
    : all === 1
    ? `${classes[0]!.entries[0]!.name} failed`
    : `All ${all} implementations failed`;
}
