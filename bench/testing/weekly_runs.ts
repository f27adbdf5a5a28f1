/** Published runs of some weeks, and what `alert` makes of them, for tests. */
import { assertEquals } from "@std/assert";
import { dirname, join } from "@std/path";
import { sendAlerts } from "../github/alert/alert.ts";
import type { ImplInScenario } from "../github/figures.ts";
import { silent } from "../lib/report.ts";
import type { Result } from "../results/result_schema.ts";
import { writeResult } from "../results/store.ts";
import { exampleRun } from "./example_run.ts";
import { environmentOf, type FakeGitHub } from "./fake_github.ts";
import { asMeasured, measured } from "./remote.ts";

export const runIdOf = (week: number) => `202601${String(week).padStart(2, "0")}T000000Z-0000000`;
export const now = runIdOf(6);
export const rerunId = runIdOf(8);
/** All that is measured here is of one scenario. */
export const ids = (runId: string) => ({ "jwt-mysql": runId });
export const implsOf = (...implIds: string[]): ImplInScenario[] =>
  implIds.map((implId) => ({ implId, scenario: "jwt-mysql" }));

/** Returns the run of a week, in which Swift has this highest sustainable rate. */
export function runOf(runId: string, sustainable: number): Result[] {
  const run = exampleRun(runId);
  run.find(({ impl }) => impl.id === "swift")!.rateSweep!.sustainablePerSecond = sustainable;
  return run;
}

/** Published runs and artifacts of a second measurement, gone when they are disposed of. */
export interface WeeklyRuns extends AsyncDisposable {
  publishedRuns: string;
  artifactsFolder: string;
  /** All that there are. */
  impls: ImplInScenario[];
  publish(run: Result[]): Promise<void>;
  leave(path: string, text: string): Promise<void>;
  /** Runs `alert`, and returns what it reported of Swift, and what it could not use. */
  alert(runId: string, github: FakeGitHub): Promise<{ line: string; damaged: string[] }>;
}

/** Publishes five good weeks. */
export async function publishWeeks(): Promise<WeeklyRuns> {
  const folder = await Deno.makeTempDir();
  const publishedRuns = join(folder, "runs");
  const artifactsFolder = join(folder, "artifacts");
  const impls = implsOf("even", "freezing", "swift", "tweaked");
  const publish = async (run: Result[]) => {
    for (const result of run) await writeResult(publishedRuns, result);
  };
  for (const week of [1, 2, 3, 4, 5]) await publish(runOf(runIdOf(week), 2_000));
  return {
    publishedRuns,
    artifactsFolder,
    impls,
    publish,
    leave: async (path, text) => {
      await Deno.mkdir(dirname(join(artifactsFolder, path)), { recursive: true });
      await Deno.writeTextFile(join(artifactsFolder, path), text);
    },
    alert: async (runId, github) => {
      const lines: string[] = [];
      const report = { ...silent, line: (text: string) => void lines.push(text) };
      const environment = environmentOf(github);
      const damaged = await sendAlerts(
        {
          runIds: ids(runId),
          rerunIds: ids(rerunId),
          artifactsFolder,
          plans: measured.plans,
          siteUrl: "https://backbench.example",
        },
        { publishedRuns, impls, environment, report, signal: AbortSignal.timeout(30_000) },
      );
      const isSwift = (line: string) => line.startsWith("swift, jwt-mysql: ");
      const others = ["even", "freezing", "tweaked"];
      assertEquals(
        lines.filter((line) => !isSwift(line)),
        others.map((id) => `${id}, jwt-mysql: nothing to say`),
      );
      return { line: lines.find(isSwift)!.replace(", jwt-mysql", ""), damaged };
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Returns Swift's second measurement as its job leaves it. */
export function rerunText(
  sustainable: number,
  change: (result: Result) => void = () => {},
): string {
  const [swift] = runOf(rerunId, sustainable);
  change(swift!);
  return JSON.stringify(asMeasured(swift!));
}
