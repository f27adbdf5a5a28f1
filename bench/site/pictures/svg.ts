/** The parts of a stand-alone picture: elements as text, marks, colours, and the frame around every picture. */

import { cutAt } from "./line_width.ts";

/** Size of a picture in its units: what cards of links are shown in. */
export const size = { width: 1200, height: 630 } as const;

/** Where the plots are. */
export const plotArea = { left: 80, top: 130, right: 1170, bottom: 540 } as const;

/** Colours of implementations by their number, as in `site.css` in the light scheme. */
export const colours = ["#0b5c74", "#a33b12", "#54389e", "#2f6b22", "#8a1f5c", "#5f5200"] as const;

/** Paths of marks around the origin by their number, as in `shape.html`. */
export const shapes = [
  "M-6 0a6 6 0 1 0 12 0a6 6 0 1 0-12 0z",
  "M-5.5-5.5h11v11h-11z",
  "M0-7l7 7l-7 7l-7-7z",
  "M0-7l7 12h-14z",
  "M-6.5-6l13 12v-12l-13 12z",
  "M0-8l2.2 5.8l5.8 2.2l-5.8 2.2l-2.2 5.8l-2.2-5.8l-5.8-2.2l5.8-2.2z",
  "M0 7l7-12h-14z",
] as const;

/** Of letters. */
export const ink = "#1b2125";
/** Of text beside the data. */
export const quiet = "#545e64";
/** Of lines behind the data. */
export const hairline = "#d3d6d0";
/** Of data that is there for comparison only. */
export const background = "#b3bab7";
/** Of what misses an objective. */
export const warning = "#8a3b00";
const paper = "#fcfcf9";

/** What stands in a frame around the plots. */
export interface Frame {
  title: string;
  /** What the picture shows, in a sentence; absent where the plots say so themselves, and have the title in them. */
  subtitle?: string;
  /** Run, machine, interval. */
  source: string;
  /** For those who cannot see it: the figures. */
  description: string;
}

/** Returns a picture: plots in a frame with title, source and the name of the project. */
export function framed({ title, subtitle, source, description }: Frame, plots: string): string {
  const { width, height } = size;
  const heading = subtitle === undefined
    ? ""
    : text(title, { x: 40, y: 62, size: 34, weight: 700 }) +
      text(subtitle, { x: 40, y: 98, size: 19, fill: quiet });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" ` +
    `height="${height}" role="img" aria-labelledby="title description" ` +
    `font-family="Inter, Helvetica, Arial, sans-serif" fill="${ink}">` +
    element("title", { id: "title" }, escaped(title)) +
    element("desc", { id: "description" }, escaped(description)) +
    element("defs", {}, definitions()) +
    element("rect", { width, height, fill: paper }) +
    heading +
    plots +
    element("line", { x1: 40, x2: 1160, y1: 588, y2: 588, stroke: hairline }) +
    text(cutAt(source, 990, 16), { x: 40, y: 614, size: 16, fill: quiet }) +
    text("Backbench", { x: 1160, y: 614, size: 18, weight: 700, anchor: "end" }) +
    "</svg>\n";
}

/** Every mark once: a picture may have hundreds of each. */
function definitions(): string {
  return shapes.map((d, index) =>
    element("path", {
      id: `m${index}`,
      d,
      "stroke-width": 2,
      "vector-effect": "non-scaling-stroke",
    })
  ).join("");
}

/** How a text stands. */
export interface TextStyle {
  x: number;
  y: number;
  /** In the units of the picture; 16 by default. */
  size?: number;
  weight?: number;
  fill?: string;
  anchor?: "start" | "middle" | "end";
  /** How wide it is, in any type; as wide as its letters are, by default. */
  width?: number;
  /** Stands over data: what is behind it does not touch its letters. */
  isOver?: boolean;
}

/** Returns a line of text. */
export function text(
  content: string,
  { x, y, size = 16, weight, fill, anchor, width, isOver }: TextStyle,
): string {
  return element("text", {
    x: rounded(x),
    y: rounded(y),
    "font-size": size,
    "font-weight": weight,
    fill,
    "text-anchor": anchor,
    ...(width === undefined
      ? {}
      : { textLength: rounded(width), lengthAdjust: "spacingAndGlyphs" }),
    ...(isOver ? { stroke: paper, "stroke-width": 4, "paint-order": "stroke" } : {}),
  }, escaped(content));
}

/** Returns an element; an attribute that is undefined is left out. `content` is markup. */
export function element(
  name: string,
  attributes: Record<string, string | number | undefined>,
  content = "",
): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(String(value))}"`]
  );
  const start = `<${name}${written.join("")}`;
  return content === "" ? `${start}/>` : `${start}>${content}</${name}>`;
}

/**
 * Returns the mark of an implementation, with what it stands for; a hollow one has the colour of the background. A mark
 * of a group inherits the colour of the element around it.
 */
export function markAt(
  x: number,
  y: number,
  { mark, title, isHollow = false, isOfGroup = false, scale = 1 }: {
    mark: number;
    title: string;
    isHollow?: boolean;
    isOfGroup?: boolean;
    scale?: number;
  },
): string {
  const colour = isOfGroup ? undefined : colourOf(mark);
  const place = scale === 1
    ? { x: rounded(x), y: rounded(y) }
    : { transform: `translate(${rounded(x)} ${rounded(y)}) scale(${rounded(scale)})` };
  return element("use", {
    href: `#m${mark % shapes.length}`,
    ...place,
    fill: isHollow ? paper : colour,
    stroke: colour,
  }, element("title", {}, escaped(title)));
}

/** Returns the colour of an implementation. */
export function colourOf(mark: number): string {
  return colours[mark % colours.length]!;
}

/** A tenth of a unit is a tenth of a pixel. */
export function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns a text as it stands in markup. */
export function escaped(content: string): string {
  return content.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/**
 * Returns where labels stand down the picture so that none is on another: each as near as possible to where it should
 * be, in the same order. `apart` is the least distance.
 */
export function spread(wanted: readonly number[], apart: number, bottom: number): number[] {
  const order = wanted.map((_, index) => index).sort((a, b) => wanted[a]! - wanted[b]!);
  const places = new Array<number>(wanted.length);
  let least = -Infinity;
  for (const index of order) {
    places[index] = Math.max(wanted[index]!, least);
    least = places[index]! + apart;
  }
  let most = bottom;
  for (const index of order.toReversed()) {
    places[index] = Math.min(places[index]!, most);
    most = places[index]! - apart;
  }
  return places;
}
