import type { Report } from "../lib/report.ts";

/** A tool that is ready to run. */
export interface Tool {
  path: string;
  version: string;
}

/** Options for `ensureOha()` and the like. */
export interface EnsureOptions {
  report: Report;
  signal: AbortSignal;
  /** Says where the cache is and, by PATH, which programs there are; ours unless given. */
  env?: Record<string, string>;
}
