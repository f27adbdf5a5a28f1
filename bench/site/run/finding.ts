/** What did a run find? In a sentence without its period, which titles its page and stands in lists of runs. */
import type { Headline } from "../headline.ts";
import { sumOf } from "../../lib/sum.ts";

/** How many words a title may have. */
const mostWords = 20;

/**
 * Returns who leads, at the level that is shown first, in the short answer where names are too many; where nothing was compared,
 * what the cold loads show; and where nothing gave a figure, who failed.
 */
export function runFinding(
  { classes, failed }: Headline,
  { answer, loadsFinding }: { answer: string; loadsFinding: string },
): string {
  const [first] = classes.flatMap(({ class: implClass, sentences }) =>
    sentences.map((sentence) => implClass === "tuned" ? `Tuned: ${sentence}` : sentence)
  );
  if (first !== undefined) {
    return first.split(" ").length <= mostWords ? first : answer.replace(/\.$/, "");
  }
  const all = sumOf(classes, ({ entries }) => entries.length);
  return failed.length < all
    ? loadsFinding
    : all === 1
    ? `${classes[0]!.entries[0]!.name} failed`
    : `All ${all} implementations failed`;
}
