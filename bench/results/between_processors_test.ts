import { assertEquals } from "@std/assert";
import { exampleComparedLevel, exampleRun } from "../testing/example_run.ts";
import { comparedRunOf } from "./compared_run.ts";
import { valueOf } from "./known.ts";
import { betweenProcessorsIn } from "./over_runs.ts";
import { betweenProcessors, meanOfMachines } from "../statistics/mod.ts";
import type { Result } from "./result_schema.ts";

const at = 10;

/** Makes what the machines of a run found on a day in January 2026, the results of each changed. */
function runOf(day: number, ...machines: ((result: Result) => void)[]) {
  const runId = `202601${String(day).padStart(2, "0")}T000000Z-0000000`;
  return comparedRunOf(
    machines.flatMap((change, machine) =>
      exampleRun(runId, 10 * day + machine).map((result): Result => {
        change(result);
        return { ...result, replica: machine === 0 ? undefined : machine + 1 };
      })
    ),
  );
}

const here = () => {};

/** Another processor, on which each does a tenth better. */
const there = (result: Result) => {
  result.machine.cpuModel = "Other CPU";
  const [level] = result.comparison!.levels;
  const ratio = 1.1 * level!.goodput!.estimate;
  result.comparison!.levels = [exampleComparedLevel({ ratio, seed: 7, connections: at })];
};

const upgraded = (result: Result) => {
  result.impl.framework = { name: "koa", version: "4.0.0" };
};

Deno.test("betweenProcessorsIn() is of the newest program alone", () => {
  const older = [runOf(3, there), runOf(2, here)];
  assertEquals(betweenProcessorsIn(older, at)?.processors, 2);
  assertEquals(betweenProcessorsIn([runOf(4, upgraded), ...older], at), undefined);
  const upgradedThere = (result: Result) => [upgraded, there].forEach((change) => change(result));
  const both = [runOf(5, upgradedThere), runOf(4, upgraded)];
  assertEquals(betweenProcessorsIn([...both, ...older], at), betweenProcessorsIn(both, at));
  // What was before another program is not taken up again.
  assertEquals(betweenProcessorsIn([runOf(5, here), runOf(4, upgraded), ...older], at), undefined);
});

const polling = (result: Result) => {
  result.machine.idle = "polls";
};

Deno.test("betweenProcessorsIn() takes no processor that polls when idle for another one", () => {
  assertEquals(betweenProcessorsIn([runOf(3, polling), runOf(2, here)], at), undefined);
  const both = [runOf(3, there), runOf(2, here)];
  assertEquals(
    betweenProcessorsIn([runOf(4, polling), ...both], at),
    betweenProcessorsIn(both, at),
  );
  // Also where only some of a run's machines poll, whichever stands for an implementation.
  assertEquals(betweenProcessorsIn([runOf(2, here, here, polling)], at), undefined);
  assertEquals(
    betweenProcessorsIn([runOf(3, there, polling, polling), runOf(2, here)], at),
    betweenProcessorsIn([runOf(3, there), runOf(2, here)], at),
  );
});

Deno.test("betweenProcessorsIn() counts the machines of one run and processor together", () => {
  const runs = [runOf(3, here, here, there, there), runOf(2, here, here)];
  const ofImpls = runs[0]!.impls.map(({ id }) =>
    runs.flatMap(({ impls }) => {
      const { replicas = [], ...first } = impls.find((impl) => impl.id === id)!;
      const ratios = [first, ...replicas].map(({ levels: [level], conditions }) => ({
        ratio: valueOf(level!.ratio)!,
        processor: `${conditions.cpuModel}, ${conditions.cpuCount} processors`,
      }));
      return [ratios.slice(0, 2), ratios.slice(2)].filter(({ length }) => length > 0)
        .map(meanOfMachines);
    })
  );
  const found = betweenProcessorsIn(runs, at)!;
  const expected = betweenProcessors(ofImpls.map((ratios) =>
    // As they are put together: each processor apart.
    ratios.toSorted((a, b) => a.processor < b.processor ? -1 : a.processor > b.processor ? 1 : 0)
  ));
  assertEquals(found, expected);
});
