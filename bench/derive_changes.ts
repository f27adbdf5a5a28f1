/**
 * What changed from one run to the next? In: what two runs know of every implementation's ratio to the control.
 * Out: for each implementation and level the ratio of the two ratios, with its interval, or why there is none;
 * and the versions that changed between them.
 */
import type { RatioInterval, Verdict } from "./statistics.ts";

/** What changed since the run before: `assets/changes/<run-id>.json`. */
export interface DerivedChanges {
  runId: string;
  /** The run that this one is held against; absent where none before it compares. */
  before?: { runId: string; startedAt: string };
  /** Why none does, in a sentence without its period; present exactly where `before` is absent. */
  missing?: string;
  /** Around the implementations: database, kernel and load generator. */
  environment: VersionChange[];
  /** Of either run, in alphabetical order of ids; none where `before` is absent. */
  impls: ChangedImpl[];
}

/** A version that is not what it was; text like `MySQL 9.7.4`, absent where that side does not know it. */
export interface VersionChange {
  what: "runtime" | "framework" | "driver" | "jwt" | "database" | "kernel" | "oha";
  before?: string;
  now?: string;
}

export interface ChangedImpl {
  id: string;
  /** As this run has it, else as the run before had it. */
  name: string;
  class: "standard" | "tuned";
  /** `only-now` and `only-before`: one of the two runs has it. `unknown`: both do, and not one level compares. */
  state: "compared" | "only-now" | "only-before" | "unknown";
  /** Why it is unknown, in a sentence without its period; present exactly there. */
  missing?: string;
  versions: VersionChange[];
  /** In ascending order of connections; none unless it is compared. */
  levels: ChangedLevel[];
}

export interface ChangedLevel {
  connections: number;
  /** This run's ratio to the control over that of the run before; all intervals of a level hold together, with 95 %. */
  ratio?: RatioInterval;
  /** How the ratio is to be read where the load generator bounds one of the two. */
  qualifier?: "at least" | "at most";
  /** Of this run against the one before; present exactly where the ratio is. */
  verdict?: Verdict;
  /** Ratios to the control, of this run and of the one before. */
  now?: RatioInterval;
  before?: RatioInterval;
  /** Why there is no ratio, in a sentence without its period; present exactly where there is none. */
  missing?: string;
}
