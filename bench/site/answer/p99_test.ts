import { assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { sweptProcess } from "../../results/rate_sweep.ts";
import type { Result } from "../../results/result_schema.ts";
import { marksWith } from "../marks.ts";
import { figureViews } from "./figures.ts";

const results = exampleRun("20260105T000000Z-0000005");

function p99Of(results: Result[]) {
  return figureViews(results, marksWith(new Map(), results)).find(({ figure }) =>
    figure === "p99"
  )!;
}

/** Returns the results where steal time invalidated two processes of one implementation's sweep, and it met nothing there. */
function withInvalidSweep(id: string, isInvalid: (ratePerSecond: number) => boolean): Result[] {
  return results.map((result) => {
    if (result.impl.id !== id) return result;
    const { processes, ...sweep } = result.rateSweep!;
    const disturbed = processes.map(({ steps }, index) =>
      index === 0 ? sweptProcess(steps) : sweptProcess(
        steps.map((step) =>
          isInvalid(step.ratePerSecond)
            ? { ...step, holds: false, problem: "9 % steal time" }
            : step
        ),
      )
    );
    const { sustainablePerSecond: _, range: __, ...rest } = sweep;
    return { ...result, rateSweep: { ...rest, processes: disturbed } };
  });
}

Deno.test("a sweep that the machine disturbed does not choose the rate of the question on p99, and says so", () => {
  const valid = p99Of(results);
  const disturbed = p99Of(withInvalidSweep("swift", () => true));
  assertEquals(disturbed.axis, valid.axis);
  const [row] = disturbed.groups.flatMap(({ rows }) => rows).filter(({ id }) => id === "swift");
  assertEquals([row!.plot, row!.missing], [undefined, "no p99 at this rate: 9 % steal time"]);
});

Deno.test("a sweep that was disturbed at another rate keeps its p99 at the rate of the question", () => {
  const [, rate] = /at ([\d,]+) requests/.exec(p99Of(results).axis)!;
  const asked = Number(rate!.replaceAll(",", ""));
  const { groups, axis } = p99Of(withInvalidSweep("swift", (it) => it > asked));
  assertEquals(axis, p99Of(results).axis);
  const row = groups.flatMap(({ rows }) => rows).find(({ id }) => id === "swift");
  assertNotEquals(row!.plot, undefined);
});

Deno.test("the question on p99 tells how many requests of each process it is of", () => {
  const { steps } = results[0]!.rateSweep!.processes[0]!;
  const { ownFacts, axis } = p99Of(results);
  const fact = ownFacts.at(-1);
  assertMatch(axis, /requests per second/);
  const asked = steps.find((step) =>
    axis.includes(` ${step.ratePerSecond.toLocaleString("en")} `)
  )!;
  const factOf = (requests: number) =>
    `each p99 is of the ${requests.toLocaleString("en")} requests of a process`;
  assertEquals(fact, factOf(asked.due - 0.5 * asked.ratePerSecond));
  const earlier = structuredClone(results);
  for (const { rateSweep } of earlier) delete rateSweep!.plan.settleSeconds;
  assertEquals(p99Of(earlier).ownFacts.at(-1), factOf(asked.due));
});
