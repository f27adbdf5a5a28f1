/**
 * Deliveries: how many notifications a second arrive, and which share of the accepted ones never does, each over the rate
 * at which they are offered; a line for each implementation.
 */
import { byRate, lostShare } from "../../results/deliveries.ts";
import type { DeliveryStep } from "../../results/deliveries_schema.ts";
import { linearScale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import { drawLine, type Point } from "./line.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { widthOf } from "./line_width.ts";
import { axesOf, plotOf } from "./plot.ts";
import { colourOf, framed, plotArea, size, spread, text } from "./svg.ts";

/** Its arrivals were counted while the load lasted; the oldest results have none. */
type DrawnStep = DeliveryStep & { arrivedPerSecond: number };

/** The valid steps of one implementation, by rate. */
interface Line extends Drawn {
  steps: DrawnStep[];
}

/** Two plots side by side, with room for names at the right. */
const rates = { ...plotArea, right: 530 };
const namesAt = 14;
const nameStyle = { size: 14, weight: 700 } as const;

/** Draws the picture; undefined without a valid step. */
export function deliveries(drawing: Drawing): Picture | undefined {
  const lines = drawing.drawn.flatMap((it): Line[] => {
    const steps = byRate(it.result.deliveries?.steps ?? [])
      .filter((step): step is DrawnStep =>
        step.problem === undefined && step.arrivedPerSecond !== undefined
      );
    return steps.length === 0 ? [] : [{ ...it, steps }];
  });
  if (lines.length === 0) return undefined;
  const all = lines.flatMap(({ steps }) => steps);
  const most = Math.max(...all.map(({ ratePerSecond }) => ratePerSecond));
  const left = plotOf(
    linearScale(most),
    linearScale(Math.max(...all.map(({ arrivedPerSecond }) => arrivedPerSecond))),
    rates,
  );
  const mostLost = Math.max(10, ...all.map(lostPercent));
  const nameWidth = Math.max(
    ...lines.map(({ name }) => widthOf(name, nameStyle.size, nameStyle.weight)),
  );
  const losses = {
    ...plotArea,
    left: 620,
    right: Math.min(1000, size.width - nameWidth - namesAt - 10),
  };
  const right = plotOf(linearScale(most), linearScale(mostLost), losses);
  const ends = lines.map(({ steps }) => right.up(lostPercent(steps.at(-1)!)));
  const labels = spread(ends, 20, plotArea.bottom);
  const drawn = lines.map((line, index) =>
    drawLine(
      left,
      line.mark,
      pointsOf(line, ({ arrivedPerSecond }) => arrivedPerSecond, "per second"),
    ) +
    drawLine(right, line.mark, pointsOf(line, lostPercent, "% lost")) +
    text(line.name, {
      x: losses.right + namesAt,
      y: labels[index]! + 5,
      ...nameStyle,
      fill: colourOf(line.mark),
    })
  );
  const title = "Deliveries: notifications passed on";
  const description = lines.map(({ name, steps }) => `${name}: ${steps.map(wordsOf).join(", ")}`)
    .join("; ");
  return {
    name: "deliveries",
    title,
    description,
    svg: framed(
      {
        title,
        subtitle: "each is a call that takes 100 ms; left, how many a second arrive; " +
          "right, how many of the accepted ones never do",
        source: `${drawing.source}; one process a step, no interval`,
        description,
      },
      axesOf(left, { across: "notifications offered a second", up: "arriving a second" }) +
        axesOf(right, { across: "notifications offered a second", up: "accepted and lost in %" }) +
        drawn.join(""),
    ),
  };
}

function lostPercent(step: DeliveryStep): number {
  return 100 * lostShare(step);
}

function pointsOf(
  { name, steps }: Line,
  pick: (step: DrawnStep) => number,
  unit: string,
): Point[] {
  return steps.map((step) => ({
    x: step.ratePerSecond,
    y: pick(step),
    title: `${name}, ${threeDigits(step.ratePerSecond)} a second: ${
      threeDigits(pick(step))
    } ${unit}`,
  }));
}

function wordsOf(step: DrawnStep): string {
  const { ratePerSecond, arrivedPerSecond } = step;
  return `${threeDigits(ratePerSecond)} offered ${threeDigits(arrivedPerSecond)} arriving, ${
    threeDigits(lostPercent(step))
  } % lost`;
}
