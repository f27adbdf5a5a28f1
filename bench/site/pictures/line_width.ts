/**
 * How wide a text is, and where it breaks: by the letters' mean widths in Inter, the type that pictures are set in, as shares of
 * its size. Estimates: a line in another type may be some percent wider.
 */
import { sum } from "../../lib/sum.ts";

const widths: readonly [letters: RegExp, share: number][] = [
  [/[ijl.,:;'|!’]/, 0.28],
  [/[ frt()\-·–]/, 0.37],
  [/[mwMW%@—]/, 0.88],
  [/[A-Z]/, 0.68],
];
const otherwise = 0.59;
/** Bold letters are wider. */
const bold = 1.06;

/** Returns the width of a line in the units of its size. */
export function widthOf(line: string, size: number, weight = 400): number {
  const shares = [...line].map((letter) =>
    widths.find(([letters]) => letters.test(letter))?.[1] ?? otherwise
  );
  return size * (weight >= 600 ? bold : 1) * sum(shares);
}

/** Returns a text in lines of at most this width; a single word may be wider. */
export function brokenAt(text: string, width: number, size: number, weight = 400): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length > 0 && widthOf(longer, size, weight) <= width) {
      lines[lines.length - 1] = longer;
    } else lines.push(word);
  }
  return lines;
}

/** Returns a text that is at most this wide, with an ellipsis where it is cut. */
export function cutAt(text: string, width: number, size: number, weight = 400): string {
  if (widthOf(text, size, weight) <= width) return text;
  const letters = [...text];
  while (letters.length > 1 && widthOf(`${letters.join("")}…`, size, weight) > width) letters.pop();
  return `${letters.join("").trimEnd()}…`;
}
