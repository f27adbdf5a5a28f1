import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { sumOf } from "../../bench/lib/sum.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { bottleneckWords } from "../../bench/results/bottleneck_words.ts";
import { ratesOf } from "../../bench/results/rate_sweep.ts";
import { type Result, resultSchema } from "../../bench/results/result_schema.ts";
import { startsOf } from "../../bench/results/startup.ts";
import { format, overviewOf, ratioCells, rowsOf, textOf } from "../../bench/testing/pages.ts";
import { captured, example, exampleRunId, siteOf } from "../../bench/testing/site.ts";
import { median } from "../../bench/statistics/mod.ts";

function sustainedOf({ rateSweep }: Result): number {
  return rateSweep?.sustainablePerSecond ?? 0;
}

Deno.test("the site shows every part of a run that has it", async (t) => {
  const results = exampleRun(exampleRunId).map((result) => resultSchema.parse(result));
  const site = await siteOf(example);
  const page = await site.page(`runs/${exampleRunId}/index.html`);

  await t.step("with ratios, intervals and ties in place of ranks", () => {
    const rows = rowsOf(page, "compared-table");
    for (const { impl, comparison, levels } of results) {
      const [level] = comparison!.levels;
      const { rounds } = level!.goodput!;
      const [, ratio, interval, count, , , cpu, tied] = rows.get(impl.name)!;
      assertEquals([ratio, interval, count], [
        ...ratioCells(level!.goodput!, levels[0]!.frame!.isGeneratorBound),
        String(rounds),
      ]);
      const ofCpu = level!.cpuPerAnswer!;
      const [shown, from, to] = [ofCpu.estimate, ofCpu.low, ofCpu.high].map((it) =>
        format(it, 1, 3)
      );
      assertEquals(cpu, `${shown} (${from} to ${to})`);
      // Those that share a letter are tied.
      assertEquals(tied, { swift: "a", even: "a", freezing: "b" }[impl.id] ?? "c");
    }
    assertEquals(textOf(page, "#compared-title"), [
      "Even and Swift lead at 10 connections; no difference between them could be measured. " +
      "Tuned: Tweaked is faster than the control at 10 connections",
    ]);
    const chart = page.getElementById("compared-title")!.closest("figure")!;
    // Of one that is only a bound, one end is known, which is its mark.
    const whole = results.filter(({ levels }) => !levels[0]!.frame!.isGeneratorBound);
    assert(whole.length < results.length);
    assertEquals(chart.querySelectorAll(".whisker").length, 3 * whole.length);
  });

  await t.step("with what bounds each level, and at least where it is the generator", () => {
    const rows = rowsOf(page, "bounds-table");
    for (const { impl, levels, ceilings } of results) {
      const { frame } = levels[0]!;
      const [, bound, , ceiling, why] = rows.get(impl.name)!;
      assertEquals([bound, why], [bottleneckWords[frame!.bottleneck], frame!.because]);
      const { lowPerSecond, highPerSecond } = ceilings![0]!;
      assertEquals(ceiling, `${format(lowPerSecond, 1)} to ${format(highPerSecond, 1)}`);
      const [[, goodput = ""] = []] = overviewOf(page, impl.name);
      assertEquals(goodput.startsWith("at least "), frame!.isGeneratorBound, impl.name);
    }
  });

  await t.step(
    "with every step of the rate sweep, and a freeze that the moment of sending would hide",
    () => {
      const groups = page.getElementById("steps")!.closest("table")!.querySelectorAll("tbody");
      for (
        const [index, { impl, rateSweep }] of results
          .toSorted((a, b) => a.impl.id < b.impl.id ? -1 : 1)
          .toSorted((a, b) => sustainedOf(b) - sustainedOf(a))
          .entries()
      ) {
        const [label = ""] = textOf(groups[index]!, ".group th");
        const { sustainablePerSecond } = rateSweep!;
        assertStringIncludes(
          label,
          sustainablePerSecond === undefined
            ? `${impl.name}: sustained no rate`
            : `${impl.name}: sustained ${format(sustainablePerSecond, 1, 0)} requests per second`,
        );
        assertEquals(
          groups[index]!.querySelectorAll("tr:not(.group)").map((row) => textOf(row, "th, td")),
          ratesOf(rateSweep!).map((step) => [
            format(step.ratePerSecond, 1, 0),
            format(step.latencySeconds?.p50, 1000),
            format(step.latencySeconds?.p90, 1000),
            format(step.latencySeconds?.p99, 1000),
            ...[
              step.processes === 1 ? "–absent" : [step.p99Seconds!.lowest, step.p99Seconds!.highest]
                .map((value) => format(value, 1000)).join(" to "),
            ],
            format(step.latencySeconds?.p999, 1000),
            format(step.uncorrectedSeconds?.p99, 1000),
            format(
              rateSweep!.floor.find(({ ratePerSecond }) => ratePerSecond === step.ratePerSecond)
                ?.latencySeconds.p99,
              1000,
            ),
            format(step.cpuSecondsPerAnswer?.median, 1e6),
            format(step.unsent, 1, 0),
            "0",
            (step.processes === rateSweep!.plan.processes
              ? ["no", "yes"][step.met / step.processes]
              : undefined) ?? `${step.met} of ${step.processes}`,
          ]),
        );
      }
      const stalls = textOf(page, ".stalls li");
      assert(stalls.length > 0);
      assertEquals(stalls.filter((stall) => !stall.startsWith("Freezing: ")), []);
      const chart = page.getElementById("sweep-title")!.closest("figure")!;
      assertEquals(
        chart.querySelectorAll(".open").length,
        results.flatMap(({ rateSweep }) => ratesOf(rateSweep!))
          .filter(({ met, processes }) => met < processes).length,
      );
    },
  );

  await t.step(
    "with startup: the ratio to the control, the median, the range, and every start as a mark",
    () => {
      const rows = rowsOf(page, "startup-table");
      const chart = page.getElementById("startup-title")!.closest("figure")!;
      for (const { impl, startup } of results) {
        const { seconds } = startsOf(startup!, "subject");
        const { estimate, low, high } = startup!.ratio!;
        const [shownRatio, shownLow, shownHigh] = [estimate, low, high].map((value) =>
          format(value, 1)
        );
        assertEquals(rows.get(impl.name)!.slice(1, 5), [
          `${shownRatio} (${shownLow} to ${shownHigh})`,
          ...[median(seconds), Math.min(...seconds), Math.max(...seconds)]
            .map((value) => format(value, 1000)),
        ]);
      }
      assertEquals(
        chart.querySelectorAll(".small").length,
        sumOf(results, ({ startup }) => startup!.blocks.length),
      );
    },
  );
});

Deno.test("the site says of one that failed after it was compared why it has no ratio", async () => {
  const runId = "20260105T000000Z-0000005";
  const results = exampleRun(runId).map((result) => {
    const { impl } = result;
    if (impl.id === "tweaked") return { ...result, impl: { ...impl, class: "standard" as const } };
    if (impl.id !== "even") return result;
    const { startup: _, ...reached } = result;
    const failure = { stage: "startup" as const, message: "it never answered", detail: "a log" };
    return { ...reached, status: "failed" as const, failure };
  });
  const site = await siteOf({ runs: results });
  const page = await site.page(`runs/${runId}/index.html`);
  assertEquals(rowsOf(page, "compared-table").get("Even")!.slice(1), [
    "Even failed at startup: it never answered",
  ]);
  for (const [path, id] of [["runs", "compared"], ["compare", "pairs-chart"]]) {
    const page = await site.page(`${path}/${runId}/index.html`);
    assertEquals(textOf(page, `#${id}-title`), [
      "Tweaked is faster than the other 2 that were compared at 10 connections",
    ]);
  }
});

Deno.test("the site leaves out the parts that a run does not have", async () => {
  const site = await siteOf({ runs: captured.runs });
  for (const path of await site.files(".html")) {
    const page = await site.page(path);
    for (const id of ["compared-table", "bounds-table", "steps", "startup-table"]) {
      assertEquals(page.getElementById(id), null, `${path} has ${id}`);
    }
  }
});
