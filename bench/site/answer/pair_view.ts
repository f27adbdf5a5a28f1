/**
 * Two implementations of one class, as their page shows them: the finding in words, throughput at each level with its interval,
 * and every other figure. Texts are ready, and places along an axis are in percent of its length.
 */
import type { AnswerView } from "./view.ts";
import type { Verdict } from "../../statistics/mod.ts";

/** The page of a pair, steps aside. */
export interface PairView extends Pick<AnswerView, "scenario" | "marks"> {
  /** The run that both are from, or the two that they are from, the newest first. */
  runIds: string[];
  /** Relative to the site's. */
  address: string;
  /** In the order of their names. */
  impls: PairImpl[];
  /** `Deno or Go?` */
  question: string;
  /** In a sentence. */
  answer: string;
  /** When, on what, by which interval. */
  facts: string[];
  /** Absent where no level has an interval for the two. */
  throughput?: PairThroughput;
  /** Every other figure that both have. */
  figures: PairFigure[];
  /** Others of the class, by name. */
  others: { name: string; address: string }[];
}

export interface PairImpl {
  id: string;
  /** As people say it. */
  name: string;
  /** Framework and runtime, which the name may leave out: `koa 3.3.0, Deno 2.9.6`. */
  madeOf: string;
  /** Relative to the site's. */
  address: string;
  /** The run that it is from. */
  runId: string;
  /** The newest other run of the scenario that has it; absent where there is none. */
  otherRun?: string;
}

/** The ratio of one to the other at each level. */
export interface PairThroughput {
  axis: string;
  ticks: { at: number; text: string }[];
  /** Where the ratio is 1. */
  even: number;
  /** In ascending order of connections. */
  levels: PairLevel[];
}

export interface PairLevel {
  connections: number;
  /** The mark of the faster one; of the first where they are tied. */
  order: number;
  /** Whom the verdict names, or that they are tied. */
  verdict: Verdict;
  words: string;
  /** `2.1 times`; absent where the load generator limited both, so that nothing is known of it. */
  ratio?: string;
  /** `1.9–2.3`; absent, too, where the ratio is only a bound: it names the end that is known. */
  interval?: string;
  /** Of the ratio, or of its end that is known. */
  at?: number;
  /** Of the interval. */
  low?: number;
  high?: number;
}

/** A figure of both, in rows of a view. */
export interface PairFigure
  extends Pick<AnswerView, "figure" | "connections" | "axis" | "ticks" | "groups"> {
  /** `CPU per answer`. */
  label: string;
  /** `Go 12 µs, Rust 15 µs`, the lower one first. */
  words: string;
  /** What its range is, or that it has none, and what else a reader must know. */
  fact: string;
}

/** What pairs of a scenario can be chosen from: `data/pair_choices.json`. */
export interface PairChoice {
  scenario: string;
  /** Ids of the pair that is chosen at first. */
  first: string;
  second: string;
  impls: (Pick<PairImpl, "id" | "name" | "address"> & { class: "standard" | "tuned" })[];
}

/** What of a pair's page is needed to make it: `data/pairs.json`. */
export interface ListedPair extends Pick<PairView, "address" | "question" | "answer"> {
  scenario: string;
  /** Ids. */
  impls: string[];
}
