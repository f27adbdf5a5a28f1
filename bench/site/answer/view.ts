/**
 * A view: the answer to one question about a scenario, as its page shows it. Texts are ready, and places along the axis
 * are in percent of its length: templates compute nothing.
 */
import type { BracketPart } from "./brackets.ts";

/** What can be asked about. */
export type FigureId = "throughput" | "p99" | "cpu" | "memory" | "startup";

/** A view: `assets/<address>view.json`, that of the home page `assets/answers/view.json`. */
export interface AnswerView {
  /** Relative to the site's address; empty for the home page. */
  address: string;
  scenario: string;
  figure: FigureId;
  /** Absent where the figure has none. */
  connections?: number;
  /** The runs that it is from, the newest first: several where earlier ones complete that one. */
  runIds: string[];
  /** The file of all these results, relative to the site's address. */
  data: string;
  /** How many of its implementations later ones have, too, in words; absent where none. */
  measuredAgain?: string;
  /** Of the first that is listed, as is the command. */
  commit: string;
  /** Repeats the measurement. */
  command: string;
  marks: string[];
  /** In one line. */
  question: string;
  /** In one sentence of at most 20 words. */
  answer: string;
  /** When, on what, by which interval. */
  facts: string[];
  /** What a reader must know of single rows, below the chart: on a phone, the chart would else not be in sight. */
  notes: string[];
  /** How often ratios of this figure were found where there was nothing to find, in words; absent where nobody knows. */
  falseAlarms?: string;
  /** What a range of the figure is, or that there is none, and what else a reader must know; absent for throughput. */
  ownFacts?: string[];
  axis: string;
  ticks: { at: number; text: string }[];
  /** Each class by itself, standard first. */
  groups: AnswerGroup[];
  choices: Choice[];
}

/** The answer that stands on the page of a scenario: `data/scenario_answers.json`, by the scenario. */
export type ScenarioAnswer = Pick<AnswerView, "address" | "answer" | "connections">;

export interface AnswerGroup {
  /** Absent for the standard class. */
  label?: string;
  /** The best first, those without a figure last. */
  rows: AnswerRow[];
}

export interface AnswerRow {
  id: string;
  /** As people say it. */
  name: string;
  /** Its mark and colour. */
  order: number;
  /** The run that it is from. */
  runId: string;
  /** Absent where there is no figure. */
  plot?: {
    /** Where the bar begins and ends; absent on an axis without zero. */
    bar?: { from: number; to: number };
    /** What the cold start costs. */
    tail?: { from: number; to: number };
    interval?: { from: number; to: number };
    at: number;
  };
  /** To the first: `96 %`. */
  relative?: string;
  /** `92–101 %`. */
  interval?: string;
  /** With its unit. */
  absolute?: string;
  /** What the stroke reaches over where it is not that of `relative`, with its unit: `11.9–12.7 µs`. */
  range?: string;
  /** What the tail shows: `cold start 93 % of warm`. */
  cold?: string;
  /** Whom it is tied with, in words. */
  tied?: string;
  brackets: BracketPart[];
  /** Why there is no figure. */
  missing?: string;
}

/** Other views to go to. */
export interface Choice {
  label: string;
  options: { text: string; address: string; isCurrent: boolean }[];
}

/** Returns a share in percent, on its side of 100: `96 %`, `1.2 %`. */
export function percentText(share: number): string {
  return `${percentDigits(share)} %`;
}

/** Returns the interval of a share in percent: `92–101 %`. */
export function percentRange({ low, high }: { low: number; high: number }): string {
  return `${percentDigits(low)}–${percentDigits(high)} %`;
}

function percentDigits(share: number): string {
  const percent = 100 * share;
  for (const digits of [percent >= 100 ? 3 : 2, 3, 4]) {
    const rounded = Number(percent.toPrecision(digits));
    if (rounded !== 100 || share === 1) return rounded.toLocaleString("en");
  }
  return `${share > 1 ? ">" : "<"} 100`;
}
