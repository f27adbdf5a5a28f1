/**
 * The summary of a run for other pages. In: all results of a run. Out: a few lines, so that those of a thousand runs
 * fit in memory.
 */
import { comparableKeyOf, conditionsOf, machineOf } from "../results/comparable.ts";
import { partText, sharedParts, versionsOf } from "../results/versions.ts";
import type { Result } from "../results/result_schema.ts";

/** A run in lists. */
export interface RunSummary {
  id: string;
  /** Of the schema; decides the templates of its page. */
  version: number;
  startedAt: string;
  profile: Result["plan"]["profile"];
  scenario: Result["scenario"];
  /** Each kind of machine: processor, and how many. Jobs of one workflow run may get different ones. */
  machines: string[];
  /** All of them, in words. */
  machine: string;
  commit: string;
  /** Not published: of this machine alone. */
  local: boolean;
  /** Reasons why the run is provisional; empty where it is not. */
  marks: string[];
  /** The id of the article whose settings it has, and not ours: then it is in no ranking. */
  reproduces?: string;
  /** Equal for runs that may complete each other; absent where results differ in it, and where none was compared. */
  completionKey?: string;
  /** Full, and with comparisons, bursts or deliveries: what claims are tested with. */
  tests: boolean;
  /** In alphabetical order of ids. */
  impls: (Pick<Result["impl"], "id" | "name" | "class"> & Pick<Result, "status" | "replica">)[];
}

/** Summarises a run, with results that complete it, if any, behind its own; `local` is whether it is not published. */
export function summariseRun(results: Result[], local: boolean): RunSummary {
  const [first] = results;
  if (first === undefined) throw new RangeError("summariseRun() needs at least one result");
  const { runId, schemaVersion, plan, scenario, provenance } = first;
  const machines = machineNames(results);
  const marks = results.flatMap(({ impl, plan, provenance, status }) => [
    ...(plan.profile === "full" ? [] : [`profile ${plan.profile}, not full`]),
    ...(plan.reproduces === undefined ? [] : ["measured with the settings of an article"]),
    ...(provenance.dirty ? ["measured with uncommitted changes"] : []),
    ...(status === "incomplete" ? [`${impl.name} is incomplete`] : []),
  ]);
  return {
    id: runId,
    version: schemaVersion,
    startedAt: results.flatMap((result) => result.runId === runId ? result.startedAt : [])
      .sort()[0]!,
    profile: plan.profile,
    scenario,
    machines,
    machine: machines.join(" and "),
    commit: provenance.commit,
    local,
    marks: [...local ? ["local: not published"] : [], ...new Set(marks)],
    reproduces: plan.reproduces,
    completionKey: completionKeyOf(results),
    tests: plan.profile === "full" &&
      results.some((result) => result.comparison ?? result.bursts ?? result.deliveries),
    impls: results.map(({ impl: { id, name, class: implClass }, status, replica }) => ({
      id,
      name,
      class: implClass,
      status,
      replica,
    })).sort((a, b) => a.id < b.id ? -1 : 1),
  };
}

/** Returns as one text what the figures of a run depend on besides its implementations. */
function completionKeyOf(results: readonly Result[]): string | undefined {
  // One that failed may have come to neither the control nor the database.
  const compared = results.filter(({ control }) => control !== undefined);
  const texts = compared.map((result) => {
    const { seed: _, levels, ...plan } = result.plan;
    const versions = versionsOf(result);
    const parts = sharedParts.map((name) => versions[name] && partText(versions[name]));
    const key = comparableKeyOf(conditionsOf(result));
    const { variables } = result.database ?? {};
    return JSON.stringify([key, plan, levels.toSorted((a, b) => a - b), parts, variables]);
  });
  const [first, ...others] = new Set(texts);
  return others.length === 0 ? first : undefined;
}

/** Returns the name of each kind of machine that results are of, in alphabetical order. */
export function machineNames(
  measured: readonly { machine: Parameters<typeof machineOf>[0] }[],
): string[] {
  return [...new Set(measured.map(({ machine }) => machineOf(machine)))].sort();
}
