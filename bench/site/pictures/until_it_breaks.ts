/**
 * How far until it breaks: p99 from when requests were due against the offered rate, both logarithmic. What is above
 * the objective is shaded; filled marks met it in every process, hollow ones did not.
 */
import { isHighestOffered, ratesOf, sweepProblem } from "../../results/rate_sweep.ts";
import { logScale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { widthOf } from "./line_width.ts";
import { axesOf, type Plot, plotOf } from "./plot.ts";
import {
  background,
  colourOf,
  element,
  framed,
  markAt,
  plotArea,
  rounded,
  spread,
  text,
  warning,
} from "./svg.ts";

const labelSize = 15;
/** There is room for so many labels; the others are lines in grey. */
const mostNamed = 20;

/** The sweep of one implementation. */
interface Sweep extends Drawn {
  steps: { ratePerSecond: number; p99Ms: number; holds: boolean }[];
  goalMs: number;
  sustainablePerSecond?: number;
  /** It may sustain more. */
  isHighestOffered: boolean;
}

/** Returns the sweeps that have an outcome. */
function sweepsOf({ drawn }: Pick<Drawing, "drawn">): Sweep[] {
  return drawn.flatMap((it) => {
    const { rateSweep } = it.result;
    if (rateSweep === undefined || sweepProblem(rateSweep) !== undefined) return [];
    const steps = ratesOf(rateSweep).flatMap(({ ratePerSecond, latencySeconds, met, processes }) =>
      latencySeconds === undefined
        ? []
        : [{ ratePerSecond, p99Ms: 1e3 * latencySeconds.p99, holds: met === processes }]
    );
    const { plan, sustainablePerSecond } = rateSweep;
    return steps.length < 2 ? [] : [{
      ...it,
      steps,
      goalMs: 1e3 * plan.goal.p99Seconds,
      sustainablePerSecond,
      isHighestOffered: isHighestOffered(rateSweep),
    }];
  });
}

/** Draws the picture; undefined without a sweep. */
export function untilItBreaks(drawing: Drawing): Picture | undefined {
  const sweeps = sweepsOf(drawing);
  const [first] = sweeps;
  if (first === undefined) return undefined;
  const steps = sweeps.flatMap((sweep) => sweep.steps);
  const rates = steps.map(({ ratePerSecond }) => ratePerSecond);
  const latencies = [first.goalMs, ...steps.map(({ p99Ms }) => p99Ms)];
  const ranked = sweeps.toSorted((a, b) =>
    (b.sustainablePerSecond ?? 0) - (a.sustainablePerSecond ?? 0)
  );
  const named = ranked.slice(0, mostNamed);
  const labelWidth = Math.max(...named.map((it) => widthOf(labelOf(it), labelSize, 700)));
  const plot = plotOf(
    logScale(Math.min(...rates), Math.max(...rates)),
    logScale(Math.min(...latencies), Math.max(...latencies)),
    { ...plotArea, right: plotArea.right - labelWidth - 40 },
  );
  const goal = plot.up(first.goalMs);
  const shade = element("rect", {
    x: plotArea.left,
    y: plotArea.top,
    width: rounded(plot.area.right - plotArea.left),
    height: rounded(goal - plotArea.top),
    fill: warning,
    "fill-opacity": 0.09,
  }) + text(`p99 over ${threeDigits(first.goalMs)} ms`, {
    x: plotArea.left + 8,
    y: goal - 8,
    size: 14,
    fill: warning,
  });
  const ends = named.map(({ steps }) => plot.up(steps.at(-1)!.p99Ms));
  const labels = spread(ends, 20, plotArea.bottom);
  const others = ranked.slice(mostNamed).map((sweep) => lineOf(sweep, plot, background));
  const lines = named.map((sweep, index) =>
    lineOf(sweep, plot, colourOf(sweep.mark)) + endOf(sweep, plot, labels[index]!)
  );
  const title = "How far until it breaks";
  const description = sweeps.map((sweep) => `${sweep.name} sustained ${heldOf(sweep)}`).join("; ");
  return {
    name: "until-it-breaks",
    title,
    description,
    svg: framed(
      {
        title,
        subtitle:
          "p99 latency against offered rate; filled marks meet the objective, hollow ones miss it",
        source: `${drawing.source}; medians over processes, no interval`,
        description,
      },
      shade + axesOf(plot, { across: "requests per second offered", up: "p99 in ms" }) +
        others.join("") + lines.join(""),
    ),
  };
}

/** A line through the steps; those that miss the objective are hollow. */
function lineOf({ name, mark, steps }: Sweep, { across, up }: Plot, stroke: string): string {
  const points = steps.map(({ ratePerSecond, p99Ms }) =>
    `${rounded(across(ratePerSecond))} ${rounded(up(p99Ms))}`
  );
  const marks = steps.map(({ ratePerSecond, p99Ms, holds }) =>
    markAt(across(ratePerSecond), up(p99Ms), {
      mark,
      title: `${name}, ${threeDigits(ratePerSecond)} requests/s: ${threeDigits(p99Ms)} ms`,
      isHollow: !holds,
      isOfGroup: true,
    })
  );
  const colour = colourOf(mark);
  return element("path", { d: `M${points.join("L")}`, fill: "none", stroke, "stroke-width": 2 }) +
    (stroke === background ? "" : element("g", { fill: colour, stroke: colour }, marks.join("")));
}

/** The label of a line, beside the plot, and what leads to it from the line's end. */
function endOf(sweep: Sweep, { across, up, area: { right } }: Plot, y: number): string {
  const { ratePerSecond, p99Ms } = sweep.steps.at(-1)!;
  const [fromX, fromY] = [rounded(across(ratePerSecond)), rounded(up(p99Ms))];
  const colour = colourOf(sweep.mark);
  return element("path", {
    d: `M${fromX} ${fromY}L${rounded(right + 8)} ${rounded(y)}h8`,
    fill: "none",
    stroke: colour,
    "stroke-width": 1,
    "stroke-dasharray": "2 3",
  }) + text(labelOf(sweep), {
    x: right + 20,
    y: y + 5,
    size: labelSize,
    weight: 700,
    fill: colour,
    isOver: true,
  });
}

function labelOf(sweep: Sweep): string {
  return `${sweep.name}: ${heldOf(sweep)}`;
}

function heldOf({ sustainablePerSecond, isHighestOffered }: Sweep): string {
  if (sustainablePerSecond === undefined) return "none";
  return `${isHighestOffered ? "≥ " : ""}${threeDigits(sustainablePerSecond)}/s`;
}
