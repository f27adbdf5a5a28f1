/**
 * Text and numbers of strangers, as they may stand in a comment. In a span of code, GitHub makes nothing of a
 * text: no HTML, no link, no image, no mention of a person, no reference to an issue. So all such text stands in
 * one, without what could end it. (Entities would not do: mentions are looked for after they are decoded.)
 */

/** Longer texts are cut: a comment is read, and holds at most 65,536 characters. */
const maxCharacters = 200;
const maxLines = 20;

/**
 * Returns a text as a span of code on one line, for paragraphs and tables alike. Control characters, line
 * ends and invisible or direction-changing characters become spaces; what would end the span or the table's
 * cell is replaced by what looks like it.
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

/** Returns the last lines of a text as a block of code, likewise: without backticks, nothing ends it. */
export function codeBlock(text: string): string {
  const lines = text.slice(-maxLines * maxCharacters).trimEnd().split("\n").slice(-maxLines)
    .map((line) => line.replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, " ").replaceAll("`", "ˋ"))
    .map((line) => Array.from(line).slice(0, maxCharacters).join(""));
  return `\`\`\`text\n${lines.join("\n")}\n\`\`\``;
}

/** Returns a number with thousands separators, and so many digits behind the point; short, however big. */
export function number(value: number, digits = 0): string {
  if (Math.abs(value) >= 1e12) return value.toExponential(2);
  return value.toLocaleString("en", {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
