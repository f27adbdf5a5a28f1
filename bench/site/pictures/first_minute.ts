/**
 * The first minute: throughput from the first second of a cold load, a small plot for each implementation on the same
 * axes. A stall is an interval without any correct answer, marked below the axis.
 */
import { valueOf } from "../../results/known.ts";
import { outcomeAt } from "../../results/outcome.ts";
import { seriesIntervalSeconds } from "../../statistics/mod.ts";
import { threeDigits } from "../three_digits.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { colourOf, element, framed, hairline, quiet, rounded, text, warning } from "./svg.ts";

const minuteSeconds = 60;
/** Points of one plot, at most. */
const mostPoints = 90;

/** Throughput over the first minute of one load. */
export interface Minute extends Drawn {
  /** Mean rate of each bin. */
  perSecond: number[];
  binSeconds: number;
  /** Bins in which some interval had no correct answer. */
  stalls: number[];
}

/** Returns what is drawn of each implementation with a valid load at this level. */
export function minutesOf({ drawn, connections }: Drawing): Minute[] {
  return drawn.flatMap((it) => {
    const observation = valueOf(outcomeAt(it.result, connections))?.observation;
    if (observation === undefined) return [];
    const seconds = Math.min(minuteSeconds, observation.durationSeconds);
    const whole = observation.series.correct.slice(0, Math.floor(seconds / seriesIntervalSeconds));
    const size = Math.max(1, Math.ceil(whole.length / mostPoints));
    const bins = Array.from(
      { length: Math.floor(whole.length / size) },
      (_, index) => whole.slice(index * size, (index + 1) * size),
    );
    if (bins.length < 2) return [];
    const binSeconds = size * seriesIntervalSeconds;
    return [{
      ...it,
      binSeconds,
      perSecond: bins.map((bin) => bin.reduce((sum, count) => sum + count, 0) / binSeconds),
      stalls: bins.flatMap((bin, index) => bin.includes(0) ? [index] : []),
    }];
  });
}

/** Draws the picture; undefined without a valid load. */
export function firstMinute(drawing: Drawing): Picture | undefined {
  const minutes = minutesOf(drawing);
  if (minutes.length === 0) return undefined;
  const columns = columnsFor(minutes.length);
  const rows = Math.ceil(minutes.length / columns);
  const [width, height] = [1144 / columns, 446 / rows];
  const mostSeconds = Math.max(...minutes.map((it) => it.binSeconds * it.perSecond.length));
  const mostPerSecond = Math.max(...minutes.flatMap(({ perSecond }) => perSecond));
  const plots = minutes.map((minute, index) =>
    plotOf(minute, {
      left: 40 + width * (index % columns),
      top: 128 + height * Math.floor(index / columns),
      ...{ width: width - 24, height: height - 34, mostSeconds, mostPerSecond },
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
  const bottom = top + height - 10;
  const across = (bin: number) => left + width * bin * binSeconds / mostSeconds;
  const up = (rate: number) => bottom - (height - 48) * rate / mostPerSecond;
  const line = perSecond.map((rate, bin) => `${rounded(across(bin + 0.5))} ${rounded(up(rate))}`)
    .join("L");
  const end = rounded(across(perSecond.length));
  return text(name, { x: left, y: top + 14, size: 16, weight: 700, fill: colourOf(mark) }) +
    text(`${threeDigits(perSecond.at(-1)!)}/s`, {
      ...{ x: left, y: top + 32, size: 14, fill: quiet },
    }) +
    element("path", {
      d: `M${rounded(left)} ${rounded(bottom)}h${rounded(width)}`,
      stroke: hairline,
      fill: "none",
    }) +
    element("path", {
      d: `M${rounded(across(0.5))} ${rounded(bottom)}L${line}V${rounded(bottom)}z`,
      ...{ fill: colourOf(mark), "fill-opacity": 0.13 },
    }) +
    element("path", { d: `M${line}`, fill: "none", stroke: colourOf(mark), "stroke-width": 2 }) +
    text(`${threeDigits(binSeconds * perSecond.length)} s`, {
      ...{ x: end, y: bottom + 20, size: 13, fill: quiet, anchor: "end" },
    }) +
    stalls.map((bin) =>
      element("rect", {
        ...{ x: rounded(across(bin)), y: rounded(bottom + 2), height: 6, fill: warning },
        width: rounded(Math.max(2, across(bin + 1) - across(bin))),
      })
    ).join("");
}
