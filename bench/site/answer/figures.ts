/**
 * The other figures that can be asked about: p99 at a rate, CPU per answer, memory, startup. In: the results of a run.
 * Out: for each, absolute values of every implementation, the lowest first. None of them has intervals of pairs, so no
 * two are called tied, and none the winner: the sentence names the two ends.
 */
import { type Known, missingOf, valueOf } from "../../results/known.ts";
import { machineOf } from "../../results/comparable.ts";
import { outcomeAt, whyFailed } from "../../results/outcome.ts";
import type { Result } from "../../results/result_schema.ts";
import { startsOf } from "../../results/startup.ts";
import { proseNames, ratioText } from "../../results/words.ts";
import { median } from "../../statistics/mod.ts";
import { linearScale, logScale, type Scale } from "../scale.ts";
import { threeDigits } from "../three_digits.ts";
import { cpuAtEvenSpeed } from "../control.ts";
import { p99Question } from "./p99.ts";
import { type Measured, type Question, scaled } from "./question.ts";
import type { AnswerGroup, AnswerView } from "./view.ts";
import type { Marks } from "../marks.ts";

/** A view before it knows of the others. */
export type FigureView =
  & Pick<
    AnswerView,
    "figure" | "connections" | "question" | "answer" | "axis" | "ticks" | "groups"
  >
  & Required<Pick<AnswerView, "ownFacts">>;

/**
 * Returns a view for each figure and level that two implementations have; none where the machines differ, because
 * absolute values of different machines do not compare.
 */
export function figureViews(
  results: readonly Result[],
  marks: Marks,
): FigureView[] {
  if (new Set(results.map(({ machine }) => machineOf(machine))).size > 1) return [];
  const levels = [...new Set(results.flatMap(({ plan }) => plan.levels))].sort((a, b) => a - b);
  const questions = [
    ...p99Question(results),
    ...levels.flatMap((connections) => [
      cpuQuestion(connections, results),
      memoryQuestion(connections),
    ]),
    startupQuestion,
  ];
  return questions.flatMap((question) => {
    const known = results.filter((result) => "value" in question.valueOf(result));
    return known.length < 2 ? [] : [viewOf(question, results, marks)];
  });
}

function cpuQuestion(connections: number, results: readonly Result[]): Question {
  const cpuOf = cpuAtEvenSpeed(results, connections);
  return {
    figure: "cpu",
    connections,
    question: "Which web backend needs the least CPU?",
    axis: "warm CPU time per answer in µs, at the control’s median speed",
    unit: "µs",
    subject: "CPU time per answer",
    facts: [
      "95 % interval of the ratio to the control’s time in the same rounds",
      "µs: that ratio multiplied by the control’s median over all implementations",
    ],
    isLog: false,
    valueOf: (result) => {
      const cpu = cpuOf(result);
      return "missing" in cpu ? cpu : { value: scaled(cpu.value, 1e6) };
    },
  };
}

function memoryQuestion(connections: number): Question {
  return {
    figure: "memory",
    connections,
    question: "Which web backend uses the least memory?",
    axis: "peak memory in MiB, of a cold load",
    unit: "MiB",
    subject: "Peak memory",
    facts: ["one load each, no interval; limits of heaps are the runtimes’ own"],
    isLog: false,
    valueOf: (result) => {
      const outcome = outcomeAt(result, connections);
      const bytes = valueOf(outcome)?.observation.resources?.subject.peakMemoryBytes;
      return bytes === undefined
        ? { missing: missingOf(outcome) ?? "memory was not measured" }
        : { value: { estimate: bytes / 1024 ** 2 } };
    },
  };
}

const startupQuestion: Question = {
  figure: "startup",
  question: "Which web backend starts fastest?",
  axis: "time from spawning to the first correct answer, as a multiple of the control’s",
  unit: "×",
  subject: "Startup",
  endText: (estimate) => `${threeDigits(estimate)} times the control’s`,
  facts: [
    "plotted against the control’s starts, 95 % interval over blocks of starts; times are medians of starts of a fresh process",
  ],
  isLog: true,
  valueOf: ({ startup }) => {
    if (startup === undefined) return { missing: "its starts were not measured" };
    const { seconds } = startsOf(startup, "subject");
    // Times of one implementation beside another's depend on what the machine did before: the ratio does not.
    if (startup.ratio === undefined) return { missing: "an interval needs three blocks of starts" };
    const { estimate, low, high } = startup.ratio;
    return { value: { estimate, low, high, absolute: `${threeDigits(1e3 * median(seconds))} ms` } };
  },
};

function viewOf(
  question: Question,
  results: readonly Result[],
  marks: Marks,
): FigureView {
  const measured = results.map((result) => ({ result, known: question.valueOf(result) }));
  const values = measured.flatMap(({ known }) => valueOf(known) ?? []);
  const ends = values.flatMap(({ estimate: at, low = at, high = at }) => [at, low, high]);
  const scale = question.isLog
    ? logScale(Math.min(...ends), Math.max(...ends))
    : linearScale(Math.max(...ends));
  const names = proseNames(results.map(({ impl }) => impl.name));
  const estimateOf = (known: Known<Measured>) => valueOf(known)?.estimate ?? Number.MAX_VALUE;
  const groups = (["standard", "tuned"] as const).flatMap((implClass): AnswerGroup[] => {
    const ofClass = measured.filter(({ result }) => result.impl.class === implClass)
      .sort((a, b) => estimateOf(a.known) - estimateOf(b.known));
    if (ofClass.length === 0) return [];
    const least = valueOf(ofClass[0]!.known);
    return [{
      label: implClass === "tuned" ? "Tuned, ranked separately" : undefined,
      rows: ofClass.map(({ result, known }) => ({
        id: result.impl.id,
        name: names.get(result.impl.name)!,
        order: marks.get(result.impl.id)!,
        runId: result.runId,
        brackets: [],
        ...figuresOf(known, { result, question, scale, least }),
      })),
    }];
  });
  return {
    figure: question.figure,
    connections: question.connections,
    question: question.question,
    answer: answerOf(
      groups,
      new Map(
        measured.flatMap(({ result, known }) =>
          "value" in known ? [[result.impl.id, known.value]] : []
        ),
      ),
      question,
    ),
    ownFacts: question.facts,
    axis: question.axis,
    ticks: scale.ticks.map(({ at, value }) => ({ at, text: tickText(value, question) })),
    groups,
  };
}

function tickText(value: number, { unit }: Question): string {
  return unit === "×" ? `${threeDigits(value)} ×` : threeDigits(value);
}

/** Of starts, estimates are ratios to the control's, as the axis and the sentence have them. */
function relativeText(estimate: number, least: Measured, { unit }: Question): string {
  return `${unit === "×" ? threeDigits(estimate) : ratioText(estimate / least.estimate)} ×`;
}

function figuresOf(
  known: Known<Measured>,
  { result, question, scale, least }: {
    result: Result;
    question: Question;
    scale: Scale;
    least?: Measured;
  },
): Partial<AnswerGroup["rows"][number]> {
  if ("missing" in known) return { missing: whyFailed(result) ?? known.missing };
  const { estimate, low, high, absolute } = known.value;
  const ends = low === undefined || high === undefined || low === high ? undefined : { low, high };
  return {
    plot: {
      at: scale.at(estimate),
      bar: question.isLog ? undefined : { from: 0, to: scale.at(estimate) },
      interval: ends && { from: scale.at(ends.low), to: scale.at(ends.high) },
    },
    relative: least && relativeText(estimate, least, question),
    absolute: absolute ?? `${threeDigits(estimate)} ${question.unit}`,
    range: ends && rangeText(ends, question),
  };
}

/** Returns what a stroke reaches over: `11.9–12.7 µs`. */
function rangeText({ low, high }: { low: number; high: number }, { unit }: Question): string {
  const ends = [...new Set([threeDigits(low), threeDigits(high)])].join("–");
  return `${ends} ${unit === "×" ? "times the control’s" : unit}`;
}

/** Names both ends by what the rows are in the order of, and no winner; the first class alone. */
function answerOf(
  [group]: AnswerGroup[],
  measured: ReadonlyMap<string, Measured>,
  { subject, endText }: Question,
): string {
  const ends = (group?.rows ?? []).flatMap(({ id, name, absolute }) => {
    const it = measured.get(id);
    return it === undefined ? [] : [{ name, text: endText?.(it.estimate) ?? absolute }];
  });
  const [first, last] = [ends[0], ends.at(-1)];
  if (first === undefined || last === undefined) return "No value was measured.";
  if (ends.length > 1 && first.text === last.text) return `${subject} is ${first.text} in each.`;
  return first === last
    ? `${subject} is ${first.text} (${first.name}).`
    : `${subject} ranges from ${first.text} (${first.name}) to ${last.text} (${last.name}).`;
}
