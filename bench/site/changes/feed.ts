/**
 * The feed of changes: runs in which an implementation became faster or slower. In: what changed in each run, the newest
 * first. Out: an entry for each run that has such a change.
 */
import type { ChangedImpl, ChangedLevel, DerivedChanges } from "./changes.ts";
import { type FeedItem, feedLength } from "../feed_item.ts";
import { capitalise, intervalText, list, proseNames, ratioText } from "../../results/words.ts";

/** A run and what changed in it. */
export interface RunChanges {
  startedAt: string;
  scenario: string;
  changes: DerivedChanges;
}

/** Returns the entries of the newest runs in which something changed. */
export function changesFeed(runs: readonly RunChanges[]): FeedItem[] {
  return runs.filter(({ changes }) => changes.impls.some(isChanged)).slice(0, feedLength)
    .map(({ startedAt, scenario, changes }) => {
      const { runId, finding, before, environment, impls } = changes;
      const names = proseNames(impls.map(({ name }) => name));
      const sentences = [
        ...impls.filter(isChanged).map((impl) => sentenceOf(impl, names.get(impl.name)!)),
        ...(environment.length === 0
          ? []
          : [`Environment: ${
            environment.map(({ now, before }) => `${now}, ${before} before`).join("; ")
          }`]),
        `The newest of the runs before is ${before!.runId}`,
      ];
      return {
        title: `${capitalise(finding!)} (${scenario})`,
        page: `compare/${runId}/`,
        startedAt,
        summary: sentences.map((sentence) => `${sentence}.`).join(" "),
      };
    });
}

type Different = ChangedLevel & Required<Pick<ChangedLevel, "ratio">>;

function differentLevels({ levels }: ChangedImpl): Different[] {
  return levels.filter((level): level is Different =>
    level.ratio !== undefined && (level.verdict === "faster" || level.verdict === "slower")
  );
}

function isChanged(impl: ChangedImpl): boolean {
  return differentLevels(impl).length > 0;
}

function sentenceOf(impl: ChangedImpl, name: string): string {
  const levels = differentLevels(impl).map(({ connections, qualifier, ratio }) =>
    `${qualifier === undefined ? "" : `${qualifier} `}${
      ratioText(ratio.estimate)
    } times what it was at ${connections} connections (${intervalText(ratio)})`
  );
  const versions = impl.versions.map(({ now, before }) => `${now}, ${before} before`);
  const because = versions.length === 0
    ? "no version of its own changed"
    : `changed: ${versions.join("; ")}`;
  return `${name}: ${list(levels)}; ${because}`;
}
