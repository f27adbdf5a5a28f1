/** Session: what all loads of a command share, and who is loaded. */
import type { Startable } from "../impl/start.ts";
import type { Result } from "../results/result_schema.ts";
import type { RunFacts } from "./begin_result.ts";
import type { Ground } from "./ground.ts";

/** What every load of a command needs. */
export interface LoadSession extends Ground {
  oha: { path: string };
  /** How many requests there are to be before one comes again. */
  requestLines: number;
  /** After this time without progress, a load is aborted as stalled; 30,000 by default. */
  stallMs?: number;
}

/** What all levels of all implementations of a run share. */
export interface Session extends LoadSession {
  facts: RunFacts;
}

/** One implementation, ready to start, and its result. */
export interface Contestant extends Startable {
  result: Result;
  /** A complete result of which steps are measured again: as it is without the step that is being measured. */
  kept?: Result;
  /** Whether it is left as it is: what was measured before cannot be continued here. */
  isLeft?: boolean;
}
