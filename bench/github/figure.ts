/** One number of one result that is followed from run to run. */

export type Direction = "bigger" | "smaller";

/** One number of one result. */
export interface Figure {
  /** Unique among the figures of a result. */
  name: string;
  /** The direction that is better. */
  direction: Direction;
  /** 0 only where bigger is better: nothing is left. Otherwise positive. */
  value: number;
  unit: string;
  /** In the same unit; absent if there is none. */
  interval?: Interval;
  /** What each machine found, where several measured in one run: `value` is then their mean or median. */
  machines?: readonly Measured[];
  /** All values that it can take, if these are few. */
  steps?: readonly number[];
}

/** A figure of one machine. */
export type Measured = Pick<Figure, "value" | "interval">;

/** The interval of a figure over the rounds of its run, or its blocks of starts, with its confidence as a share. */
interface Interval {
  low: number;
  high: number;
  confidence: number;
  rounds: number;
}
