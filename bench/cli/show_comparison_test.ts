import { assertEquals } from "@std/assert";
import { stripAnsiCode } from "@std/fmt/colors";
import { exampleNoise } from "../testing/example_files.ts";
import { describeBias, namedNoises } from "../results/noise.ts";
import { formatNoise } from "./show_comparison.ts";

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
    ["", "mean (95 %)", "false alarms (95 %)", "found 4 times in 5 (95 %)"],
    ["warm goodput", "1.002 (0.998–1.006)", "1 of 20 (0.1–24.9 %)", "2.5 % (1.9–3.7)"],
    ["CPU per answer", "0.942 (0.935–0.949)", "1 of 20 (0.1–24.9 %)", "2.5 % (1.9–3.7)"],
  ]);
  assertEquals(lines.at(-1), describeBias(namedNoises(file)));
});
