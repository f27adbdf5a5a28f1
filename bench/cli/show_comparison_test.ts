import { assertEquals, assertMatch } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { factsOf } from "../measure/load.ts";
import { describeBias, namedNoises } from "../results/noise.ts";
import type { ComparedRound } from "../results/comparison_schema.ts";
import type { ComparisonFile, NoiseComparison } from "../results/files_schema.ts";
import { exampleComparison, exampleNoise } from "../testing/example_files.ts";
import { exampleResult } from "../testing/example_result.ts";
import { formatComparison, formatNoise } from "./show_comparison.ts";

const notCounted = "statements of each side: the server says why";

/** Says of a round that its database did not count statements. */
function withoutCounts({ subject }: ComparedRound): void {
  const { observation } = exampleResult().levels[0]!.repetitions[0]!;
  subject.load = { ...factsOf(observation!), notCounted: [notCounted] };
}

function linesOf(file: ComparisonFile): string[] {
  return stripAnsiCode(formatComparison(file)).split("\n");
}

Deno.test("formatComparison() says which is faster, by how much, and how sure that is", () => {
  const file = exampleComparison(1.3);
  const [heading, verdict, goodput, cpuPerAnswer, rates, ...rest] = linesOf(file);
  assertEquals(heading, "example (here) compared with example (fffffff)");
  assertEquals(verdict, "50 connections: example (here) is faster than example (fffffff)");
  const of = String.raw`times that of example \(fffffff\) \(96 %: `;
  assertMatch(
    goodput!,
    new RegExp(`^  warm goodput: 1\\.3\\d ${of}1\\.\\d\\d–1\\.\\d\\d, 8 rounds\\)$`),
  );
  assertMatch(cpuPerAnswer!, new RegExp(`^  CPU per answer: 0\\.7\\d ${of}`));
  assertMatch(rates!, /per second, warm, each measured while the other was frozen$/);
  assertEquals(rest, []);
  const slower = linesOf({ ...exampleComparison(0.7), subject: { ...file.subject, id: "other" } });
  assertEquals(slower.slice(0, 2), [
    "other compared with example",
    "50 connections: other is slower than example",
  ]);
});

Deno.test("formatComparison() says what is not known: a difference, a ratio, statements", () => {
  const file = exampleComparison(1);
  const [level] = file.levels;
  const lines = linesOf({
    ...file,
    levels: [
      level!,
      { connections: 100, rounds: level!.rounds, problem: "was not warm" },
      { connections: 300, rounds: level!.rounds.slice(0, 2) },
    ],
  });
  const names = "example (here) and example (fffffff)";
  assertEquals(lines[1], `50 connections: ${names} are tied: no difference could be measured`);
  assertEquals(lines.slice(5), [
    "100 connections: invalid: was not warm",
    "300 connections: not decided: 2 of at least 3 rounds",
  ]);
  withoutCounts(level!.rounds[3]!);
  assertEquals(linesOf(file).slice(5), [`not counted: ${notCounted}`]);
});

Deno.test("formatNoise() shows each comparison, the noise of each figure, and which are biased", () => {
  const example = exampleNoise("20260101T000000Z-0000000");
  const goodput = {
    comparisons: 20,
    mean: { estimate: 1.0021, low: 0.9983, high: 1.0059 },
    standardDeviation: 0.008,
    falseAlarms: { count: 1, share: 0.05, low: 0.00127, high: 0.24873 },
    detectableDifference: 0.0249,
  };
  const cpuPerAnswer = { ...goodput, mean: { estimate: 0.94206, low: 0.93491, high: 0.94929 } };
  const file = { ...example, summary: { goodput, cpuPerAnswer } };
  const lines: string[] = stripAnsiCode(formatNoise(file)).split("\n");
  assertEquals(lines[0], "example compared with itself at 50 connections");
  const alarms = lines.slice(1, 21).filter((line) => line.endsWith("  false alarm"));
  assertEquals(alarms.length, example.summary.goodput.falseAlarms.count);
  assertEquals(lines.slice(21, -1).map((line) => line.split(/ {2,}/)), [
    [
      "",
      "mean (95 %)",
      "false alarms (95 %)",
      "found 4 times in 5 (95 %)",
      "scatter ÷ implied (95 %)",
    ],
    [
      "warm goodput",
      "1.002 (0.998–1.006)",
      "1 of 20 (0.1–24.9 %)",
      "2.5 % (1.9–3.7)",
      "1.86 (1.38–2.76)",
    ],
    [
      "CPU per answer",
      "0.942 (0.935–0.949)",
      "1 of 20 (0.1–24.9 %)",
      "2.5 % (1.9–3.7)",
      "1.86 (1.38–2.76)",
    ],
  ]);
  assertEquals(lines.at(-1), describeBias(namedNoises(file)));
  withoutCounts(file.comparisons[2]!.rounds[0]!);
  assertEquals(stripAnsiCode(formatNoise(file)).split("\n").at(-1), `not counted: ${notCounted}`);
  const [{ goodput: _, ...first }, ...others] = file.comparisons as [NoiseComparison];
  const comparisons = [{ ...first, rounds: first.rounds.slice(0, 2) }, ...others];
  assertEquals(
    stripAnsiCode(formatNoise({ ...file, comparisons })).split("\n")[1],
    "  1  not decided: 2 of at least 3 rounds",
  );
});
