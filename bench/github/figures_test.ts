import { assertAlmostEquals, assertEquals } from "@std/assert";
import { comparableKeyOf, conditionsOf } from "../results/comparable.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleRun } from "../testing/example_run.ts";
import type { Result } from "../results/result_schema.ts";
import { median } from "../statistics/mod.ts";
import { earlierFigures, figuresOf, follow } from "./figures.ts";

const swiftOf = (day: number, change: (result: Result) => void = () => {}): Result => {
  const [swift] = exampleRun(`202601${String(day).padStart(2, "0")}T000000Z-0000000`);
  swift!.rateSweep!.sustainablePerSecond = day;
  change(swift!);
  return swift!;
};

const sustainableRates = (result: Result, history: Result[]) =>
  earlierFigures(follow([result]), history.map((earlier) => follow([earlier]))).get(
    "highest sustainable rate",
  )
    ?.map(({ value }) => value);

Deno.test("figuresOf() gives each figure in the unit that it names", () => {
  const swift = swiftOf(1);
  const valueOf = (name: string) => figuresOf(swift).find((figure) => figure.name === name)!.value;
  // 100 µs of processor, 20 MiB, and the ratio of startup, as in the example.
  assertAlmostEquals(valueOf("CPU time per answer in the cold load at 10 connections"), 100, 1e-9);
  assertEquals(valueOf("peak memory in the cold load at 10 connections"), 20);
  const { estimate, low, high, confidence, rounds } = swift.startup!.ratio!;
  const startup = figuresOf(swift).find(({ name }) => name === "startup");
  assertEquals(startup, {
    name: "startup",
    direction: "smaller",
    value: estimate,
    unit: "times the control",
    interval: { low, high, confidence, rounds },
  });
  const ofProcesses = swift.rateSweep!.processes
    .map(({ steps: [first] }) => first!.latencySeconds!.p99 * 1e3);
  assertAlmostEquals(valueOf("p99 at 100 requests/s, after 0.5 s"), median(ofProcesses), 1e-9);
});

Deno.test("figuresOf() has 0 where a valid sweep sustained no rate, and nothing where one is invalid", () => {
  const rateOf = (result: Result) =>
    figuresOf(result).find(({ name }) => name === "highest sustainable rate")?.value;
  const none = swiftOf(1, ({ rateSweep }) => delete rateSweep!.sustainablePerSecond);
  assertEquals(rateOf(none), 0);
  none.rateSweep!.processes[1]!.problem = "it was disturbed";
  assertEquals(rateOf(none), undefined);
});

Deno.test("figuresOf() leaves out times of 0, and latency at a rate that does not hold", () => {
  const swift = swiftOf(1, (result) => {
    result.levels[0]!.repetitions[0]!.observation!.resources!.subject.cpuSecondsPerAnswer = 0;
    result.rateSweep!.processes[1]!.steps[0]!.holds = false;
  });
  const names = figuresOf(swift).map(({ name }) => name);
  assertEquals(names.includes("CPU time per answer in the cold load at 10 connections"), false);
  assertEquals(names.includes("p99 at 100 requests/s, after 0.5 s"), false);
});

Deno.test("figuresOf() has who was answered of a burst, the memory, and where nearly all were how long they waited", () => {
  const [, queueing, cheating] = exampleBursts("20260105T000000Z-0000005");
  const figures = figuresOf(queueing!).map(({ name, value, unit }) =>
    `${name}: ${value.toFixed(1)} ${unit}`
  );
  assertEquals(figures.slice(0, 5), [
    "answered of 10000 users at once, 1 s: 8282.0 users",
    "peak memory with 10000 users at once, 1 s: 50.0 MiB",
    "answered of 1000 users at once, 1 s: 1000.0 users",
    "mean wait of 1000 users at once, 1 s: 3.0 s",
    "peak memory with 1000 users at once, 1 s: 50.0 MiB",
  ]);
  assertEquals(figures.length, 7);
  assertEquals(figuresOf(cheating!), []);
});

Deno.test("earlierFigures() are of the last 20 runs before this one, the oldest first, in any order given", () => {
  const history = Array.from({ length: 25 }, (_, index) => swiftOf(index + 1)).toReversed();
  assertEquals(
    sustainableRates(swiftOf(24), history),
    Array.from({ length: 20 }, (_, index) => index + 4),
  );
});

Deno.test("earlierFigures() are of the same implementation and scenario, and comparable", () => {
  const even = exampleRun("20260102T000000Z-0000000")[1]!;
  const other = swiftOf(3, ({ machine }) => machine.cpuCount = 4);
  assertEquals(sustainableRates(swiftOf(4), [swiftOf(1), even, other]), [1]);
  // Also where the keys did not tell scenarios apart.
  const now = follow([swiftOf(4)]);
  const hello = { ...follow([swiftOf(3)]), scenario: "hello" };
  assertEquals(earlierFigures(now, [hello]).size, 0);
});

Deno.test("a result without a control has no comparable key, and no earlier values", () => {
  const alone = (day: number) => swiftOf(day, (result) => delete result.control);
  assertEquals(comparableKeyOf(conditionsOf(alone(2))), undefined);
  assertEquals(sustainableRates(alone(2), [alone(1)]), undefined);
});
