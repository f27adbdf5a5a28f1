/** A question about a figure: what is asked, and where the values come from. */
import type { Known } from "../../results/known.ts";
import type { Result } from "../../results/result_schema.ts";
import type { AnswerView } from "./view.ts";

/** A figure of one implementation, in the unit of its axis; the range is what the fact says it is. */
export interface Measured {
  estimate: number;
  low?: number;
  high?: number;
  /** What is shown beside the plot, where that is not the estimate. */
  absolute?: string;
}

/** What is asked, and where the values come from. */
export interface Question extends Pick<AnswerView, "figure" | "question" | "axis"> {
  connections?: number;
  unit: string;
  /** Begins the sentence, which names both ends: `CPU time per answer ranges from 12 µs (Go) to 15 µs (Rust).` */
  subject: string;
  /** An end in the sentence, where it is not the text beside the plot. */
  endText?: (estimate: number) => string;
  /** What a range is, or that there is none, first. */
  facts: string[];
  isLog: boolean;
  valueOf(result: Result): Known<Measured>;
}

/** Returns a figure in another unit. */
export function scaled({ estimate, low, high }: Measured, factor: number): Measured {
  const by = (value: number | undefined) => value === undefined ? undefined : value * factor;
  return { estimate: estimate * factor, low: by(low), high: by(high) };
}
