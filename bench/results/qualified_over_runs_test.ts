import { assertEquals } from "@std/assert";
import { comparedRunOf } from "./compared_run.ts";
import { valueOf } from "./known.ts";
import { ratioOverRuns } from "./over_runs.ts";
import { seriesOf } from "./series.ts";
import {
  exampleCeiling,
  exampleRun,
  withFastGenerator,
  withSlowGenerator,
} from "../testing/example_run.ts";
import type { Result } from "./result_schema.ts";

const at = 10;

/** Makes what the run of a day in January 2026 found of one that is half as fast as the control. */
function runOf(day: number, change: (result: Result) => Result) {
  const runId = `202601${String(day).padStart(2, "0")}T000000Z-0000000`;
  const results = exampleRun(runId, day).filter(({ impl }) => impl.id === "freezing");
  return comparedRunOf(results.map(withFastGenerator).map(change));
}

/** The load generator can do no more than the control did. */
const boundControl = (result: Result): Result => ({
  ...result,
  ceilings: [exampleCeiling(result.comparison!.levels[0]!.goodputPerSecond!.reference, 0)],
});

const unbound = (day: number) => runOf(day, (result) => result);
const most = (day: number) => runOf(day, boundControl);
const least = (day: number) => runOf(day, withSlowGenerator);

Deno.test("ratioOverRuns() is at most or at least what it says where the load generator limited one of the two in any run", () => {
  const read = (...runs: ReturnType<typeof unbound>[]) => {
    const cited = valueOf(ratioOverRuns(seriesOf("freezing", runs), at))!;
    return [cited.runs, cited.qualifier];
  };
  assertEquals(read(unbound(2), unbound(1)), [2, undefined]);
  assertEquals(read(unbound(2), most(1)), [2, "at most"]);
  assertEquals(read(least(2), unbound(1)), [2, "at least"]);
  assertEquals(read(most(1)), [1, "at most"]);
  // Over both, nothing is known: the newest run stands alone.
  assertEquals(read(most(3), least(2), unbound(1)), [1, "at most"]);
});
