import type { MakeOptions } from "../lib/cache.ts";

/** A tool that is ready to run. */
export interface Tool {
  path: string;
  version: string;
}

/** Options for `ensureOha()` and the like; the environment is this process's by default. */
export type EnsureOptions = Omit<MakeOptions, "env"> & Partial<MakeOptions>;
