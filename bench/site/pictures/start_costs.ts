/**
 * What a start costs: time to the first correct answer against peak memory under load, both logarithmic, and CPU time per
 * answer as the area of the mark.
 */
import { valueOf } from "../../results/known.ts";
import { outcomeAt } from "../../results/outcome.ts";
import { startsOf } from "../../results/startup.ts";
import { median } from "../../statistics/mod.ts";
import { cpuAtEvenSpeed } from "../control.ts";
import { logScale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import { labelPlaces } from "./label_places.ts";
import { widthOf } from "./line_width.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { axesOf, plotOf } from "./plot.ts";
import { colourOf, framed, markAt, plotArea, text } from "./svg.ts";

const labelSize = 15;

/** What is drawn of one implementation. */
interface Cost extends Drawn {
  startupMs: number;
  memoryMebibytes: number;
  /** Absent where it was not compared. */
  cpuMicroseconds?: number;
}

/** Returns the costs of each implementation that was started and loaded. */
function costsOf({ drawn, connections }: Drawing): Cost[] {
  const cpuOf = cpuAtEvenSpeed(drawn.map(({ result }) => result), connections);
  return drawn.flatMap((it) => {
    const { startup } = it.result;
    const load = valueOf(outcomeAt(it.result, connections))?.observation;
    const memory = load?.resources?.subject.peakMemoryBytes;
    if (startup === undefined || memory === undefined) return [];
    const cpu = valueOf(cpuOf(it.result));
    return [{
      ...it,
      startupMs: 1e3 * median(startsOf(startup, "subject").seconds),
      memoryMebibytes: memory / 1024 ** 2,
      cpuMicroseconds: cpu && 1e6 * cpu.estimate,
    }];
  });
}

/** Draws the picture; undefined with fewer than two implementations. */
export function startCosts(drawing: Drawing): Picture | undefined {
  const costs = costsOf(drawing);
  if (costs.length < 2) return undefined;
  const scaleOf = (values: number[]) => logScale(Math.min(...values), Math.max(...values));
  const plot = plotOf(
    scaleOf(costs.map(({ startupMs }) => startupMs)),
    scaleOf(costs.map(({ memoryMebibytes }) => memoryMebibytes)),
  );
  const most = Math.max(...costs.map(({ cpuMicroseconds }) => cpuMicroseconds ?? 0));
  const at = costs.map((cost) => ({
    x: plot.across(cost.startupMs),
    y: plot.up(cost.memoryMebibytes),
    scale: cost.cpuMicroseconds === undefined
      ? 1
      : 0.6 + 2.4 * Math.sqrt(cost.cpuMicroseconds / most),
  }));
  const places = labelPlaces(
    costs.map((cost, index) => {
      const { x, y, scale } = at[index]!;
      return { x, y, reach: 8 * scale, width: widthOf(labelOf(cost), labelSize, 700) };
    }),
    plotArea,
  );
  const marks = costs.map((cost, index) => {
    const { x, y, scale } = at[index]!;
    return markAt(x, y, { mark: cost.mark, title: wordsOf(cost), scale });
  });
  const names = costs.map((cost, index) => {
    const place = places[index];
    if (place === undefined) return "";
    return text(labelOf(cost), {
      x: place.x,
      y: place.y + 5,
      anchor: place.anchor,
      fill: colourOf(cost.mark),
      weight: 700,
      size: labelSize,
      isOver: true,
    });
  });
  const title = "What a start costs";
  const description = costs.map(wordsOf).join("; ");
  return {
    name: "start-costs",
    title,
    description,
    svg: framed(
      {
        title,
        subtitle:
          "Time to the first correct answer (ms) against peak memory (MiB); larger marks need more CPU per answer",
        source: `${drawing.source}; medians of starts, one load each`,
        description,
      },
      axesOf(plot, { across: "startup in ms", up: "peak memory in MiB" }) + marks.join("") +
        names.join(""),
    ),
  };
}

function labelOf({ name, startupMs, memoryMebibytes }: Cost): string {
  return `${name}: ${threeDigits(startupMs)} ms, ${threeDigits(memoryMebibytes)} MiB`;
}

function wordsOf(cost: Cost): string {
  const { cpuMicroseconds } = cost;
  return cpuMicroseconds === undefined
    ? labelOf(cost)
    : `${labelOf(cost)}, ${
      threeDigits(cpuMicroseconds)
    } µs CPU per answer at the control’s median speed`;
}
