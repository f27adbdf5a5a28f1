/** The feed of an implementation: what each of its published runs found. In: its history. Out: entries, the newest first. */
import type { DerivedHistory, ShownEntry } from "./join.ts";
import { type FeedItem, feedLength } from "../feed_item.ts";
import { machineOf } from "../../results/comparable.ts";
import { behindRatio, timesText } from "../../results/words.ts";

type History = Pick<DerivedHistory, "entries" | "connections" | "scenario">;

/** Returns the entries of the newest published runs. */
export function historyFeed({ entries, connections, scenario }: History): FeedItem[] {
  return entries.filter(({ local }) => !local).slice(0, feedLength).map((entry) => ({
    title: `${entry.impl.name}: ${foundIn(entry, connections)} (${scenario})`,
    page: `runs/${entry.runId}/#${entry.impl.id}`,
    startedAt: entry.startedAt,
    summary: [
      `${entry.steps === undefined ? `At ${connections} connections, on` : "On"} ${
        machineOf(entry.conditions)
      }, profile ${entry.conditions.profile}`,
      ...entry.versionChanges.map(({ now, before }) => `Changed: ${now}, ${before} before`),
      ...(entry.conditionChanges.length === 0
        ? []
        : ["Not comparable with the run before: the conditions changed"]),
    ].map((sentence) => `${sentence}.`).join(" "),
  }));
}

function foundIn({ failure, steps, levels }: ShownEntry, connections: number): string {
  if (failure !== undefined) return failure;
  if (steps !== undefined) return steps;
  const level = levels.find((level) => level.connections === connections);
  // A cold load that the machine disturbed leaves the ratio alone.
  if (level?.ratio === undefined) {
    return level?.missing ?? level?.ratioMissing ?? "not compared with the control";
  }
  const { qualifier } = level;
  return `${timesText(level.ratio, qualifier)} the control’s warm goodput${
    behindRatio(level.ratio, qualifier)
  }`;
}
