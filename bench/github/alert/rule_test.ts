import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { createRandom } from "../../lib/random.ts";
import {
  alertThreshold,
  fewestRuns,
  findRegressions,
  isWorse,
  judgeFigure,
  judgeFigures,
} from "./rule.ts";
import type { Figure } from "../figure.ts";
import { follow, type Followed, historyLength } from "../figures.ts";

const ratio: Figure = { name: "ratio", direction: "bigger", value: 1, unit: "times the control" };
const steady = [0.99, 1, 1, 1, 1.01];

const valuesOf = (values: number[]) => values.map((value) => ({ value }));

/** Returns a ratio with an interval of a percent either way. */
const withInterval = (value: number): Figure => ({
  ...ratio,
  value,
  interval: { low: 0.99 * value, high: 1.01 * value, confidence: 0.95, rounds: 10 },
});

const swiftOf = (week: number, sustainable: number, cpuModel = "Example CPU"): Followed => {
  const [swift] = exampleRun(`202601${String(week).padStart(2, "0")}T000000Z-0000000`);
  swift!.rateSweep!.sustainablePerSecond = sustainable;
  swift!.machine.cpuModel = cpuModel;
  return follow([swift!]);
};
const history = [1, 2, 3, 4, 5].map((week) => swiftOf(week, 2_000));
const statesOf = (now: Followed, rerun?: Followed, earlier = history) =>
  findRegressions(now, earlier, rerun).map(({ figure, state }) => `${figure.name}: ${state}`);
const rateName = "highest sustainable rate";

Deno.test("alertThreshold() is 5 %, or eight median absolute deviations where that is more", () => {
  assertEquals(alertThreshold(steady), 0.05);
  const twenty = [160, 180, 200, 220, 240].flatMap((value) => Array<number>(4).fill(value));
  assertAlmostEquals(alertThreshold(twenty)!, 0.8, 1e-12);
});

Deno.test("alertThreshold() is wider with fewer earlier runs, whose spread is less well known", () => {
  assertAlmostEquals(alertThreshold([160, 180, 200, 220, 240])!, 3.2, 1e-12);
});

Deno.test("alertThreshold() does not follow a run that was far off", () => {
  assertEquals(alertThreshold([...steady, ...steady, ...steady, 0.2, 5]), 0.05);
});

Deno.test("alertThreshold() is unknown with less than five earlier runs", () => {
  assertEquals(alertThreshold(steady.slice(1)), undefined);
  assertEquals(judgeFigure({ ...ratio, value: 0.1 }, valuesOf(steady.slice(1))), undefined);
});

Deno.test("judgeFigure() takes nothing for worse whatever the spread, if no earlier run had nothing", () => {
  const judge = (earlier: number[]) => judgeFigure({ ...ratio, value: 0 }, valuesOf(earlier));
  assertEquals(isWorse(judge([100, 150, 200, 250, 300])!), true);
  assertEquals(isWorse(judge([0, 150, 200, 250, 300])!), false);
  assertEquals(judge([0, 0, 0, 250, 300]), undefined);
});

Deno.test("judgeFigure() says by how much a figure is worse, in its direction", () => {
  const judge = (direction: Figure["direction"], value: number) =>
    judgeFigure({ ...ratio, direction, value }, valuesOf(steady))!;
  const outcomes = [
    ["bigger", 0.96, 0.04, false],
    ["bigger", 1.5, -0.5, false],
    ["bigger", 0.75, 0.25, true],
    ["smaller", 1.04, 0.04, false],
    ["smaller", 0.5, -0.5, false],
    ["smaller", 1.25, 0.25, true],
  ] as const;
  for (const [direction, value, worseBy, isFlagged] of outcomes) {
    const judgement = judge(direction, value);
    assertAlmostEquals(judgement.worseBy, worseBy, 1e-12);
    assertEquals(isWorse(judgement), isFlagged, `${direction} ${value}`);
  }
});

Deno.test("judgeFigure() says what it compared", () => {
  const figure = { ...ratio, value: 0.5 };
  assertEquals(judgeFigure(figure, valuesOf(steady)), {
    figure,
    before: { value: 1, runs: 5 },
    worseBy: 0.5,
    threshold: 0.05,
  });
});

Deno.test("judgeFigure() compares a ratio with the long-run ratio, with the interval of a further run", () => {
  const earlier = [0.99, 1, 1, 1, 1.01].map(withInterval);
  const judge = (value: number) => judgeFigure(withInterval(value), earlier)!;
  const { before: { value, interval, runs }, threshold } = judge(0.9);
  assertAlmostEquals(value, 1, 1e-4);
  assert(interval!.low < 0.995 && interval!.high > 1.005);
  assertEquals([runs, threshold], [5, 0.05]);
  assertEquals([0.96, 0.94].map((value) => isWorse(judge(value))), [false, true]);
  // Of a time, more is worse.
  const ofTime = (value: number) =>
    isWorse(judgeFigure({ ...withInterval(value), direction: "smaller" }, earlier)!);
  assertEquals([0.5, 1.04, 1.06].map(ofTime), [false, false, true]);
  // Runs that differ by 5 % tell less: 10 % worse may be one more of them.
  const apart = [0.95, 1.05, 0.96, 1.04, 1].map(withInterval);
  assertEquals(isWorse(judgeFigure(withInterval(0.9), apart)!), false);
  const slower = { ...withInterval(1.1), direction: "smaller" as const };
  assertEquals(isWorse(judgeFigure(slower, apart)!), false);
});

Deno.test("judgeFigure() flags a figure that can take few values only from two steps on", () => {
  const steps = [500, 1_000, 2_000, 4_000];
  const judge = (value: number) =>
    judgeFigure({ ...ratio, value, steps }, valuesOf(Array(5).fill(2_000)))!;
  assertEquals(judge(1_000).threshold, 0.5);
  assertEquals([2_000, 1_000, 500].map((value) => isWorse(judge(value))), [false, false, true]);
});

Deno.test("judgeFigures() leaves out what has too few earlier values", () => {
  const now = swiftOf(6, 2_000);
  assertEquals(judgeFigures(now, history).has(rateName), true);
  assertEquals([...judgeFigures(now, history.slice(1))], []);
});

Deno.test("findRegressions() finds nothing without a regression", () => {
  assertEquals(statesOf(swiftOf(6, 2_000)), []);
  assertEquals(statesOf(swiftOf(6, 4_000)), []);
});

Deno.test("findRegressions() confirms what a second measurement shows too, and dismisses what it does not", () => {
  const now = swiftOf(6, 500);
  assertEquals(statesOf(now), [`${rateName}: suspected`]);
  assertEquals(statesOf(now, swiftOf(7, 500)), [`${rateName}: confirmed`]);
  assertEquals(statesOf(now, swiftOf(7, 2_000)), [`${rateName}: dismissed`]);
});

Deno.test("findRegressions() confirms a ratio that is worse in both measurements, and by enough together", () => {
  const values = [0.95, 1.05, 0.96, 1.04, 1];
  const of = (week: number, value: number): Followed => ({
    ...swiftOf(week, 2_000),
    figures: [withInterval(value)],
  });
  const earlier = Array.from({ length: 20 }, (_, index) => of(1 + index, values[index % 5]!));
  const stateOf = (first: number, second: number) =>
    statesOf(of(21, first), of(22, second), earlier);
  assertEquals(stateOf(0.75, 0.75), ["ratio: confirmed"]);
  // Both together are far worse, and yet the second shows nothing.
  assertEquals(stateOf(0.6, 1), ["ratio: dismissed"]);
  // Worse twice, by what further runs of the same program may differ by: nothing is opened, and nothing closed.
  assertEquals(stateOf(0.89, 0.89), ["ratio: suspected"]);
});

Deno.test("findRegressions() holds a second measurement on another processor against earlier runs there", () => {
  const other = "Another CPU";
  const now = swiftOf(6, 500);
  assertEquals(statesOf(now, swiftOf(7, 500, other)), [`${rateName}: suspected`]);
  const both = [...history, ...[1, 2, 3, 4, 5].map((week) => swiftOf(week, 800, other))];
  assertEquals(statesOf(now, swiftOf(7, 800, other), both), [`${rateName}: dismissed`]);
  assertEquals(statesOf(now, swiftOf(7, 400, other), both), [`${rateName}: confirmed`]);
});

Deno.test("findRegressions() takes for a second measurement none of another commit, another implementation, or the first", () => {
  const now = swiftOf(6, 500);
  const again = swiftOf(7, 2_000);
  for (
    const rerun of [
      { ...again, commit: "1".repeat(40) },
      { ...again, implId: "even" },
      { ...again, runId: now.runId },
    ]
  ) {
    assertEquals(statesOf(now, rerun), [`${rateName}: suspected`]);
  }
});

Deno.test("findRegressions() takes a figure that the second measurement lacks for not measured", () => {
  const again = { ...swiftOf(7, 500), figures: [] };
  assertEquals(statesOf(swiftOf(6, 500), again), [`${rateName}: suspected`]);
});

/** What a run's ratio to the control varies by, as a standard deviation of its logarithm: some 1.5 %. */
const noise = 0.015;

/** Options for {@linkcode simulate}. */
interface SimulateOptions {
  trials: number;
  seed: number;
  /** Number of earlier runs before the first week. The default is 20. */
  runs?: number;
  /** Standard deviations of the logarithm, one for each figure. The default is one figure's {@linkcode noise}. */
  noises?: number[];
}

/**
 * Returns how often any figure is flagged in the first week after all have become worse by `drop`, how often one
 * is confirmed, and how often within four weeks, of which each joins the history.
 */
function simulate(
  drop: number,
  { trials, seed, runs = historyLength, noises = [noise] }: SimulateOptions,
) {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const measure = (level: number, sd: number) => level * Math.exp(sd * normal());
  const worse = (value: number, earlier: number[]) =>
    isWorse(judgeFigure({ ...ratio, value }, valuesOf(earlier))!);
  let [flagged, confirmed, soon] = [0, 0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const histories = noises.map((sd) => Array.from({ length: runs }, () => measure(1, sd)));
    const weeks = [1, 2, 3, 4].map(() =>
      noises.map((sd, index) => {
        const earlier = histories[index]!;
        const now = measure(1 - drop, sd);
        const isFlagged = worse(now, earlier);
        const isConfirmed = isFlagged && worse(measure(1 - drop, sd), earlier);
        earlier.push(now);
        if (earlier.length > historyLength) earlier.shift();
        return { isFlagged, isConfirmed };
      })
    );
    if (weeks[0]!.some(({ isFlagged }) => isFlagged)) flagged++;
    if (weeks[0]!.some(({ isConfirmed }) => isConfirmed)) confirmed++;
    if (weeks.flat().some(({ isConfirmed }) => isConfirmed)) soon++;
  }
  return { flagged: flagged / trials, confirmed: confirmed / trials, soon: soon / trials };
}

Deno.test("a figure that stays is measured again less than once in 500 years of weekly runs", () => {
  const { flagged, soon } = simulate(0, { trials: 20_000, seed: 1 });
  assert(52 * flagged <= 1 / 500 && soon === 0, `${52 * flagged} a year, ${soon}`);
});

Deno.test("a ratio that stays is measured again in 1 % of weeks, and one worse by 10 % found, by its interval", () => {
  const random = createRandom(6);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const measure = (level: number, sd: number) => withInterval(level * Math.exp(sd * normal()));
  const flagged = (level: number, sd: number) => {
    let count = 0;
    const trials = 4_000;
    for (let trial = 0; trial < trials; trial++) {
      const earlier = Array.from({ length: historyLength }, () => measure(1, sd));
      if (isWorse(judgeFigure(measure(level, sd), earlier)!)) count++;
    }
    return count / trials;
  };
  // Half of what leaves an interval of 98 % is worse.
  assertAlmostEquals(flagged(1, 0.05), 0.01, 0.006);
  assert(flagged(1, noise) <= 0.002);
  assert(flagged(0.9, noise) > 0.99);
});

/** Of the twenty figures of an implementation, ratios and memory vary like this; latencies, CPU and startup more. */
const noises = [...Array<number>(8).fill(noise), ...Array<number>(12).fill(0.05)];

Deno.test("an implementation that stays is measured again in less than 1 % of the weeks, with a false alarm in less than 0.1 %", () => {
  const { flagged, confirmed } = simulate(0, { trials: 2_000, seed: 4, noises });
  assert(flagged < 0.01 && confirmed < 0.001, `${flagged}, ${confirmed}`);
});

Deno.test("with five or ten earlier runs, there are not many more false alarms", () => {
  for (const runs of [fewestRuns, 10]) {
    const { flagged, confirmed } = simulate(0, { trials: 1_000, seed: 5, noises, runs });
    assert(flagged < 0.05 && confirmed < 0.005, `${runs} runs: ${flagged}, ${confirmed}`);
  }
});

Deno.test("a figure that varies by 1.5 % and is worse by 10 % is mostly found within four weeks, by 20 % in the first", () => {
  const [ten, twenty] = [0.1, 0.2].map((drop) => simulate(drop, { trials: 1_000, seed: 3 }));
  assert(ten!.soon > 0.8, `${ten!.soon}`);
  assert(twenty!.confirmed > 0.99, `${twenty!.confirmed}`);
});
