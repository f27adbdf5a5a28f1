import { formatInteger } from "../../lib/format_integer.ts";
import { assertEquals } from "@std/assert";
import { exampleBursts } from "../../testing/example_bursts.ts";
import { exampleRun } from "../../testing/example_run.ts";
import { startsOf } from "../../results/startup.ts";
import { intervalText, ratioTexts } from "../../results/words.ts";
import { showRun } from "./page.ts";
import { digitsText } from "../../../site/assets/step_text.js";

const results = exampleRun("20260105T000000Z-0000005");

Deno.test("showRun() has median and range of startup, and the lowest and highest ratio to the control", () => {
  const { results: [first], startupFinding } = showRun(results);
  const { seconds } = startsOf(results[0]!.startup!, "subject");
  assertEquals(
    [first!.startup!.medianSeconds, first!.startup!.leastSeconds, first!.startup!.mostSeconds],
    [seconds[2], seconds[0], seconds[4]],
  );
  const words = ({ startup }: typeof results[0]) =>
    `${ratioTexts(startup!.ratio!).estimate} times as long as the control (${
      intervalText(startup!.ratio!)
    })`;
  assertEquals(
    startupFinding,
    `To its first answer, Swift took ${words(results[0]!)}; Tweaked ${words(results[3]!)}`,
  );
  assertEquals(showRun(results.slice(0, 1)).startupFinding?.includes(";"), false);
  const [swift] = results;
  const even = { ...swift!.startup!.ratio!, estimate: 1.04, low: 0.88, high: 1.1 };
  assertEquals(
    showRun([{ ...swift!, startup: { ...swift!.startup!, ratio: even } }]).startupFinding,
    "To its first answer, Swift took about as long as the control: no difference could be measured (95 %: 0.88–1.10)",
  );
  const { ratio: _, ...few } = swift!.startup!;
  assertEquals(
    showRun([{ ...swift!, startup: few }]).startupFinding,
    "Startup: an interval needs three blocks of starts",
  );
});

Deno.test("showRun() puts who sustained the most first, and who starts soonest, what has no figure last", () => {
  const [first, ...others] = results;
  const { rateSweep: _, startup: __, ...without } = first!;
  const shown = showRun([without, ...others]).results;
  const namesBy = (place: "sweepPlace" | "startupPlace") =>
    shown.toSorted((a, b) => a[place] - b[place]).map(({ impl }) => impl.name);
  const rates = new Map(
    results.map(({ impl, rateSweep }) => [impl.name, rateSweep!.sustainablePerSecond ?? 0]),
  );
  const swept = namesBy("sweepPlace").map((name) => name === "Swift" ? 0 : rates.get(name)!);
  assertEquals(swept, swept.toSorted((a, b) => b - a));
  assertEquals(namesBy("startupPlace"), ["Even", "Freezing", "Tweaked", "Swift"]);
});

Deno.test("showRun() has the load with commits on disk in words, and in no group of loads", () => {
  const [result] = results;
  const plan = { ...result!.plan, durable: { connections: 50, requests: 5_000 } };
  const [load] = result!.levels;
  const { results: [first], loads } = showRun([{ ...result!, plan, durable: { load } }]);
  const what = "5,000 requests at 50 connections, with every commit on disk before its answer";
  const { goodputPerSecond, latencySeconds } = load!.repetitions.at(-1)!.figures!;
  assertEquals(
    first!.durable,
    `${what}: ${formatInteger(goodputPerSecond)} per second, p99 ${
      digitsText(1000 * latencySeconds.p99)
    } ms; cold, one load, in no ranking`,
  );
  assertEquals(loads, showRun([result!]).loads);
  const missing = "it cannot be set";
  assertEquals(
    showRun([{ ...result!, plan, durable: { missing } }]).results[0]!.durable,
    `${what}: no figure, because it cannot be set`,
  );
  assertEquals(showRun([result!]).results[0]!.durable, undefined);
});

Deno.test("showRun() has the bursts of each implementation by themselves, too", () => {
  const { bursts, results: [, queueing] } = showRun(exampleBursts("20260105T000000Z-0000005"));
  assertEquals(
    queueing!.bursts!.steps.map(({ rows }) => rows),
    bursts!.steps.map(({ rows }) => rows.filter(({ name }) => name === "Queueing")),
  );
  assertEquals(
    queueing!.bursts!.finding,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer",
  );
  assertEquals(queueing!.deliveries, undefined);
});

Deno.test("showRun() has each machine once, and whose it is", () => {
  const [first, second, ...others] = results;
  const machine = { ...second!.machine, cpuModel: "Other CPU" };
  const { environment } = showRun([first!, { ...second!, machine }, ...others]);
  assertEquals(environment.machines.map(({ names }) => names), [
    ["Swift", "Freezing", "Tweaked"],
    ["Even"],
  ]);
  assertEquals([environment.databases.length, environment.tools.length], [1, 1]);
});

Deno.test("showRun() has how the answers of each level were judged, and nothing where none were", () => {
  const { results: [first] } = showRun(results);
  const [level] = first!.witnessed!.levels;
  const { correct, refused } = results[0]!.levels[0]!.repetitions[0]!.observation!;
  assertEquals(level, { connections: 10, answers: correct, refused: refused!, wrong: 0 });
  const [result] = results;
  const { results: [failed] } = showRun([{ ...result!, levels: [] }]);
  assertEquals(failed!.witnessed, undefined);
});

Deno.test("showRun() has the first wrong answer of each kind", () => {
  const [result] = structuredClone(results);
  const { observation } = result!.levels[0]!.repetitions[0]!;
  const problem = {
    check: "stale-record",
    sent: "GET /",
    came: "an old row",
    expected: "a new one",
  };
  Object.assign(observation!, { wrong: { "stale-record": 3 }, problems: [problem] });
  observation!.correct -= 3;
  const { results: [shown] } = showRun([result!]);
  assertEquals(shown!.witnessed!.levels[0]!.wrong, 3);
  assertEquals(shown!.problems, [{ connections: 10, index: 0, problems: [problem] }]);
});

Deno.test("showRun() has what the database did not count", () => {
  const [result] = structuredClone(results);
  const reason = "rows read and transactions: both sides use the user of DATABASE_URL";
  result!.levels[0]!.repetitions.at(-1)!.observation!.notCounted = [reason];
  assertEquals(showRun([result!]).results[0]!.notCounted, [reason]);
});

Deno.test("showRun() omits the size of an artefact that is a link to the machine's interpreter", () => {
  const sizeOf = (program: string) => {
    const [first] = structuredClone(results);
    first!.provenance.start = [program, "main.py"];
    return showRun([first!]).results[0]!.startup!.artefactBytes;
  };
  assertEquals(sizeOf("target/release/backend"), results[0]!.startup!.artefactBytes);
  assertEquals(sizeOf(".venv/bin/python"), undefined);
});
