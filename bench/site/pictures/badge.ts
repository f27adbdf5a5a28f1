/** A badge: what an implementation came to in a scenario, in a few words, to show elsewhere. */
import { widthOf } from "./line_width.ts";
import { element, escaped } from "./svg.ts";

const project = "Backbench";
const height = 20;
const padding = 7;
const letters = { size: 11, family: "Verdana, Geneva, DejaVu Sans, sans-serif" };
/** Verdana is wider than the type of pictures. */
const widening = 1.14;

/** Draws a badge; `href` is where it leads when it is opened by itself. */
export function badgeOf(words: string, href: string): string {
  const [left, right] = [project, words].map((text) =>
    Math.ceil(widening * widthOf(text, letters.size)) + 2 * padding
  ) as [number, number];
  const width = left + right;
  const part = (text: string, x: number, partWidth: number, fill: string) =>
    element("rect", { x, width: partWidth, height, fill }) +
    element("text", {
      x: x + partWidth / 2,
      y: 14,
      fill: "#fff",
      "text-anchor": "middle",
      // Another type than the one it was measured for still fits.
      textLength: partWidth - 2 * padding,
      lengthAdjust: "spacingAndGlyphs",
    }, escaped(text));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-label="${escaped(`${project}: ${words}`)}" ` +
    `font-family="${letters.family}" font-size="${letters.size}">` +
    element("title", {}, escaped(`${project}: ${words}`)) +
    element(
      "a",
      { href },
      part(project, 0, left, "#1b2125") + part(words, left, right, "#0b5c74"),
    ) +
    "</svg>\n";
}
