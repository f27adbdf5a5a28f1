/**
 * Round trips: who asks the database more often for one request? In: the results of a run, and a level. Out: a fact of the
 * answer; none where all ask equally often.
 */
import { valueOf } from "../results/known.ts";
import { outcomeAt } from "../results/outcome.ts";
import type { Result } from "../results/result_schema.ts";
import { list, proseNames } from "../results/words.ts";

/** Returns statements, pings and resets for each statement that the job needs, to the nearest integer, the most first. */
export function roundTripsFacts(results: readonly Result[], connections: number): string[] {
  const names = proseNames(results.map(({ impl }) => impl.name));
  const counted = new Map<string, number>();
  for (const result of results) {
    const queries = valueOf(outcomeAt(result, connections))?.observation.queries;
    if (queries === undefined || !queries.expectedPerRequest) continue;
    const roundTrips = (queries.perRequest + queries.pingsPerRequest) / queries.expectedPerRequest;
    const name = names.get(result.impl.name)!;
    counted.set(name, Math.max(counted.get(name) ?? 0, Math.round(roundTrips)));
  }
  const byCount = [...Map.groupBy(counted, ([, count]) => count)]
    .sort(([one], [other]) => other - one)
    .map(([count, same]) => ({ count, who: same.map(([name]) => name).sort() }));
  if (byCount.length < 2) return [];
  // Of one without a valid load here, nothing is known.
  const isOfAll = results.every(({ impl }) => counted.has(names.get(impl.name)!));
  const texts = byCount.map(({ count, who }, index) =>
    `${isOfAll && index === byCount.length - 1 && who.length > 1 ? "others" : list(who)} ${count}`
  );
  return [`round trips to the database per request: ${texts.join(", ")}`];
}
