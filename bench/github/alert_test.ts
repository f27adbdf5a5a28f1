import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleRun } from "../example_run.ts";
import { createRandom } from "../random.ts";
import type { Result } from "../schema.ts";
import { alertThreshold, fewestRuns, findRegressions, judgeFigure } from "./alert.ts";
import { type Figure, historyLength } from "./figures.ts";

const ratio: Figure = { name: "ratio", direction: "bigger", value: 1, unit: "times the control" };
const steady = [0.99, 1, 1, 1, 1.01];

const swiftOf = (week: number, capacity: number): Result => {
  const [swift] = exampleRun(`202601${String(week).padStart(2, "0")}T000000Z-0000000`);
  swift!.ladder!.capacityPerSecond = capacity;
  return swift!;
};
const history = [1, 2, 3, 4, 5].map((week) => swiftOf(week, 2_000));
const statesOf = (now: Result, rerun?: Result) =>
  findRegressions(now, history, rerun).map(({ name, state }) => `${name}: ${state}`);

Deno.test("alertThreshold() is 5 %, or four median absolute deviations where that is more", () => {
  assertEquals(alertThreshold(steady), 0.05);
  assertAlmostEquals(alertThreshold([160, 180, 200, 220, 240])!, 0.4, 1e-12);
});

Deno.test("alertThreshold() does not follow a run that was far off", () => {
  assertEquals(alertThreshold([...steady, 0.2, 5]), 0.05);
});

Deno.test("alertThreshold() is unknown with less than five earlier runs", () => {
  assertEquals(alertThreshold(steady.slice(1)), undefined);
  assertEquals(judgeFigure({ ...ratio, value: 0.1 }, steady.slice(1)), undefined);
});

Deno.test("judgeFigure() flags what is worse by more than the threshold, in the figure's direction", () => {
  const worseBy = (direction: Figure["direction"], value: number) =>
    judgeFigure({ ...ratio, direction, value }, steady)?.worseBy;
  assertEquals(worseBy("bigger", 0.96), undefined);
  assertEquals(worseBy("bigger", 1.5), undefined);
  assertAlmostEquals(worseBy("bigger", 0.75)!, 0.25, 1e-12);
  assertEquals(worseBy("smaller", 1.04), undefined);
  assertEquals(worseBy("smaller", 0.5), undefined);
  assertAlmostEquals(worseBy("smaller", 1.25)!, 0.25, 1e-12);
});

Deno.test("judgeFigure() says what it compared", () => {
  assertEquals(judgeFigure({ ...ratio, value: 0.5 }, steady, 0.5), {
    name: "ratio",
    direction: "bigger",
    unit: "times the control",
    before: 1,
    runs: 5,
    now: 0.5,
    worseBy: 0.5,
    threshold: 0.05,
    state: "confirmed",
  });
});

Deno.test("findRegressions() confirms what a second run shows too, and dismisses what it does not", () => {
  const now = swiftOf(6, 1_000);
  const capacity = "swift: capacity within the goal";
  assertEquals(statesOf(swiftOf(6, 2_000)), []);
  assertEquals(statesOf(now), [`${capacity}: suspected`]);
  assertEquals(statesOf(now, swiftOf(7, 1_000)), [`${capacity}: confirmed`]);
  assertEquals(statesOf(now, swiftOf(7, 2_000)), [`${capacity}: dismissed`]);
});

Deno.test("findRegressions() takes for a second run none of another processor, of another commit, or the first", () => {
  const now = swiftOf(6, 1_000);
  const elsewhere = swiftOf(7, 2_000);
  elsewhere.machine.cpuModel = "Another CPU";
  const later = swiftOf(7, 2_000);
  later.provenance.commit = "1".repeat(40);
  for (const rerun of [elsewhere, later, now]) {
    assertEquals(statesOf(now, rerun), ["swift: capacity within the goal: suspected"]);
  }
});

/** What a run's ratio to the control varies by, as a standard deviation of its logarithm: some 1.5 %. */
const noise = 0.015;

/** Options for {@linkcode simulate}. */
interface SimulateOptions {
  trials: number;
  seed: number;
  /** Earlier runs that the first week is held against. The default is 20. */
  runs?: number;
}

/**
 * Returns how often a figure is flagged in the first week after it has become worse by `drop`, how often that is
 * confirmed, and how often within four weeks, of which each joins the history.
 */
function simulate(drop: number, { trials, seed, runs = historyLength }: SimulateOptions) {
  const random = createRandom(seed);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const measure = (level: number) => level * Math.exp(noise * normal());
  let [flagged, confirmed, soon] = [0, 0, 0];
  for (let trial = 0; trial < trials; trial++) {
    const earlier = Array.from({ length: runs }, () => measure(1));
    const states = [1, 2, 3, 4].map(() => {
      const now = measure(1 - drop);
      const state = judgeFigure({ ...ratio, value: now }, earlier, measure(1 - drop))?.state;
      earlier.push(now);
      if (earlier.length > historyLength) earlier.shift();
      return state;
    });
    if (states[0] !== undefined) flagged++;
    if (states[0] === "confirmed") confirmed++;
    if (states.includes("confirmed")) soon++;
  }
  return { flagged: flagged / trials, confirmed: confirmed / trials, soon: soon / trials };
}

Deno.test("a figure that stays is measured again once in 40 years of weekly runs, with no false alarm in 1,000", () => {
  const { flagged, soon } = simulate(0, { trials: 130_000, seed: 1 });
  assertAlmostEquals(52 * flagged, 1 / 40, 0.01);
  // 13 times four weeks are a year.
  assert(13 * soon <= 0.001, `${13 * soon} a year`);
});

Deno.test("with five earlier runs, it is measured again once in 20 years", () => {
  const { flagged, confirmed } = simulate(0, { trials: 50_000, seed: 2, runs: fewestRuns });
  assertAlmostEquals(52 * flagged, 1 / 20, 0.02);
  assert(52 * confirmed <= 0.01, `${52 * confirmed} a year`);
});

Deno.test("a figure worse by 5 % is found in one week of four, by 10 % and 20 % in the first", () => {
  const powers = [0.05, 0.1, 0.2].map((drop) => simulate(drop, { trials: 4_000, seed: 3 }));
  const [five, ten, twenty] = powers;
  assertAlmostEquals(five!.confirmed, 0.25, 0.03);
  assertAlmostEquals(five!.soon, 0.55, 0.03);
  assert(ten!.confirmed > 0.99, `${ten!.confirmed}`);
  assertEquals(twenty!.confirmed, 1);
});
