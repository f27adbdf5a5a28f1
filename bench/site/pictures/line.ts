/** A line of marks in a plot, with a stroke for the interval of each that has one. */
import type { Plot } from "./plot.ts";
import { colourOf, element, markAt, rounded } from "./svg.ts";

/** One mark, in units of the plot's axes. */
export interface Point {
  x: number;
  y: number;
  low?: number;
  high?: number;
  title: string;
}

/** Draws the points of one implementation, in their order. */
export function drawLine(plot: Plot, mark: number, points: readonly Point[]): string {
  const colour = colourOf(mark);
  const path = points.map(({ x, y }) => `${rounded(plot.across(x))} ${rounded(plot.up(y))}`);
  const strokes = points.map(({ x, low, high }) => {
    if (low === undefined || high === undefined) return "";
    // A logarithmic axis has no zero.
    const foot = Math.max(low, plot.y.ticks[0]?.value ?? low);
    const d = `M${rounded(plot.across(x))} ${rounded(plot.up(foot))}V${rounded(plot.up(high))}`;
    return element("path", { d, stroke: colour, "stroke-width": 2 });
  });
  const line = path.length < 2 ? "" : element("path", {
    d: `M${path.join("L")}`,
    fill: "none",
    stroke: colour,
    "stroke-width": 2,
  });
  return line + strokes.join("") +
    points.map(({ x, y, title }) => markAt(plot.across(x), plot.up(y), { mark, title })).join("");
}
