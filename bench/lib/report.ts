/**
 * Where a stage tells a person what goes on. The command line decides how it looks: a bar on a terminal,
 * plain lines elsewhere. Nothing below the command line prints.
 */
export interface Report {
  /** A finished sentence that stays on the screen. */
  line(text: string): void;
  /** How far long work has come: `done` of `total`, with what it is; ends when `done` reaches `total`. */
  progress(label: string, done: number, total: number): void;
}

/** A report that nobody reads. */
export const silent: Report = { line: () => {}, progress: () => {} };
