/**
 * The first minute: throughput from the first second of a cold load, a small plot for each implementation on the same
 * axes. A stall is an interval without any correct answer, marked below the axis.
 */
import { sum } from "../../lib/sum.ts";
import { valueOf } from "../../results/known.ts";
import { outcomeAt } from "../../results/outcome.ts";
import { seriesIntervalSeconds } from "../../statistics/mod.ts";
import { threeDigits } from "../three_digits.ts";
import { cutAt } from "./line_width.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { colourOf, element, framed, hairline, quiet, rounded, text, warning } from "./svg.ts";

const minuteSeconds = 60;
/** Points of one plot, at most; a small one has one for each third unit of its width. */
const mostPoints = 90;
/** Of the rows of plots together. */
const area = { left: 40, top: 128, width: 1144, height: 446, gap: 24 };

/** Throughput over the first minute of one load. */
interface Minute extends Drawn {
  /** Mean rate of each bin. */
  perSecond: number[];
  binSeconds: number;
  /** Bins in which some interval had no correct answer. */
  stalls: number[];
}

/** Returns what is drawn of each implementation with a valid load at this level. */
function minutesOf(
  { drawn, connections }: Pick<Drawing, "drawn" | "connections">,
  points = mostPoints,
): Minute[] {
  return drawn.flatMap((it) => {
    const observation = valueOf(outcomeAt(it.result, connections))?.observation;
    if (observation === undefined) return [];
    const seconds = Math.min(minuteSeconds, observation.durationSeconds);
    const whole = observation.series.correct.slice(0, Math.floor(seconds / seriesIntervalSeconds));
    const size = Math.max(1, Math.ceil(whole.length / points));
    const bins = Array.from(
      { length: Math.floor(whole.length / size) },
      (_, index) => whole.slice(index * size, (index + 1) * size),
    );
    if (bins.length < 2) return [];
    const binSeconds = size * seriesIntervalSeconds;
    return [{
      ...it,
      binSeconds,
      perSecond: bins.map((bin) => sum(bin) / binSeconds),
      stalls: bins.flatMap((bin, index) => bin.includes(0) ? [index] : []),
    }];
  });
}

/** Draws the picture; undefined without a valid load. */
export function firstMinute(drawing: Drawing): Picture | undefined {
  const columns = columnsFor(minutesOf(drawing).length);
  const width = area.width / Math.max(1, columns);
  const minutes = minutesOf(drawing, Math.min(mostPoints, Math.floor(width / 3)));
  if (minutes.length === 0) return undefined;
  const height = area.height / Math.ceil(minutes.length / columns);
  const mostSeconds = Math.max(...minutes.map((it) => it.binSeconds * it.perSecond.length));
  const mostPerSecond = Math.max(...minutes.flatMap(({ perSecond }) => perSecond));
  const plots = minutes.map((minute, index) =>
    plotOf(minute, {
      left: area.left + width * (index % columns),
      top: area.top + height * Math.floor(index / columns),
      width: width - area.gap,
      height,
      mostSeconds,
      mostPerSecond,
    })
  );
  const title = "The first minute";
  const words = minutes.map(({ name, perSecond, stalls }) =>
    `${name}: ${threeDigits(perSecond[0]!)} answers/s at first, ${
      threeDigits(perSecond.at(-1)!)
    } at the end, ${
      stalls.length === 0 ? "no stall" : stalls.length === 1 ? "a stall" : `${stalls.length} stalls`
    }`
  );
  const description = words.join("; ");
  return {
    name: "first-minute",
    title,
    description,
    svg: framed({
      title,
      subtitle:
        `Correct answers per second of a fresh process, ${drawing.connections} connections; ` +
        `all axes to ${threeDigits(mostSeconds)} s and ${threeDigits(mostPerSecond)}/s`,
      source: `${drawing.source}; one load each, no interval`,
      description,
    }, plots.join("")),
  };
}

/** Returns how many plots stand side by side: about as many as fill the picture, with few places left empty. */
function columnsFor(count: number): number {
  if (count === 0) return 0;
  const wanted = Math.sqrt(1.6 * count);
  const emptyIn = (columns: number) => columns * Math.ceil(count / columns) - count;
  return [Math.floor(wanted), Math.ceil(wanted)].filter((columns) => columns > 0)
    .sort((a, b) => emptyIn(a) - emptyIn(b))[0]!;
}

interface Place {
  left: number;
  top: number;
  width: number;
  height: number;
  mostSeconds: number;
  mostPerSecond: number;
}

function plotOf({ name, mark, perSecond, binSeconds, stalls }: Minute, place: Place): string {
  const { left, top, width, height, mostSeconds, mostPerSecond } = place;
  // A low plot has its name above it, and no more.
  const isLow = height < 130;
  const head = isLow ? { size: 14, height: 20 } : { size: 16, height: 42 };
  const bottom = top + height - (isLow ? 24 : 40);
  const across = (bin: number) => left + width * bin * binSeconds / mostSeconds;
  const up = (rate: number) => bottom - (bottom - top - head.height) * rate / mostPerSecond;
  const points = perSecond.map((rate, bin) =>
    [rounded(across(bin + 0.5)), rounded(up(rate))] as const
  );
  // A step from the point before is shorter to write than a place.
  const line = points.map(([x, y], bin) => {
    const before = points[bin - 1];
    return before === undefined
      ? `${x} ${y}`
      : `l${rounded(x - before[0])} ${rounded(y - before[1])}`;
  }).join("");
  const end = rounded(across(perSecond.length));
  const rate = isLow ? "" : text(`${threeDigits(perSecond.at(-1)!)}/s`, {
    x: left,
    y: top + 32,
    size: 14,
    fill: quiet,
  });
  return text(cutAt(name, width, head.size, 700), {
    x: left,
    y: top + 14,
    size: head.size,
    weight: 700,
    fill: colourOf(mark),
  }) + rate +
    element("path", {
      d: `M${rounded(left)} ${rounded(bottom)}h${rounded(width)}`,
      stroke: hairline,
      fill: "none",
    }) +
    element("path", {
      d: `M${rounded(across(0.5))} ${rounded(bottom)}L${line}V${rounded(bottom)}z`,
      fill: colourOf(mark),
      "fill-opacity": 0.13,
    }) +
    element("path", { d: `M${line}`, fill: "none", stroke: colourOf(mark), "stroke-width": 2 }) +
    text(`${threeDigits(binSeconds * perSecond.length)} s`, {
      x: end,
      y: bottom + (isLow ? 13 : 20),
      size: isLow ? 11 : 13,
      fill: quiet,
      anchor: "end",
    }) +
    stalls.map((bin) =>
      element("rect", {
        x: rounded(across(bin)),
        y: rounded(bottom + 2),
        height: 6,
        fill: warning,
        width: rounded(Math.max(2, across(bin + 1) - across(bin))),
      })
    ).join("");
}
