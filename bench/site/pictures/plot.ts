/** A plot of values over values in a picture: where they stand, and its axes. */
import type { Scale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import { element, hairline, plotArea, quiet, rounded, text } from "./svg.ts";

/** Where values stand, in the units of the picture. */
export interface Plot {
  across(value: number): number;
  up(value: number): number;
  x: Scale;
  y: Scale;
  area: Area;
}

/** The edges of a plot. */
export type Area = Record<keyof typeof plotArea, number>;

/** Returns a plot with two axes, by default in the area of plots. */
export function plotOf(x: Scale, y: Scale, area: Area = plotArea): Plot {
  const { left, top, right, bottom } = area;
  return {
    x,
    y,
    area,
    across: (value) => left + (right - left) * x.at(value) / 100,
    up: (value) => bottom - (bottom - top) * y.at(value) / 100,
  };
}

/** Draws the axes, their ticks and what they count. */
export function axesOf(
  { x, y, across, up, area: { left, top, right, bottom } }: Plot,
  labels: { across: string; up: string },
): string {
  const columns = x.ticks.map(({ value }) => {
    const at = rounded(across(value));
    return element("path", { d: `M${at} ${top}V${bottom}`, stroke: hairline }) +
      text(threeDigits(value), { x: at, y: bottom + 20, size: 14, fill: quiet, anchor: "middle" });
  });
  const rows = y.ticks.map(({ value }) => {
    const at = rounded(up(value));
    return element("path", { d: `M${left} ${at}H${right}`, stroke: hairline }) +
      text(threeDigits(value), { x: left - 8, y: at + 5, size: 14, fill: quiet, anchor: "end" });
  });
  return columns.join("") + rows.join("") +
    text(labels.across, { x: right, y: bottom + 38, size: 14, fill: quiet, anchor: "end" }) +
    text(labels.up, { x: left - 40, y: top - 10, size: 14, fill: quiet });
}
