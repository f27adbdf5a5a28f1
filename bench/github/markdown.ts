/**
 * Escapes untrusted text and numbers for a comment. In a code span, GitHub interprets nothing: no HTML, link, image,
 * mention or issue reference. So all such text is in one, without what could end it. (Entities would not do, because
 * mentions are found after decoding them.)
 */

/** Longer texts are cut, because a comment has at most 65,536 characters. */
const maxCharacters = 200;
const maxLines = 20;

/**
 * Returns a text as a code span on one line, for paragraphs and tables. Control characters, line ends and invisible
 * or direction-changing characters become spaces; characters that would end the span or the table cell are replaced
 * by similar ones.
 */
export function code(text: string): string {
  const plain = text.slice(0, 10 * maxCharacters)
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .replaceAll("`", "ˋ")
    .replaceAll("|", "¦")
    .trim();
  const characters = Array.from(plain);
  const cut = characters.length > maxCharacters || text.length > 10 * maxCharacters;
  const shown = cut ? `${characters.slice(0, maxCharacters).join("")}…` : plain;
  return shown === "" ? "(empty)" : `\`${shown}\``;
}

/** Returns the last lines of a text as a code block, without backticks, so that nothing ends it. */
export function codeBlock(text: string): string {
  const lines = text.slice(-maxLines * maxCharacters).trimEnd().split("\n").slice(-maxLines)
    .map((line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replaceAll("`", "ˋ"))
    .map((line) => Array.from(line).slice(0, maxCharacters).join(""));
  return `\`\`\`text\n${lines.join("\n")}\n\`\`\``;
}

/** Returns a number with thousands separators and the given number of decimals; short even for huge numbers. */
export function number(value: number, digits = 0): string {
  if (Math.abs(value) >= 1e12) return value.toExponential(2);
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
