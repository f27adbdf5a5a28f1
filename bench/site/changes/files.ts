/**
 * What changed in every run since the one before it, as files. Facts of each run are kept when it is derived; which run
 * is held against which is decided anew each time, since a run may be published after a later one.
 */
import { join } from "@std/path";
import { deriveChanges } from "./changes.ts";
import { chooseBefore } from "./choose_before.ts";
import type { ChangeFacts } from "./facts.ts";
import type { RunSummary } from "../run_summary.ts";
import { writeIfChanged } from "../../lib/write_if_changed.ts";

/** Returns where the facts of a run are kept below the folder of what is derived. */
export function changeFactsPath(target: string, runId: string): string {
  return join(target, "facts", `${runId}.json`);
}

interface KeptFacts {
  facts: ChangeFacts;
  local: boolean;
  /** When the facts were written. */
  writtenMs: number;
}

/**
 * Writes `assets/changes/<run-id>.json` for each run, where it is not what it was. Takes the runs from the newest on.
 * What is published is held against what is published only.
 */
export async function writeChanges(index: RunSummary[], target: string): Promise<void> {
  const runs = await Promise.all(index.map((run) => readFacts(run, target)));
  const sourcesPath = join(target, "changes.json");
  const known: Record<string, string> = JSON.parse(
    await Deno.readTextFile(sourcesPath).catch(() => "{}"),
  );
  const sources: Record<string, string> = {};
  for (const [place, { facts, local, writtenMs }] of runs.entries()) {
    const earlier = runs.slice(place + 1).filter((run) => local || !run.local);
    const before = chooseBefore(facts, earlier.map((run) => run.facts));
    const source = "missing" in before
      ? before.missing
      : runs.find((run) => run.facts === before.value)!;
    const { runId } = facts;
    sources[runId] = JSON.stringify([
      writtenMs,
      typeof source === "string" ? source : [source.facts.runId, source.writtenMs],
    ]);
    if (sources[runId] === known[runId]) continue;
    await writeIfChanged(
      join(target, "assets", "changes", `${runId}.json`),
      JSON.stringify(deriveChanges(facts, before)) + "\n",
    );
  }
  // The last: where it says so, the files are there.
  await writeIfChanged(sourcesPath, JSON.stringify(sources) + "\n");
}

async function readFacts({ id, local }: RunSummary, target: string): Promise<KeptFacts> {
  const path = changeFactsPath(target, id);
  const [text, { mtime }] = await Promise.all([Deno.readTextFile(path), Deno.stat(path)]);
  return { facts: JSON.parse(text), local, writtenMs: mtime?.getTime() ?? 0 };
}
