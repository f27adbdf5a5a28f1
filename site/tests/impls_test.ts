import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import type { HTMLElement } from "node-html-parser";
import { deriveWarmUps } from "../../bench/site/warm_up_curves.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { coldStartAt, warmGoodputAt } from "../../bench/results/goodput.ts";
import { valueOf } from "../../bench/results/known.ts";
import { lastRepetition } from "../../bench/results/outcome.ts";
import { countedRequests, ratesOf } from "../../bench/results/rate_sweep.ts";
import { type Figures, type Result, resultSchema } from "../../bench/results/result_schema.ts";
import { startsOf } from "../../bench/results/startup.ts";
import { ratioText } from "../../bench/results/words.ts";
import {
  format,
  formatColdStart,
  hrefsOf,
  ratioCells,
  rowsOf,
  textOf,
} from "../../bench/testing/pages.ts";
import { basePath, type Site, siteOf } from "../../bench/testing/site.ts";
import { median } from "../../bench/statistics/mod.ts";

const idOfDay = (day: number) => `2026010${day}T000000Z-000000${day}`;
/** As tables of runs have it. */
const startOfDay = (day: number) => `2026-01-0${day} 00:00`;

/** Makes the published full run of a day in January 2026, each result of it changed. */
function runOf(day: number, change: (result: Result) => void = () => {}): Result[] {
  return exampleRun(idOfDay(day)).map((result) => {
    result.plan.profile = "full";
    result.startedAt = `2026-01-0${day}T00:00:00.000Z`;
    change(result);
    return resultSchema.parse(result);
  });
}

function fail(result: Result): void {
  const message = 'Cannot build "swift": it ended with 1, expected 0';
  result.status = "failed";
  result.failure = { stage: "build", message, detail: "the log's tail" };
  result.levels = [];
  result.impl.framework = { name: result.impl.framework.name };
  for (const key of ["control", "comparison", "rateSweep", "startup", "verification"] as const) {
    delete result[key];
  }
}

function invalidate(result: Result): void {
  const { startedAt, observation } = lastRepetition(result.levels[0]!);
  const reasons = [{ code: "failures" as const, message: "2 % failed" }];
  result.levels[0]!.repetitions = [{
    startedAt,
    validity: { valid: false, reasons },
    ...(observation === undefined ? {} : { observation }),
  }];
  delete result.levels[0]!.frame;
}

async function implPage(site: Site, id: string): Promise<HTMLElement> {
  return await site.page(`impls/${id}/index.html`);
}

const ratioOf = ({ comparison, levels }: Result) =>
  ratioCells(comparison!.levels[0]!.goodput!, levels[0]!.frame?.isGeneratorBound);

const headlineOf = ({ comparison, levels }: Result) => {
  const goodput = comparison!.levels[0]!.goodput!;
  const { estimate, low } = goodput;
  const says = "times the warm goodput of the control at 10 connections";
  return levels[0]!.frame?.isGeneratorBound
    ? `at least ${format(low, 1)} ${says} (by the interval of this run)`
    : `${format(estimate, 1)} ${says} (interval of this run: ${ratioCells(goodput)[1]})`;
};

/** A maximum among requests that were never answered is shown as what it is at least. */
const latencyOf = ({ latencySeconds }: Figures): string[] =>
  (["p50", "p90", "p99", "p999", "max"] as const).map((name) =>
    `${latencySeconds.atLeast?.includes(name) ? "≥ " : ""}${format(latencySeconds[name], 1000)}`
  );

Deno.test("the page of an implementation has the figures of its newest full run", async (t) => {
  const results = runOf(2);
  const quick = runOf(3, ({ plan }) => plan.profile = "quick");
  const site = await siteOf({ runs: [...runOf(1), ...results, ...quick] });

  for (const result of results) {
    const { impl, levels, rateSweep, startup } = result;
    await t.step(impl.name, async () => {
      const page = await implPage(site, impl.id);
      assertEquals(textOf(page, "h1"), [impl.name]);
      assert(hrefsOf(page).includes(`${basePath}runs/${result.runId}/#${impl.id}`));
      assert(hrefsOf(page).includes(`${basePath}runs/${result.runId}/${impl.id}.json`));

      const [, ratio, interval, warm = "", share, cold = ""] = rowsOf(page, "levels").get(
        "10",
      )!;
      assertEquals([ratio, interval], ratioOf(result));
      const { figures, observation } = lastRepetition(levels[0]!);
      assert(cold.endsWith(format(figures!.goodputPerSecond, 1, 0)));
      for (const goodput of [cold, warm]) {
        assertEquals(goodput.startsWith("at least"), levels[0]!.frame!.isGeneratorBound);
      }
      const { estimate } = valueOf(warmGoodputAt(result, 10))!;
      assertStringIncludes(warm, `${format(estimate, 1, 0)} (`);
      const coldStart = valueOf(coldStartAt(result, 10));
      assertEquals(share, formatColdStart(coldStart));
      assertStringIncludes(
        textOf(page, "#headline").join().replace(/^At/, "at"),
        headlineOf(result),
      );

      const steps = rowsOf(page, "steps");
      for (const step of ratesOf(rateSweep!)) {
        const { ratePerSecond, latencySeconds, settlingSeconds, met, processes } = step;
        const row = steps.get(format(ratePerSecond, 1, 0))!;
        assertEquals(row[1], format(latencySeconds?.p50, 1000));
        assertEquals(row[3], format(latencySeconds?.p99, 1000));
        // The longest of few requests would stand for these.
        const due = Math.min(...countedRequests(rateSweep!, ratePerSecond));
        assertEquals(row[5], format(due < 1_000 ? undefined : latencySeconds?.p999, 1000));
        const first = ratePerSecond * rateSweep!.plan.settleSeconds! < 100
          ? undefined
          : settlingSeconds?.p99;
        assertEquals(row[7], format(first, 1000));
        assertEquals(["yes", `${processes} of ${processes}`].includes(row[12]!), met === processes);
      }
      assert(page.getElementById("efficiency-title")!.closest("figure") !== null);
      assert(page.querySelector("#startup-title + .fold svg") !== null, "its starts are in sight");
      assertEquals(rowsOf(page, "impl-latency").get("10")!.slice(1, 6), latencyOf(figures!));
      assertStringIncludes(page.text, "Right after each load, its answers were checked again.");
      assertEquals(
        textOf(page, ".silence"),
        impl.id === "freezing"
          ? ["At 10 connections, no answer came in 1 interval of 250 ms, for 0.25 s at a stretch."]
          : [],
      );
      const [, , startupMedian] = rowsOf(page, "startup-table").get(impl.name)!;
      assertEquals(startupMedian, format(median(startsOf(startup!, "subject").seconds), 1000));
      const { correct, refused } = observation!;
      assertEquals(
        [...rowsOf(page, "witnessed").values()],
        [["10", ...[correct, refused!, 0].map((count) => format(count, 1, 0))]],
      );
    });
  }

  await t.step("with whom it is tied, and who is faster and slower", async () => {
    const standing = async (id: string) =>
      rowsOf(await implPage(site, id), "standing").get("10")!.slice(1);
    assertEquals(await standing("swift"), ["Even", "Freezing", "none"]);
    assertEquals(await standing("freezing"), ["none", "none", "Swift; Even"]);
    assertEquals(await standing("tweaked"), ["none", "none", "none"]);
  });

  await t.step("with the curve of each load, as it is derived", async () => {
    const { curves: [curve], finding } = deriveWarmUps(results).swift!;
    assertEquals(curve!.secondsToSteady, 0);
    assertEquals(textOf(await implPage(site, "swift"), "#warm-up-title"), [finding]);
  });

  await t.step("in the list of implementations, those of a class together", async () => {
    const page = await site.page("impls/index.html");
    const rows = rowsOf(page, "impls");
    for (const result of results) {
      const [, ratio, interval, ties] = rows.get(result.impl.name)!;
      assertEquals([ratio, interval], ratioOf(result));
      assertEquals(ties, { swift: "a", even: "a", freezing: "b" }[result.impl.id] ?? "c");
    }
    assertEquals([...rows.keys()], ["Swift", "Even", "Freezing", "Tweaked"]);
    assertEquals(textOf(page, "tbody .group th").map((text) => text.endsWith("(tuned)")), [
      false,
      true,
    ]);
    const { framework, driver } = results[0]!.impl;
    const versions = rowsOf(page, "impl-versions").get("Swift")!;
    assertEquals(
      versions.slice(5, 7),
      [framework, driver!].map((it) => `${it.name} ${it.version}`),
    );
  });
});

Deno.test("the history of an implementation breaks where runs are not comparable", async (t) => {
  const runs = [
    runOf(1),
    runOf(2),
    runOf(3, ({ machine }) => machine.cpuModel = "Other CPU"),
    runOf(4, (result) => {
      result.machine.cpuModel = "Other CPU";
      if (result.impl.id === "even") result.impl.framework.version = "3.1.0";
      if (result.impl.id === "swift") fail(result);
      if (result.impl.id === "freezing") invalidate(result);
    }),
  ];
  const site = await siteOf({ runs: runs.flat() });

  await t.step("in groups of its table, the newest first, with every ratio", async () => {
    const page = await implPage(site, "even");
    const table = page.getElementById("history")!.closest("table")!;
    assertEquals(textOf(table, ".group th"), [
      "Profile full, on Other CPU, 2 processors, control 1.0.0",
      "Profile full, on Example CPU, 2 processors, control 1.0.0",
    ]);
    const rows = rowsOf(page, "history");
    assertEquals([...rows.keys()], [4, 3, 2, 1].map(startOfDay));
    for (const result of runs.flat().filter(({ impl }) => impl.id === "even")) {
      assertEquals(
        rows.get(result.startedAt.slice(0, 16).replace("T", " "))!.slice(1, 3),
        ratioOf(result),
      );
    }
  });

  await t.step("in its chart, with a word on each break", async () => {
    const figure = (await implPage(site, "even")).getElementById("history-title")!
      .closest("figure")!;
    assertEquals(textOf(figure, "ol.breaks li"), [
      "2026-01-03: processor Other CPU, Example CPU before",
    ]);
    assertEquals(figure.querySelectorAll("use").length, runs.length);
  });

  await t.step(
    "with a sentence on the newest that compare, and at least where it is so",
    async () => {
      const titleOf = async (id: string) => {
        const { estimate, low } = runs[3]!.find(({ impl }) => impl.id === id)!.comparison!
          .levels[0]!.goodput!;
        const title = textOf(await implPage(site, id), "#history-title").join();
        // Of a bound, the end of the interval that is known.
        return [title, ratioText(title.startsWith("At least") ? low : estimate, 3)];
      };
      const [even, ratioOfEven] = await titleOf("even");
      const when = "times the control’s warm goodput in the newest 2 comparable runs";
      assertEquals(even, `${ratioOfEven} ${when}`);
      const [tweaked, ratioOfTweaked] = await titleOf("tweaked");
      assertEquals(tweaked, `At least ${ratioOfTweaked} ${when}`);
    },
  );

  await t.step("and says when versions changed", async () => {
    const page = await implPage(site, "even");
    const change = "framework koa 3.1.0, koa 3.0.0 before";
    assertEquals([...rowsOf(page, "version-changes").values()], [
      [startOfDay(4), change],
    ]);
    assertStringIncludes(
      (await implPage(site, "swift")).text,
      "No change of its sources or versions is known",
    );
  });

  await t.step("and shows a run that failed with its stage and reason", async () => {
    const page = await implPage(site, "swift");
    const reason = 'Cannot build "swift": it ended with 1, expected 0';
    const [, shown] = rowsOf(page, "history").get(startOfDay(4))!;
    assertEquals(shown, `failed at build: ${reason}`);
    assertStringIncludes(textOf(page, ".marks")[0]!, `Failed at build: ${reason}`);
    const [, ratio] = rowsOf(page, "levels").get("10")!;
    const measured = runs[2]!.find(({ impl }) => impl.id === "swift")!;
    assertEquals(ratio, ratioOf(measured)[0]);
    const rawData = hrefsOf(page).filter((href) => href.endsWith("/swift.json"));
    assertEquals(rawData, [`${basePath}runs/${idOfDay(3)}/swift.json`]);
    assert(!page.text.includes("version could not be read"));
    const list = await site.page("impls/index.html");
    assertEquals(rowsOf(list, "impls").get("Swift")!.slice(1), [`failed at build: ${reason}`]);
  });

  await t.step("and shows an invalid level with its reason", async () => {
    const page = await implPage(site, "freezing");
    assertEquals(rowsOf(page, "history").get(startOfDay(4))![1], "2 % failed");
    assertEquals(rowsOf(page, "levels").get("10")!.slice(1), ["2 % failed"]);
    assertEquals(textOf(page, "#headline"), ["No number at 10 connections: 2 % failed"]);
  });
});

Deno.test("a run of this machine stands in a history, marked, and does not speak for it", async () => {
  const site = await siteOf({ runs: runOf(1), local: runOf(2) });
  const page = await implPage(site, "swift");
  assertEquals([...rowsOf(page, "history").keys()], [
    `${startOfDay(2)} (not published)`,
    startOfDay(1),
  ]);
  assert(hrefsOf(page).includes(`${basePath}runs/${idOfDay(1)}/swift.json`));
});

Deno.test("the list of implementations says so where there are none", async () => {
  const site = await siteOf();
  const page = await site.page("impls/index.html");
  assertStringIncludes(page.text, "No run has been published yet");
});
