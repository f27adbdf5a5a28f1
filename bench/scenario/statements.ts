/** Checks of how many statements known requests have caused, one after the other. */
import { formatInteger } from "../lib/format_integer.ts";
import type { Problem } from "../results/result_schema.ts";
import type { Found } from "./checks.ts";

/** Allowance for the pool: replacing a connection takes a few statements. */
export const allowedStatements = 4;

/** Statements around the one that writes, per request: they begin and end its transaction. */
export const mostAround = 5;

/** Tells whether so many statements are what requests cause. */
export function isAbout(count: number, wanted: number): boolean {
  return count >= wanted && count <= wanted + allowedStatements;
}

/** Describes what {@linkcode isAbout} accepts. */
export function about(wanted: number): string {
  return `${wanted} to ${wanted + allowedStatements}`;
}

/** Counts, and once more if that found problems: another connection of the server may have disturbed it. */
export async function countTwice(count: () => Promise<Problem[]>): Promise<Problem[]> {
  const first = await count();
  return first.length === 0 ? first : await count();
}

/** Checks that the statement of each request was prepared on the server. */
export function judgeExecutes(sent: string, executes: number, requests: number): Found {
  if (executes >= requests) return undefined;
  return {
    check: "server-side prepared statements",
    sent,
    came: `the database counted ${formatInteger(executes)} executions (Com_stmt_execute)`,
    expected: about(requests),
  };
}

/** Checks that each connection of the pool prepared the statement once, when it first used it. */
export function judgePrepares(sent: string, prepares: number, poolMax: number): Found {
  if (prepares <= poolMax) return undefined;
  return {
    check: "statements prepared once per connection",
    sent,
    came: `the database counted ${formatInteger(prepares)} preparations (Com_stmt_prepare)`,
    expected: `at most ${poolMax}`,
  };
}
