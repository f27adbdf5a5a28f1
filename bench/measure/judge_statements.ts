/** Judge statements: did each request send to the database what it needs, and no more? */
import { formatInteger } from "../lib/format_integer.ts";
import type { LoadFacts, Queries } from "../results/load_schema.ts";
import { alwaysAllowed, failedOf, type JudgeContext, limits, type Reason } from "./limits.ts";

/** Returns why a load is invalid by what the database counted. */
export function judgeStatements(
  load: LoadFacts,
  { poolMax, loads = 1 }: Pick<JudgeContext, "poolMax" | "loads">,
): Reason[] {
  const { queries } = load;
  if (queries === undefined) return [];
  const reasons = judgeCounts(load, queries, {
    expected: queries.expectedPerRequest,
    connections: poolMax * loads,
  });
  const [problem, ...others] = queries.problems ?? [];
  if (problem !== undefined) {
    const more = others.length === 0 ? "" : `; and ${formatInteger(others.length)} more`;
    reasons.push({ code: "statement-text", message: `the prepared statement ${problem}${more}` });
  }
  if (queries.peakConnections !== undefined && queries.peakConnections > poolMax) {
    const [most, allowed] = [queries.peakConnections, poolMax].map(formatInteger);
    reasons.push({
      code: "pool-exceeded",
      message:
        `${most} connections to the database were open at one time, expected at most ${allowed}`,
    });
  }
  return reasons;
}

function judgeCounts(
  load: LoadFacts,
  queries: Queries,
  { expected, connections }: { expected: number; connections: number },
): Reason[] {
  const { attempted } = load;
  // Nobody knows whether the statement of a request was sent that failed.
  const allow = (limit: number) =>
    Math.max(limit * attempted, alwaysAllowed.statements) + failedOf(load);
  const isMissing = (perRequest: number) =>
    (expected - perRequest) * attempted > allow(limits.missing);
  const isMore = (perRequest: number) =>
    (perRequest - expected) * attempted > allow(limits.queries);
  const isOff = (perRequest: number) => isMissing(perRequest) || isMore(perRequest);
  const { aroundPerRequest: around, transactionsPerRequest: transactions } = queries;
  const counted = queries.perRequest - (around ?? 0);
  const offCount = (message: string): Reason[] => [{ code: "query-count", message }];
  if (isOff(counted)) {
    return offCount(
      `the database counted ${counted.toFixed(3)} queries per request, expected ${
        expected.toFixed(3)
      }`,
    );
  }
  if (
    around !== undefined && (around - limits.around * expected) * attempted > allow(limits.queries)
  ) {
    return offCount(
      `the database counted ${
        around.toFixed(3)
      } statements around transactions per request, expected at most ${limits.around}`,
    );
  }
  if (transactions !== undefined && isMissing(transactions)) {
    return offCount(
      `the database counted ${transactions.toFixed(3)} transactions per request, expected ${
        expected.toFixed(3)
      }: one for each`,
    );
  }
  if (
    isOff(queries.executesPerRequest) ||
    // A pool may open all its connections again between two loads.
    queries.prepares > Math.max(limits.prepares * attempted, alwaysAllowed.prepares, connections)
  ) {
    return [{
      code: "no-prepared-statements",
      message: `the database counted ${
        queries.executesPerRequest.toFixed(3)
      } executions of server-side prepared statements per request and ${
        formatInteger(queries.prepares)
      } prepares, expected ${expected.toFixed(3)} and one for each connection`,
    }];
  }
  if (queries.outOfStep !== undefined) return offCount(queries.outOfStep);
  const { rowsReadPerRequest: read } = queries;
  if (read !== undefined && around !== undefined && isOff(read)) {
    return offCount(
      `the database wrote ${read.toFixed(3)} rows per request, expected ${expected.toFixed(3)}`,
    );
  }
  if (read !== undefined && isMissing(read)) {
    return offCount(
      `the database read ${read.toFixed(3)} rows per request, expected at least ${
        expected.toFixed(3)
      }`,
    );
  }
  return [];
}
