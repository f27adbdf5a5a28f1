/** What do the newest comparable runs of an implementation show? In a sentence; it claims no trend. */
import type { HistoryEntry } from "./entries.ts";
import type { ConditionChange } from "../../results/comparable.ts";
import { knownEnd, ratioText } from "../../results/words.ts";

/** An entry, and what differs from the one before it. */
type Entry = Pick<HistoryEntry, "levels"> & { conditionChanges: ConditionChange[] };

/** Returns the range of the ratios since figures became comparable; takes the newest entries first. */
export function historyFinding(entries: readonly Entry[], connections: number): string {
  const first = entries.findIndex(({ conditionChanges }) => conditionChanges.length > 0);
  const comparable = first < 0 ? entries : entries.slice(0, first + 1);
  const levels = comparable.flatMap(({ levels }) =>
    levels.filter((level) => level.connections === connections && level.ratio !== undefined)
  );
  if (levels.length === 0) return "No ratio since the figures became comparable";
  const known = levels.map(({ ratio, qualifier }) => knownEnd(ratio!, qualifier));
  const [low, high] = [Math.min(...known), Math.max(...known)].map((it) => ratioText(it, 3));
  // A ratio that is at least so much may be higher than all others, and one that is at most so much lower.
  const [qualifier, other] = new Set(levels.flatMap(({ qualifier }) => qualifier ?? []));
  const range = qualifier === undefined
    ? low === high ? low : `${low} to ${high}`
    : other !== undefined
    ? `At least or at most ${low} to ${high}`
    : qualifier === "at least"
    ? `At least ${low}`
    : `At most ${high}`;
  const runs = levels.length === 1
    ? "the newest run"
    : `the newest ${levels.length} comparable runs`;
  return `${range} times the control’s warm goodput in ${runs}`;
}
