import { assertEquals } from "@std/assert";
import { besideOf, type BesideRun } from "./beside.ts";
import { showBursts } from "./run/bursts.ts";
import { showDeliveries } from "./run/deliveries.ts";
import { machineNames } from "./run_summary.ts";
import { comparedRunOf } from "../results/compared_run.ts";
import type { Result } from "../results/result_schema.ts";
import { exampleBursts } from "../testing/example_bursts.ts";
import { exampleDeliveries } from "../testing/example_deliveries.ts";
import { exampleRun } from "../testing/example_run.ts";

const older = "20260104T000000Z-0000004";
const newer = "20260105T000000Z-0000005";

function foundBy(results: Result[]): BesideRun {
  return {
    summary: { id: results[0]!.runId, machines: machineNames(results) },
    facts: comparedRunOf(results),
    bursts: showBursts(results),
    deliveries: showDeliveries(results),
  };
}

function elsewhere(results: Result[]): Result[] {
  return results.map((result) => ({
    ...result,
    machine: { ...result.machine, cpuModel: "Other CPU" },
  }));
}

Deno.test("besideOf() has the ratios that both runs have, each class apart, the highest of this run first", () => {
  const here = exampleRun(newer).filter(({ impl }) => impl.id !== "even");
  const there = exampleRun(older, 1);
  const beside = besideOf(foundBy(here), foundBy(there));
  const { runId, machines, levels, bursts, deliveries } = beside;
  assertEquals([runId, machines, bursts, deliveries], [older, undefined, undefined, undefined]);
  assertEquals(
    levels.map(({ connections, class: implClass, rows }) => [
      ...[connections, implClass],
      rows.map(({ name }) => name),
    ]),
    [[10, "standard", ["Swift", "Freezing"]], [10, "tuned", ["Tweaked"]]],
  );
  const ratioIn = (results: Result[]) => {
    const tweaked = results.find(({ impl }) => impl.id === "tweaked")!;
    const { estimate, low, high } = tweaked.comparison!.levels[0]!.goodput!;
    return { estimate, low, high, qualifier: "at least" as const };
  };
  assertEquals(levels[1]!.rows, [{ name: "Tweaked", here: ratioIn(here), there: ratioIn(there) }]);
});

Deno.test("besideOf() has a reason in place of ratios to different versions of the control", () => {
  const here = exampleRun(newer).map((result) => ({ ...result, control: { version: "2.0.0" } }));
  const { levels } = besideOf(foundBy(here), foundBy(exampleRun(older)));
  assertEquals(
    levels.flatMap(({ rows }) => rows).map(({ name, ...rest }) => [name, rest]),
    ["Swift", "Even", "Freezing", "Tweaked"].map((name) => [name, {
      missing: "version 2.0.0 of the control here, 1.0.0 there: the ratios are not comparable",
    }]),
  );
});

Deno.test("besideOf() has each step of both, a row of this run before that of the other", () => {
  for (
    const [key, make] of [
      ["bursts", exampleBursts],
      ["deliveries", exampleDeliveries],
    ] as const
  ) {
    const [here, there] = [foundBy(make(newer)), foundBy(make(older).slice(0, 2))];
    const beside = besideOf(here, there);
    const { steps } = here[key]!;
    const [name, other] = steps[0]!.rows.map(({ name }) => name);
    assertEquals(beside.levels, []);
    assertEquals(
      beside[key]!.map(({ label, rows }) => [label, rows.map(({ name, run }) => [name, run])]),
      steps.map(({ label }) => [label, [
        ...[[name, "this run"], [name, "run before"]],
        ...[[other, "this run"], [other, "run before"]],
      ]]),
    );
    assertEquals(beside[key]![0]!.rows[0], { ...steps[0]!.rows[0]!, run: "this run" });
  }
});

Deno.test("besideOf() has ratios of different machines, and no figures of steps", () => {
  const beside = (results: Result[]) => besideOf(foundBy(elsewhere(results)), foundBy(results));
  const { machines, levels } = beside(exampleRun(older));
  assertEquals(machines, { here: "Other CPU, 2 processors", there: "Example CPU, 2 processors" });
  assertEquals(levels.length, 2);
  assertEquals(beside(exampleBursts(older)).bursts, []);
  assertEquals(beside(exampleDeliveries(older)).deliveries, []);
});

Deno.test("besideOf() has no figures of bursts where settings of the kernel differ, and names them", () => {
  const withSettings = (kernelSettings?: Record<string, string>) =>
    foundBy(
      exampleBursts(older).map((result) => ({
        ...result,
        bursts: { ...result.bursts!, kernelSettings },
      })),
    );
  const few = withSettings({ "net.core.somaxconn": "128" });
  const many = withSettings({ "net.core.somaxconn": "4096" });
  const { machines, bursts } = besideOf(few, many);
  assertEquals(machines, {
    here: "Example CPU, 2 processors; net.core.somaxconn 128",
    there: "Example CPU, 2 processors; net.core.somaxconn 4096",
  });
  assertEquals(bursts, []);
  assertEquals(
    besideOf(withSettings(), many).machines?.here,
    "Example CPU, 2 processors; settings of the kernel unknown",
  );
  assertEquals(besideOf(many, many).machines, undefined);
});
