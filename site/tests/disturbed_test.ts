import { assertEquals, assertStringIncludes } from "@std/assert";
import { lastRepetition } from "../../bench/results/outcome.ts";
import { type Result, resultSchema } from "../../bench/results/result_schema.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { format, rowsOf, textOf } from "../../bench/testing/pages.ts";
import { siteOf } from "../../bench/testing/site.ts";

const runId = "20260105T000000Z-0000005";
const reason = "the hypervisor took 2 %";

const notCounted = "rows read and transactions: it is MariaDB";

/**
 * Returns the example run with an upstream; of Swift, the machine spoilt the first cold load, in which the database did not
 * count everything.
 */
function disturbedRun(): Result[] {
  return exampleRun(runId).map((result) => {
    const { resources } = lastRepetition(result.levels[0]!).observation!;
    resources!.upstream = { ...resources!.subject, peakThreads: 1 };
    result.plan.profile = "full";
    if (result.impl.id === "swift") {
      const { startedAt, observation } = lastRepetition(result.levels[0]!);
      observation!.notCounted = [notCounted];
      const reasons = [{ code: "steal" as const, message: reason }];
      const repetition = { startedAt, validity: { valid: false as const, reasons }, observation };
      result.levels[0] = { connections: 10, repetitions: [repetition] };
    }
    return resultSchema.parse(result);
  });
}

const [swift] = disturbedRun();
const site = await siteOf({ runs: disturbedRun() });

Deno.test("an implementation keeps its ratio where the machine disturbed nothing but the cold load", async () => {
  const page = await site.page("impls/swift/index.html");
  const { estimate, low, high } = swift!.comparison!.levels[0]!.goodput!;
  const ratio = [
    format(estimate, 1, 3),
    `${format(low, 1, 3)} to ${format(high, 1, 3)}`,
  ];
  const level = rowsOf(page, "levels").get("10")!;
  assertEquals([level.slice(1, 3), level.at(-1)], [ratio, reason]);
  const [entry] = [...rowsOf(page, "history").values()];
  assertEquals(entry!.slice(1, 3), ratio);
  assertStringIncludes(textOf(page, "#headline").join(), " times the warm goodput");
});

Deno.test("the resources of a load have a row for the upstream", async () => {
  const page = await site.page("impls/even/index.html");
  assertEquals(rowsOf(page, "impl-resources").get("upstream")?.[4], "1");
});

Deno.test("the page of a run says what the database did not count, of whom it did not", async () => {
  const page = await site.page(`runs/${runId}/index.html`);
  const said = textOf(page, ".reason").filter((text) => text.startsWith("Not counted"));
  assertEquals(said, [`Not counted: ${notCounted}.`]);
});
