/** Runs on several kinds of machine: each is compared with the earlier runs on its own kind, all together. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import type { Figure } from "../figure.ts";
import type { Followed } from "../figures.ts";
import { decide, type RegressionIssue } from "./decision.ts";
import { isWorse, judgeFigure, judgeFigures, type Judgement, type Stratum } from "./rule.ts";

const runIdOf = (week: number) => `2026010${week}T000000Z-0000000`;

/** Returns a ratio that some machines found, each with an interval of a percent either way. */
function onMachines(...values: number[]): Figure {
  const machines = values.map((value) => ({
    value,
    interval: { low: 0.99 * value, high: 1.01 * value, confidence: 0.95, rounds: 10 },
  }));
  const shared = { name: "ratio", direction: "bigger", unit: "times the control" } as const;
  return { ...shared, ...machines[0]!, machines };
}

/** Returns a run on two machines of one kind and one of another, on which the program is half as fast. */
function runOf(runId: string, onFirst: number, onSecond: number): Followed[] {
  const shared = {
    ...{ runId, scenario: "jwt-mysql", implId: "swift", commit: "1".repeat(40) },
    ...{ startedAt: "2026-01-01T00:00:00.000Z", cpuModel: "Example CPU" },
  };
  return [
    { ...shared, comparableKey: "first", figures: [onMachines(onFirst, 1.02 * onFirst)] },
    { ...shared, comparableKey: "second", figures: [onMachines(onSecond)] },
  ];
}

const weeks = [0.9, 1.1, 0.85, 1.15, 1, 1.05].flatMap((value, index) =>
  runOf(runIdOf(index + 1), value, 0.5 * value)
);

Deno.test("a ratio on several kinds of machine is compared with the baseline of each, all together", () => {
  const judge = ([first, ...others]: Followed[]) =>
    judgeFigures({ ...first!, others }, weeks).get("ratio")!;
  const [first, second] = runOf(runIdOf(8), 0.9, 0.45) as [Followed, Followed];
  const [alone, together] = [judge([first]), judge([first, second])];
  assertAlmostEquals(together.worseBy, alone.worseBy, 0.01);
  assert(together.threshold < alone.threshold, `${together.threshold}, ${alone.threshold}`);
  // A kind of machine without earlier runs tells nothing.
  assertEquals(judge([first, { ...second, comparableKey: "third" }]), alone);
});

Deno.test("two kinds of machine in one run are less certain than two runs", () => {
  const stratumOf = (place: number, runId: string): Stratum => ({
    kind: `${place}`,
    runId,
    figure: onMachines(place === 0 ? 0.9 : 0.45),
    earlier: weeks.filter((_, index) => index % 2 === place)
      .map(({ runId, figures }) => ({ ...figures[0]!, runId })),
  });
  const judge = (...runIds: [string, string]): Judgement => {
    const [{ figure, earlier, ...rest }, ...others] = runIds.map((runId, place) =>
      stratumOf(place, runId)
    ) as [Stratum, Stratum];
    return judgeFigure(figure, earlier, { ...rest, others })!;
  };
  const [one, two] = [judge(runIdOf(8), runIdOf(8)), judge(runIdOf(8), runIdOf(9))];
  assertAlmostEquals(one.worseBy, two.worseBy, 1e-12);
  assert(one.threshold > 1.2 * two.threshold, `${one.threshold}, ${two.threshold}`);
  // So it is of whole results.
  const [first, second] = runOf(runIdOf(8), 0.9, 0.45) as [Followed, Followed];
  const ofRun = (runId: string) =>
    judgeFigures({ ...first, others: [{ ...second, runId }] }, weeks).get("ratio")!.threshold;
  assert(ofRun(runIdOf(8)) > 1.2 * ofRun(runIdOf(9)));
});

Deno.test("over two weeks, an issue keeps figures that only several kinds of machine together show to be worse", () => {
  const runIn = (week: number, level: number): Followed => {
    const [first, ...others] = runOf(runIdOf(week), level, 0.5 * level);
    return { ...first!, others };
  };
  const flat = (run: Followed) => [run, ...run.others!];
  const now = runIn(7, 0.68);
  // The kind that most machines have is not worse by enough to be sure; both kinds are.
  assert(!isWorse(judgeFigures({ ...now, others: [] }, weeks).get("ratio")!));
  assert(isWorse(judgeFigures(now, weeks).get("ratio")!));
  const losses = new Map([["ratio", 0.32]]);
  const issue: RegressionIssue = {
    ...{ number: 1, scenario: "jwt-mysql", implId: "swift", since: now.runId },
    ...{ losses, state: "open" },
  };
  const later = [...weeks, ...flat(now)];
  assertEquals(decide(runIn(8, 0.68), later, { issues: [issue] }).kind, "update");
  assertEquals(decide(runIn(8, 1), later, { issues: [issue] }).kind, "nothing");
  const back = [...later, ...flat(runIn(8, 1))];
  assertEquals(decide(runIn(9, 1), back, { issues: [issue] }).kind, "close");
});
