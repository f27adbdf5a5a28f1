/** Show: comparisons as text for a terminal. */
import { formatInteger } from "../lib/format_integer.ts";
import { bold, dim } from "@std/fmt/colors";
import type { ComparedLevel } from "../results/comparison_schema.ts";
import type { ComparisonFile, NoiseFile } from "../results/files_schema.ts";
import { warmGoodputOf } from "../results/goodput.ts";
import { describeBias, type NamedNoise, namedNoises } from "../results/noise.ts";
import { knownEnd } from "../results/words.ts";
import { notCountedIn } from "../results/not_counted.ts";
import { type RatioInterval, verdict } from "../statistics/mod.ts";
import { alignColumns } from "./columns.ts";

/** Returns a comparison as text: the verdict, the ratio with its interval, and the rates of each level. */
export function formatComparison({ subject, reference, levels }: ComparisonFile): string {
  const [a, b] = subject.id === reference.id
    ? [`${subject.id} (here)`, `${reference.id} (${reference.commit.slice(0, 7)})`]
    : [subject.id, reference.id];
  return [
    bold(`${a} compared with ${b}`),
    ...levels.flatMap((level) => formatLevel(level, a, b)),
    ...formatNotCounted(levels),
  ].join("\n");
}

function formatNotCounted(levels: readonly ComparedLevel[]): string[] {
  return notCountedIn({ comparison: { levels } }).map((what) => `not counted: ${what}`);
}

function formatLevel(level: ComparedLevel, a: string, b: string): string[] {
  const { connections, goodput, cpuPerAnswer, problem, rounds } = level;
  const heading = `${formatInteger(connections)} connections: `;
  if (problem !== undefined) return [`${heading}invalid: ${problem}`];
  const ofSubject = warmGoodputOf(level, "subject");
  const ofReference = warmGoodputOf(level, "reference");
  if (goodput === undefined || ofSubject === undefined || ofReference === undefined) {
    return [`${heading}${undecided(rounds)}`];
  }
  const sentence = {
    faster: `${a} is faster than ${b}`,
    slower: `${a} is slower than ${b}`,
    tied: `${a} and ${b} are tied: no difference could be measured`,
  }[verdict(goodput)];
  return [
    heading + bold(sentence),
    `  warm goodput: ${formatRatio(goodput, `that of ${b}`)}`,
    ...(cpuPerAnswer === undefined
      ? []
      : [`  CPU per answer: ${formatRatio(cpuPerAnswer, `that of ${b}`)}`]),
    dim(
      `  ${formatInteger(ofSubject.estimate)} and ${
        formatInteger(ofReference.estimate)
      } per second, ` +
        "warm, each measured while the other was frozen",
    ),
  ];
}

function undecided(rounds: readonly unknown[]): string {
  return `not decided: ${rounds.length} of at least 3 rounds`;
}

/**
 * Formats a ratio with its interval, and the number of what that is over: `1.23 times the control's (95 %: 1.20–1.27,
 * 7 rounds)`; of one that is only a bound, the end of its interval that is known: `at most 1.27 times the control's (95 %,
 * 7 rounds)`.
 */
export function formatRatio(
  ratio: RatioInterval,
  of: string,
  { units = "rounds", qualifier }: { units?: string; qualifier?: "at least" | "at most" } = {},
): string {
  const { estimate, low, high, confidence, rounds } = ratio;
  const percent = Math.floor(confidence * 100);
  if (qualifier !== undefined) {
    const known = knownEnd(ratio, qualifier).toFixed(2);
    return `${qualifier} ${known} times ${of} (${percent} %, ${rounds} ${units})`;
  }
  const interval = `${low.toFixed(2)}–${high.toFixed(2)}`;
  return `${estimate.toFixed(2)} times ${of} (${percent} %: ${interval}, ${rounds} ${units})`;
}

/** Returns a noise measurement as text: each comparison, and what all of them say of each figure. */
export function formatNoise(file: NoiseFile): string {
  const noises = namedNoises(file);
  return [
    bold(`${file.impl} compared with itself at ${file.plan.levels.join(", ")} connections`),
    ...file.comparisons.map(({ goodput, problem, rounds }, index) =>
      `${String(index + 1).padStart(3)}  ${
        goodput === undefined
          ? problem ?? undecided(rounds)
          : `${formatRatio(goodput, "itself")}${verdict(goodput) === "tied" ? "" : "  false alarm"}`
      }`
    ),
    ...alignColumns([
      [
        "",
        "mean (95 %)",
        "false alarms (95 %)",
        "found 4 times in 5 (95 %)",
        "scatter ÷ implied (95 %)",
      ],
      ...noises.map(formatFigure),
    ]),
    describeBias(noises),
    ...formatNotCounted(file.comparisons),
  ].join("\n");
}

function formatFigure({ name, comparisons, ...noise }: NamedNoise): string[] {
  const { mean, falseAlarms, detectableDifference, detectableWithin, scatter } = noise;
  const percent = (share: number) => (share * 100).toFixed(1);
  const [factor, low, high] = [mean.estimate, mean.low, mean.high].map((it) => it.toFixed(3));
  return [
    name,
    `${factor} (${low}–${high})`,
    `${falseAlarms.count} of ${comparisons} (${percent(falseAlarms.low)}–${
      percent(falseAlarms.high)
    } %)`,
    `${percent(detectableDifference)} % (${percent(detectableWithin.low)}–${
      percent(detectableWithin.high)
    })`,
    `${scatter.estimate.toFixed(2)} (${scatter.low.toFixed(2)}–${scatter.high.toFixed(2)})`,
  ];
}
