/** What pictures are drawn from, and what comes of that. */
import type { Result } from "../../results/result_schema.ts";

/** A picture and the words that stand for it. */
export interface Picture {
  /** The name of its file, without the ending. */
  name: string;
  title: string;
  /** The figures, for those who cannot see it. */
  description: string;
  svg: string;
}

/** An implementation in a picture. */
export interface Drawn {
  result: Result;
  name: string;
  mark: number;
}

/** What every picture of a run is drawn from. */
export interface Drawing {
  drawn: Drawn[];
  /** Run and machine. */
  source: string;
  /** The level of figures that have one. */
  connections: number;
}
