/** Which implementations are apart, which are tied, and by how much one wins. */
import type { RatioInterval } from "./ratio.ts";
import { verdict } from "../../site/assets/verdict.js";

/** Both ends of an interval. */
type Ends = Pick<RatioInterval, "low" | "high">;

/** The ratio of one implementation to another. */
export interface RankPair<T extends Ends = RatioInterval> {
  a: string;
  b: string;
  /** Of a to b. */
  ratio: T;
}

/**
 * Compares every two of some implementations; `ratioOf` returns the ratio of a to b with an interval of the given
 * confidence, undefined where there is none. All intervals hold together, with at least `confidence`: each of the
 * m pairs gets 1 - (1 - confidence) / m (Bonferroni; Dunn, "Multiple Comparisons Among Means" (1961), JASA 56),
 * which holds although pairs share a member. Holm's step-down test would tell a few more apart, but has no
 * intervals to show: here, a tie is what anyone can read off the interval that is published.
 */
export function comparePairs<T extends Ends>(
  ids: readonly string[],
  ratioOf: (a: string, b: string, confidence: number) => T | undefined,
  confidence = 0.95,
): RankPair<T>[] {
  const count = ids.length * (ids.length - 1) / 2;
  return ids.flatMap((a, index) =>
    ids.slice(index + 1).flatMap((b) => {
      const ratio = ratioOf(a, b, 1 - (1 - confidence) / count);
      return ratio === undefined ? [] : [{ a, b, ratio }];
    })
  );
}

/**
 * Returns the groups of implementations that are tied: two are in a group together exactly where no pair
 * tells them apart. One can be in several groups, since being tied is not transitive. Each group is as large as
 * it can be; within it, and among the groups, the greatest estimate comes first.
 *
 * Insert and absorb: Piepho, "An Algorithm for a Letter-Based Representation of All-Pairwise Comparisons"
 * (2004), Journal of Computational and Graphical Statistics 13.
 */
export function tieGroups(
  entries: readonly { id: string; estimate: number }[],
  pairs: readonly RankPair<Ends>[],
): string[][] {
  const order = entries.toSorted((a, b) => b.estimate - a.estimate).map(({ id }) => id);
  let groups = order.length === 0 ? [] : [new Set(order)];
  for (const { a, b, ratio } of pairs) {
    if (verdict(ratio) === "tied") continue;
    const split = groups.flatMap((group) =>
      group.has(a) && group.has(b)
        ? [group.difference(new Set([a])), group.difference(new Set([b]))]
        : [group]
    );
    // What is inside another group says nothing of its own; of two equal ones, the first stays.
    groups = split.filter((group, index) =>
      !split.some((other, otherIndex) =>
        otherIndex !== index && group.isSubsetOf(other) &&
        (group.size < other.size || otherIndex < index)
      )
    );
  }
  const ranks = (group: Set<string>) => order.flatMap((id, rank) => group.has(id) ? [rank] : []);
  return groups.map(ranks).toSorted(compareRanks).map((group) => group.map((rank) => order[rank]!));
}

/**
 * Returns the points that a wins over b: none for a margin under 5 %, one from 5 %, two from 20 %, three from
 * 50 %. The margin is the lower bound of the ratio of a to b, less 1: what is not sure earns nothing.
 * The tiers are those of the article "Spring Boot virtual threads vs WebFlux" (2023), which took single figures.
 */
export function winPoints(ratio: Pick<RatioInterval, "low">): 0 | 1 | 2 | 3 {
  if (ratio.low >= 1.5) return 3;
  if (ratio.low >= 1.2) return 2;
  return ratio.low >= 1.05 ? 1 : 0;
}

/** Orders groups by their best members, then by their next. */
function compareRanks(a: number[], b: number[]): number {
  const place = a.findIndex((rank, index) => rank !== b[index]);
  return (a[place] ?? 0) - (b[place] ?? Infinity);
}
