/**
 * How far until it breaks: p99 from when requests were due against the offered rate, both logarithmic. What is above
 * the objective is shaded; filled marks met it in every process, hollow ones did not.
 */
import { ratesOf, sweepProblem } from "../../results/rate_sweep.ts";
import { logScale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { axesOf, plotOf } from "./plot.ts";
import { colourOf, element, framed, markAt, plotArea, rounded, spread, text } from "./svg.ts";

/** The sweep of one implementation. */
export interface Sweep extends Drawn {
  steps: { ratePerSecond: number; p99Ms: number; holds: boolean }[];
  goalMs: number;
  sustainablePerSecond?: number;
}

/** Returns the sweeps that have an outcome. */
export function sweepsOf({ drawn }: Pick<Drawing, "drawn">): Sweep[] {
  return drawn.flatMap((it) => {
    const { rateSweep } = it.result;
    if (rateSweep === undefined || sweepProblem(rateSweep) !== undefined) return [];
    const steps = ratesOf(rateSweep).flatMap(({ ratePerSecond, latencySeconds, met, processes }) =>
      latencySeconds === undefined
        ? []
        : [{ ratePerSecond, p99Ms: 1e3 * latencySeconds.p99, holds: met === processes }]
    );
    const { plan, sustainablePerSecond } = rateSweep;
    return steps.length < 2
      ? []
      : [{ ...it, steps, goalMs: 1e3 * plan.goal.p99Seconds, sustainablePerSecond }];
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
  // Room at the right for the labels at the ends of the lines.
  const plot = plotOf(
    logScale(
      Math.min(...rates),
      Math.max(...rates) * (Math.max(...rates) / Math.min(...rates)) ** 0.5,
    ),
    logScale(Math.min(...latencies), Math.max(...latencies)),
  );
  const goal = plot.up(first.goalMs);
  const shade = element("rect", {
    ...{ x: plotArea.left, y: plotArea.top, width: plotArea.right - plotArea.left },
    height: rounded(goal - plotArea.top),
    fill: "#8a3b00",
    "fill-opacity": 0.09,
  }) + text(`p99 over ${threeDigits(first.goalMs)} ms`, {
    ...{ x: plotArea.left + 8, y: goal - 8, size: 14, fill: "#8a3b00" },
  });
  const ends = sweeps.map((sweep) => plot.up(sweep.steps.at(-1)!.p99Ms));
  const labels = spread(ends, 20, plotArea.bottom);
  const lines = sweeps.map((sweep, index) => {
    const { name, mark } = sweep;
    const points = sweep.steps.map(({ ratePerSecond, p99Ms }) =>
      `${rounded(plot.across(ratePerSecond))} ${rounded(plot.up(p99Ms))}`
    );
    const last = plot.across(Math.max(...rates));
    return element("path", {
      ...{ d: `M${points.join("L")}`, fill: "none", stroke: colourOf(mark), "stroke-width": 2 },
    }) +
      sweep.steps.map(({ ratePerSecond, p99Ms, holds }) =>
        markAt(plot.across(ratePerSecond), plot.up(p99Ms), {
          mark,
          title: `${name}, ${threeDigits(ratePerSecond)} requests/s: ${threeDigits(p99Ms)} ms`,
          isHollow: !holds,
        })
      ).join("") +
      text(`${name}: ${heldOf(sweep)}`, {
        ...{
          x: last + 14,
          y: labels[index]! + 5,
          size: 14,
          weight: 700,
          fill: colourOf(mark),
          isOver: true,
        },
      });
  });
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
        lines.join(""),
    ),
  };
}

function heldOf({ sustainablePerSecond }: Sweep): string {
  return sustainablePerSecond === undefined ? "none" : `${threeDigits(sustainablePerSecond)}/s`;
}
