/**
 * The card of a page, which links to it are shown with: the finding as a sentence, and a row for each implementation. In: the
 * rows of an answer. Out: a picture as the others, of 1200 × 630.
 */
import { brokenAt, cutAt, widthOf } from "./line_width.ts";
import type { Picture } from "./picture.ts";
import {
  background,
  colourOf,
  element,
  framed,
  hairline,
  ink,
  markAt,
  quiet,
  rounded,
  size,
  text,
} from "./svg.ts";

/** Places along the axis are in percent of its length. */
interface Span {
  from: number;
  to: number;
}

/** An implementation on a card; texts are ready. */
export interface CardRow {
  id: string;
  name: string;
  /** The number of its mark and colour; absent where it is not one implementation. */
  order?: number;
  /** Absent where there is no figure. */
  plot?: { bar?: Span; tail?: Span; interval?: Span; at: number };
  relative?: string;
  interval?: string;
  absolute?: string;
  tied?: string;
  /** Why there is no figure. */
  missing?: string;
}

/** What a card is drawn from. */
export interface CardContent {
  axis: string;
  ticks: { at: number; text: string }[];
  /** What was asked, and of what: `Which web backend is fastest? jwt-mysql, 50 connections`. */
  question: string;
  /** The answer. */
  title: string;
  /** In sentences, below the answer. */
  words?: string;
  rows: CardRow[];
  /** The one that the page is about; absent where it is about all. */
  emphasised?: readonly string[];
  /** Run, machine, interval. */
  source: string;
}

const margin = 40;
const mostRows = 8;
const headlines = [{ size: 40, weight: 700, line: 50 }, {
  size: 30,
  weight: 700,
  line: 38,
}] as const;
const mostLines = 3;
const sentence = { size: 22, line: 30 };
/** Names, bars, figures. */
const columns = { bar: 410, barEnd: 800, share: 825, rate: size.width - margin };
const lastLine = 530;

/** Draws a card; `name` is that of its file. */
export function cardOf(name: string, content: CardContent): Picture {
  const { question, title, words, rows, ticks, axis, source, emphasised = [] } = content;
  const heading = headingOf(title, words);
  const { top } = heading;
  const shown = shownOf(rows, emphasised);
  const more = rows.length - shown.length;
  const height = Math.min(56, (lastLine - top) / Math.max(1, shown.length));
  const description = [...(words === undefined ? [] : [words]), ...rows.map(wordsOf)].join("; ");
  const bottom = top + height * shown.length;
  const grid = ticks.map(({ at, text: label }) => {
    const x = rounded(across(at));
    return element("path", { d: `M${x} ${top}V${rounded(bottom)}`, stroke: hairline }) +
      text(label, { x, y: bottom + 18, size: 14, fill: quiet, anchor: "middle" });
  });
  const body = [
    text(cutAt(question, size.width - 2 * margin, 22), { x: margin, y: 56, size: 22, fill: quiet }),
    heading.svg,
    ...(ticks.length === 0 ? [] : grid),
    ...shown.map((row, index) => rowOf(row, top + height * (index + 0.5), content)),
    more > 0 ? text(`and ${more} more`, { x: margin, y: bottom + 18, size: 16, fill: quiet }) : "",
    text(cutAt(axis, size.width - 2 * margin, 15), {
      x: size.width - margin,
      y: lastLine + 36,
      size: 15,
      fill: quiet,
      anchor: "end",
    }),
  ];
  return { name, title, description, svg: framed({ title, description, source }, body.join("")) };
}

/** The answer and what is said of it, in as many lines as they need; `top` is where the rows begin. */
function headingOf(title: string, words?: string): { svg: string; top: number } {
  const width = size.width - 2 * margin;
  const [large, small] = headlines;
  const isLong = brokenAt(title, width, large.size, large.weight).length > mostLines;
  const { line, ...style } = isLong ? small : large;
  const lines = brokenAt(title, width, style.size, style.weight);
  const said = words === undefined ? [] : brokenAt(words, width, sentence.size);
  const from = 56 + line;
  const below = from + line * (lines.length - 1) + sentence.line + 8;
  const svg = lines.map((text_, index) =>
    text(text_, { ...style, x: margin, y: from + line * index })
  )
    .concat(
      said.map((text_, index) =>
        text(text_, { x: margin, y: below + sentence.line * index, size: sentence.size })
      ),
    );
  return { svg: svg.join(""), top: below - 10 + sentence.line * said.length };
}

/** Returns the first rows and those that the page is about, in their order, as many as there is room for. */
function shownOf(rows: readonly CardRow[], emphasised: readonly string[]): CardRow[] {
  const meant = rows.filter(({ id }) => emphasised.includes(id)).length;
  let room = mostRows - meant;
  return rows.filter(({ id }) => emphasised.includes(id) || room-- > 0);
}

function across(percent: number): number {
  return columns.bar + (columns.barEnd - columns.bar) * percent / 100;
}

function rowOf(row: CardRow, y: number, { emphasised }: CardContent): string {
  const isQuiet = emphasised !== undefined && !emphasised.includes(row.id);
  const colour = isQuiet ? quiet : row.order === undefined ? ink : colourOf(row.order);
  const weight = isQuiet ? 400 : 700;
  const style = { y: y + 7, size: 20 };
  const room = columns.bar - margin - 40;
  const name = cutAt(row.name, room, style.size, weight);
  const width = widthOf(name, style.size, weight);
  // Where the reader has another type, a long name would reach into its bar.
  const fixed = width > 0.8 * room ? width : undefined;
  const { plot } = row;
  const figures = plot === undefined
    ? text(cutAt(row.missing ?? "no figure", columns.rate - columns.bar, 17), {
      ...style,
      x: columns.bar,
      size: 17,
      fill: quiet,
    })
    : figuresOf(row, { ...style, weight });
  return markOf(row, margin + 10, y) +
    text(name, { ...style, x: margin + 32, weight, fill: colour, width: fixed }) +
    (plot === undefined ? "" : barOf(plot, y, isQuiet ? background : colour)) +
    (plot === undefined || plot.bar !== undefined ? "" : markOf(row, across(plot.at), y)) +
    figures;
}

/** The figures of a row, beside each other: the last one has the room that the others leave. */
function figuresOf(
  { relative = "", interval = "", absolute = "" }: CardRow,
  style: { y: number; size: number; weight: number },
): string {
  const small = { ...style, weight: 400, size: 18 };
  const afterShare = columns.share + Math.max(72, widthOf(relative, style.size, style.weight)) + 10;
  const afterInterval = afterShare + widthOf(interval, small.size) + 14;
  const room = columns.rate - afterInterval;
  return text(relative, { ...style, x: columns.share }) +
    text(interval, { ...small, x: afterShare, fill: quiet }) +
    text(cutAt(absolute, room, style.size, style.weight), {
      ...style,
      x: columns.rate,
      anchor: "end",
    });
}

function markOf(row: CardRow, x: number, y: number): string {
  if (row.order !== undefined) return markAt(x, y, { mark: row.order, title: wordsOf(row) });
  return element("circle", { cx: rounded(x), cy: rounded(y), r: 6, fill: ink });
}

/** A bar with its interval as a stroke with ends; a cold start is its pale tail. Without zero on the axis there is no bar. */
function barOf(
  { bar, tail, interval }: NonNullable<CardRow["plot"]>,
  y: number,
  colour: string,
) {
  const stroke = (from: number, to: number, opacity?: number) =>
    element("path", {
      d: `M${rounded(across(from))} ${rounded(y)}H${rounded(across(to))}`,
      stroke: colour,
      "stroke-width": 14,
      "stroke-opacity": opacity,
    });
  const whisker = ({ from, to }: Span) => {
    const [left, right] = [rounded(across(from)), rounded(across(to))];
    return element("path", {
      d: `M${left} ${rounded(y)}H${right}M${left} ${rounded(y - 7)}v14M${right} ${
        rounded(y - 7)
      }v14`,
      stroke: ink,
      "stroke-width": 2,
      fill: "none",
    });
  };
  return (bar === undefined ? "" : stroke(bar.from, bar.to)) +
    (tail === undefined ? "" : stroke(tail.from, tail.to, 0.35)) +
    (interval === undefined ? "" : whisker(interval));
}

function wordsOf({ name, relative, interval, absolute, tied, missing }: CardRow): string {
  const figures = [relative, interval && `(${interval})`].filter(Boolean).join(" ");
  const said = [figures, absolute, tied].filter(Boolean).join(", ");
  return `${name}: ${said === "" ? missing ?? "no figure" : said}`;
}
