/** Unanswered: which requests of a load were never answered, and how long the load generator waited for each? */
import { sumOf } from "../lib/sum.ts";
import type { LoadFacts } from "./load_schema.ts";
import type { Unanswered } from "../statistics/mod.ts";

/** A request without an answer after this time has failed. */
export const requestTimeoutSeconds = 10;

/**
 * Returns the requests without an answer. Whoever sent one waited in vain, also where the connection was closed at
 * once: each took at least the time-out. Answers of status 5xx are answers.
 */
export function unansweredOf({ failures }: Pick<LoadFacts, "failures">): Unanswered {
  const kinds = Object.entries(failures).filter(([kind]) => !kind.startsWith("status-"));
  return { count: sumOf(kinds, ([, count]) => count), seconds: requestTimeoutSeconds };
}
