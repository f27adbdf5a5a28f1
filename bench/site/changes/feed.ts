/** The feed of changes. In: every change that a run found, the newest first. Out: an entry for each run that found some. */
import type { FoundChange } from "./found.ts";
import { type FeedItem, feedLength } from "../feed_item.ts";
import { capitalise, list } from "../../results/words.ts";

/** Returns the entries of the newest runs. */
export function changesFeed(changes: readonly FoundChange[]): FeedItem[] {
  const runs = [...Map.groupBy(changes, ({ runId }) => runId).values()].slice(0, feedLength);
  return runs.map((found) => {
    const { runId, scenario, startedAt, before } = found[0]!;
    const titles = found.map(({ kind, name, levels }) =>
      `${kind} of ${name} at ${list(levels.map(({ connections }) => connections))} connections`
    );
    return {
      title: `${capitalise(titles.join("; "))} (${scenario})`,
      page: `compare/${runId}/`,
      startedAt,
      summary: [...found.map(sentenceOf), `The newest of the runs before is ${before.runId}`]
        .map((sentence) => `${sentence}.`).join(" "),
    };
  });
}

function sentenceOf({ name, levels, versions }: FoundChange): string {
  const ratios = levels.map(({ connections, ratio, interval, over }) =>
    `${ratio} what it was at ${connections} connections (${
      interval === undefined ? "end of the 95 % " : `95 %: ${interval}; `
    }${over})`
  );
  const changed = versions.map(({ now, before }) => `${now}, ${before} before`);
  return `${name}: ${list(ratios)}; ${
    changed.length === 0 ? "no version changed" : `changed: ${changed.join("; ")}`
  }`;
}
