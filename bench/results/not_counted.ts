/**
 * Not counted: what do the loads of a result not tell, because the database does not count by account? In: a result, or
 * some of its parts. Out: each such thing once, with the reason.
 */
import type { ComparedLevel } from "./comparison_schema.ts";
import type { LoadFacts } from "./load_schema.ts";
import { lastRepetition } from "./outcome.ts";
import type { Result } from "./result_schema.ts";

/** The parts of a result that have loads whose statements are counted; a comparison may be one of two implementations. */
type Loaded = Partial<Pick<Result, "levels" | "durable" | "rateSweep" | "deliveries">> & {
  comparison?: { levels: readonly Pick<ComparedLevel, "rounds">[] };
};

/** Returns what was not counted in some load that counts, and why, as `statements of each side: …`. */
export function notCountedIn(
  { levels = [], durable, comparison, rateSweep, deliveries }: Loaded,
): string[] {
  const alone = durable?.load === undefined ? levels : [...levels, durable.load];
  const sides = (comparison?.levels ?? []).flatMap(({ rounds }) =>
    rounds.flatMap(({ subject, reference }) => [subject.load, reference.load])
  );
  const loads: (Pick<LoadFacts, "notCounted"> | undefined)[] = [
    ...alone.map((level) => lastRepetition(level).observation),
    ...sides,
    ...(rateSweep?.processes ?? []).flatMap(({ steps }) => steps),
    ...deliveries?.steps ?? [],
  ];
  return [...new Set(loads.flatMap((load) => load?.notCounted ?? []))];
}
