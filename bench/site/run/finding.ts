/** What did a run find? In a sentence without its period, which titles its page and stands in lists of runs. */
import { formatInteger } from "../../lib/format_integer.ts";
import type { Headline } from "../headline.ts";
import { sumOf } from "../../lib/sum.ts";

/** How many words a title may have. */
const mostWords = 20;

/**
 * Returns who leads at the level that is shown first, because another may lead elsewhere: in the short answer where names
 * are too many; where nothing was compared, what the cold loads show; and where nothing gave a figure, who failed.
 */
export function runFinding(
  { classes, connections, failed }: Headline,
  { answer, loadsFinding }: { answer: string; loadsFinding: string },
): string {
  const [first] = classes.flatMap(({ class: implClass, sentences }) =>
    sentences.map((sentence) => implClass === "tuned" ? `tuned: ${sentence}` : sentence)
  );
  if (first !== undefined) {
    const isShort = first.split(" ").length <= mostWords;
    return `At ${formatInteger(connections)} connections, ${
      isShort ? first : answer.replace(/\.$/, "").replace(/^The /, "the ")
    }`;
  }
  const all = sumOf(classes, ({ entries }) => entries.length);
  return failed.length < all
    ? loadsFinding
    : all === 1
    ? `${classes[0]!.entries[0]!.name} failed`
    : `All ${all} implementations failed`;
}
