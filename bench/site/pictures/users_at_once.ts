/**
 * Bursts: the mean wait of answered users, logarithmic, and the share of users without an answer, each over the
 * number of users that came at the same time; a line for each implementation.
 */
import { countedRounds, inOrder } from "../../results/burst.ts";
import type { BurstEstimate, BurstFigures, BurstStep } from "../../results/burst_schema.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { linearScale, logScale, type Scale } from "../scale.ts";
import { drawLine, type Point } from "./line.ts";
import { threeDigits } from "../three_digits.ts";
import type { Drawing, Drawn, Picture } from "./picture.ts";
import { axesOf, plotOf } from "./plot.ts";
import { colourOf, framed, plotArea, spread, text } from "./svg.ts";

/** The bursts of one implementation with one delay, those that have figures. */
interface Line extends Drawn {
  steps: (BurstStep & { figures: BurstFigures })[];
}

/** Two plots side by side, with room for names at the right. */
const waits = { ...plotArea, right: 490 };
const failures = { ...plotArea, left: 570, right: 930 };

/** The delay that the lines are of: the one with the most steps. */
function delayOf({ drawn }: Pick<Drawing, "drawn">): number | undefined {
  const counts = new Map<number, number>();
  for (const { result } of drawn) {
    for (const { delaySeconds, figures } of result.bursts?.steps ?? []) {
      if (figures !== undefined) counts.set(delaySeconds, (counts.get(delaySeconds) ?? 0) + 1);
    }
  }
  return [...counts].sort(([a, n], [b, m]) => m - n || a - b)[0]?.[0];
}

/** Draws the picture; undefined without a burst that has figures. */
export function usersAtOnce(drawing: Drawing): Picture | undefined {
  const delay = delayOf(drawing);
  if (delay === undefined) return undefined;
  const lines = drawing.drawn.flatMap((it): Line[] => {
    const steps = inOrder(it.result.bursts?.steps ?? []).flatMap((step) =>
      step.delaySeconds === delay && step.figures !== undefined
        ? [{ ...step, figures: step.figures }]
        : []
    );
    return steps.length === 0 ? [] : [{ ...it, steps }];
  });
  const users = lines.flatMap(({ steps }) => steps.map((step) => step.users));
  const means = lines.flatMap(({ steps }) =>
    steps.flatMap(({ figures }) => figures.meanSeconds ?? [])
  );
  const across = () => linearScale(Math.max(...users));
  const up = logScale(
    Math.min(delay, ...means.map(({ mean }) => mean)),
    Math.max(...means.map(({ mean, high = mean }) => high), 2 * delay),
  );
  const failed = linearScale(
    Math.max(
      0.1,
      ...lines.flatMap(({ steps }) =>
        steps.map(({ figures }) => figures.failedShare.high ?? figures.failedShare.mean)
      ),
    ),
  );
  const [left, right] = [plotOf(across(), up, waits), plotOf(across(), percent(failed), failures)];
  const ends = lines.map(({ steps }) => right.up(100 * steps.at(-1)!.figures.failedShare.mean));
  const labels = spread(ends, 20, plotArea.bottom);
  const drawn = lines.map((line, index) =>
    drawLine(left, line.mark, pointsOf(line, ({ meanSeconds }) => meanSeconds, "s")) +
    drawLine(
      right,
      line.mark,
      pointsOf(line, ({ failedShare }) => inPercent(failedShare), "% failed"),
    ) +
    text(line.name, {
      x: failures.right + 14,
      y: labels[index]! + 5,
      size: 14,
      weight: 700,
      fill: colourOf(line.mark),
    })
  );
  const title = "Bursts: many users at once";
  const description = lines.map(({ name, steps }) => `${name}: ${steps.map(wordsOf).join(", ")}`)
    .join("; ");
  const counts = lines.flatMap(({ steps }) => steps.map((step) => countedRounds(step).length));
  const [least, most] = [Math.min(...counts), Math.max(...counts)];
  const rounds = least === most ? most : `${least} to ${most}`;
  const interval = most < 3 ? "no interval" : `strokes are 95 % intervals over ${rounds} rounds`;
  return {
    name: "users-at-once",
    title,
    description,
    svg: framed(
      {
        title,
        subtitle: `each asks for ${threeDigits(delay)} s of delay; left, how long answered users ` +
          "wait; right, who gets no answer",
        source: `${drawing.source}; ${interval}`,
        description,
      },
      axesOf(left, { across: "users at once", up: "mean wait in s" }) +
        axesOf(right, { across: "users at once", up: "users without an answer in %" }) +
        drawn.join(""),
    ),
  };
}

function percent({ at, ticks }: Scale): Scale {
  return {
    at: (value) => at(value / 100),
    ticks: ticks.map((tick) => ({ ...tick, value: 100 * tick.value })),
  };
}

function inPercent({ mean, low, high }: BurstEstimate): BurstEstimate {
  return {
    mean: 100 * mean,
    low: low === undefined ? undefined : 100 * low,
    high: high === undefined ? undefined : 100 * high,
  };
}

function pointsOf(
  { name, steps }: Line,
  pick: (figures: BurstFigures) => BurstEstimate | undefined,
  unit: string,
): Point[] {
  return steps.flatMap(({ users, figures }) => {
    const estimate = pick(figures);
    if (estimate === undefined) return [];
    const { mean, ...interval } = estimate;
    const title = `${name}, ${formatInteger(users)} users: ${threeDigits(mean)} ${unit}`;
    return [{ x: users, y: mean, ...interval, title }];
  });
}

function wordsOf({ users, figures: { meanSeconds, failedShare } }: Line["steps"][number]): string {
  const wait = meanSeconds === undefined ? "nobody answered" : `${threeDigits(meanSeconds.mean)} s`;
  return `${formatInteger(users)} users ${wait}, ${threeDigits(100 * failedShare.mean)} % failed`;
}
