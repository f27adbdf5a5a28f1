/**
 * Reports progress to a person. The command line decides how: a bar on a terminal, plain lines elsewhere. Only the
 * command line prints.
 */
export interface Report {
  /** A line that stays on the screen. */
  line(text: string): void;
  /** Progress of long work: `done` of `total`, with a label; ends when `done` reaches `total`. */
  progress(label: string, done: number, total: number): void;
}

/** A report that discards everything. */
export const silent: Report = { line: () => {}, progress: () => {} };
