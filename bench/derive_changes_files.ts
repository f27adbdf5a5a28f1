import { join } from "@std/path";
import { deriveChanges } from "./derive_changes.ts";
import type { ChangeFacts } from "./derive_changes_facts.ts";
import type { RunSummary } from "./derive_summary.ts";
import { writeIfChanged } from "./write_if_changed.ts";

/** Returns where the facts of a run are kept below the folder of what is derived. */
export function changeFactsPath(target: string, runId: string): string {
  return join(target, "facts", `${runId}.json`);
}

/**
 * Writes what changed in each run since the one before, `assets/changes/<run-id>.json`, from the facts of every run.
 * What is published is held against what is published only.
 */
export async function writeChanges(index: RunSummary[], target: string): Promise<void> {
  const facts = await Promise.all(
    index.map(async ({ id }): Promise<ChangeFacts> =>
      JSON.parse(await Deno.readTextFile(changeFactsPath(target, id)))
    ),
  );
  for (const [place, { id, local }] of index.entries()) {
    const earlier = facts.slice(place + 1)
      .filter((_, after) => local || !index[place + 1 + after]!.local);
    await writeIfChanged(
      join(target, "assets", "changes", `${id}.json`),
      JSON.stringify(deriveChanges(facts[place]!, earlier)) + "\n",
    );
  }
}
