import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import type { HTMLElement } from "node-html-parser";
import type { ComparePage } from "../../bench/site/derived_run.ts";
import type { DerivedChanges } from "../../bench/site/changes/changes.ts";
import {
  exampleComparedLevel,
  exampleRun,
  withFastGenerator,
} from "../../bench/testing/example_run.ts";
import { type Result, resultSchema } from "../../bench/results/result_schema.ts";
import { format, hrefsOf, textOf } from "../../bench/testing/pages.ts";
import { basePath, captured, type Site, siteOf } from "../../bench/testing/site.ts";

const zeroth = "20260104T000000Z-0000004";
const first = "20260105T000000Z-0000005";
const second = "20260106T000000Z-0000006";
const elsewhere = "20260107T000000Z-0000007";
const otherControl = "20260108T000000Z-0000008";

/**
 * A newer run: Freezing is a third faster and has a newer driver, the load generator no longer bounds Tweaked, and Added
 * is there in place of Even.
 */
function secondRun(): Result[] {
  return exampleRun(second).map((result) => {
    const { id } = result.impl;
    if (id === "even") return { ...result, impl: { ...result.impl, id: "added", name: "Added" } };
    if (id === "tweaked") return withFastGenerator(result);
    if (id !== "freezing") return result;
    const faster = exampleComparedLevel({ ratio: 0.65, seed: 11, connections: 10 });
    return {
      ...result,
      impl: { ...result.impl, driver: { name: result.impl.driver!.name, version: "3.1.0" } },
      comparison: { ...result.comparison!, levels: [faster] },
    };
  });
}

function runElsewhere(): Result[] {
  return exampleRun(elsewhere).map((result) => ({
    ...result,
    machine: { ...result.machine, cpuModel: "Other CPU" },
  }));
}

function runOfOtherControl(): Result[] {
  return exampleRun(otherControl).map((result) => ({ ...result, control: { version: "2.0.0" } }));
}

/** Returns the rows of each group of a table, by the group's label. */
function groupsOf(page: HTMLElement, id: string): [label: string, rows: string[][]][] {
  return page.getElementById(id)!.closest("table")!.querySelectorAll("tbody").map((group) => [
    textOf(group, ".group th").join(),
    group.querySelectorAll("tr:not(.group)").map((row) => textOf(row, "th, td")),
  ]);
}

async function readDerived<T>(site: Site, kind: string, runId: string): Promise<T> {
  const path = join(site.folder, "..", "derived", "assets", kind, `${runId}.json`);
  return JSON.parse(await Deno.readTextFile(path));
}

const factor = (value: number) => format(value, 1, 3);

function intervalOf({ low, high }: { low: number; high: number }): string {
  return `${factor(low)} to ${factor(high)}`;
}

function withInterval(ratio: { estimate: number; low: number; high: number }): string {
  return `${factor(ratio.estimate)} (${intervalOf(ratio)})`;
}

Deno.test("the site compares every two of a run, and a run with the one before", async (t) => {
  const results = [
    ...exampleRun(zeroth, 1),
    ...exampleRun(first),
    ...secondRun(),
    ...runElsewhere(),
    ...runOfOtherControl(),
  ]
    .map((result) => resultSchema.parse(result));
  const site = await siteOf({ runs: results });
  const pageOf = (runId: string) => site.page(`compare/${runId}/index.html`);

  await t.step("with each pair's ratio, interval, verdict and points", async () => {
    for (const runId of [first, second, elsewhere, otherControl]) {
      const { levels } = await readDerived<ComparePage>(site, "compare", runId);
      for (const { connections, class: implClass, pairs, impls } of levels) {
        const id = `pairs-${connections}${implClass === "tuned" ? "-tuned" : ""}`;
        assertEquals(
          groupsOf(await pageOf(runId), id)[0]![1],
          [
            ...pairs.map(({ label, ratio, words, points }) => [
              label,
              words,
              factor(ratio.estimate),
              intervalOf(ratio),
              String(points),
            ]),
            ...impls.flatMap(({ name, missing }) => missing === undefined ? [] : [[name, missing]]),
          ],
        );
      }
    }
  });

  await t.step("with what is tuned apart, and a chart of the first against each", async () => {
    const page = await pageOf(first);
    assertEquals(textOf(page, "#pairs > .fold > summary"), [
      "Pairs at 10 connections",
      "Pairs at 10 connections (tuned)",
    ]);
    assertEquals(groupsOf(page, "pairs-10-tuned")[0]![1], [
      ["Tweaked", "no other of its class has a ratio to the same version of the control"],
    ]);
    assert(!groupsOf(page, "pairs-10").flat(3).join().includes("Tweaked"));
    assertEquals(
      textOf(page, "#pairs-chart-title"),
      [
        "Even and Swift lead at 10 connections; no difference between them could be measured. " +
        "Tuned: Tweaked is faster than the control at 10 connections",
      ],
    );
    const chart = page.getElementById("pairs-chart-title")!.closest("figure")!;
    // Against Even and against Freezing: a line and two ends each.
    assertEquals(chart.querySelectorAll(".whisker").length, 2 * 3);
  });

  await t.step("with every change since the run before, and what else changed", async () => {
    const page = await pageOf(second);
    const changes = await readDerived<DerivedChanges>(site, "changes", second);
    assertEquals(changes.before?.runId, first);
    const rows = groupsOf(page, "before-table").flatMap(([, rows]) => rows);
    const compared = changes.impls.filter(({ state }) => state === "compared");
    assertEquals(compared.map(({ id }) => id), ["freezing", "swift", "tweaked"]);
    assertEquals(compared.map(({ levels: [level] }) => level!.qualifier), [
      undefined,
      undefined,
      "at most",
    ]);
    assertEquals(
      rows,
      compared.map(({ name, levels: [level] }) => [
        name,
        level!.verdict!,
        ...(level!.qualifier === "at most"
          // The end of an interval that is known, alone.
          ? [
            `at most ${factor(level!.ratio!.high)}`,
            `up to ${factor(level!.ratio!.high)}`,
            `at least ${factor(level!.before!.low)}`,
          ]
          : [
            factor(level!.ratio!.estimate),
            intervalOf(level!.ratio!),
            withInterval(level!.before!),
          ]),
        "2",
        withInterval(level!.now!),
      ]),
    );
    assertEquals(
      textOf(page, "#before-chart-title"),
      ["Compared with the runs before, Freezing is faster at 10 connections"],
    );
    assertEquals(groupsOf(page, "before-versions")[0]![1], [
      ["environment", "no recorded change"],
      ["Added", "new in this run"],
      ["Even", "only in the run before"],
      ["Freezing", "driver mysql2 3.1.0, mysql2 3.0.0 before"],
      ["Swift", "no recorded change"],
      ["Tweaked", "no recorded change"],
    ]);
  });

  await t.step("with no verdict against a single earlier run", async () => {
    const page = await pageOf(first);
    assertEquals(textOf(page, "#before svg"), [], "a chart without a mark");
    assertEquals(textOf(page, "#before h2"), [
      "One earlier run does not tell how far runs differ, so no change is claimed",
    ]);
    const rows = groupsOf(page, "before-table").flatMap(([, rows]) => rows);
    assertEquals(rows.length, 3);
    for (const [name, verdict, ratio, , before = "", , now = ""] of rows) {
      assertEquals([ratio, verdict], [
        "–absent",
        "not decided: one earlier run does not tell how far runs differ",
      ], name);
      for (const own of [before, now]) assertMatch(own, /^\d\.\d{3} \(\d\.\d{3} to \d\.\d{3}\)$/);
    }
  });

  await t.step("with the reason where no run before compares", async () => {
    for (const runId of [zeroth, elsewhere, otherControl]) {
      const page = await pageOf(runId);
      const { missing } = await readDerived<DerivedChanges>(site, "changes", runId);
      assertStringIncludes(page.text, `No earlier run is comparable: ${missing}.`);
      assertEquals(page.getElementById("before-table"), null);
    }
    assertEquals((await pageOf(zeroth)).getElementById("beside-table"), null);
  });

  await t.step(
    "with a warning where machines differ, and then only ratios side by side",
    async () => {
      const page = await pageOf(elsewhere);
      assertStringIncludes(
        textOf(page, "#before .marks").join(),
        `Machines differ – Other CPU, 2 processors here, Example CPU, 2 processors in run ${second}.`,
      );
      const [now, before] = await Promise.all(
        [elsewhere, second].map((runId) => readDerived<ComparePage>(site, "compare", runId)),
      );
      const ratioOf = (page: ComparePage, level: number, wanted: string) =>
        page.levels[level]!.impls.find(({ id }) => id === wanted)!.ratio!;
      const row = (name: string, level: number, id: string) => [
        name,
        ...[now!, before!].flatMap((page) => {
          const ratio = ratioOf(page, level, id);
          return [factor(ratio.estimate), intervalOf(ratio)];
        }),
      ];
      const groups = groupsOf(page, "beside-table");
      assertEquals(groups.map(([label]) => label), ["10 connections", "10 connections (tuned)"]);
      assertEquals(groups[0]![1].toSorted(), [
        row("Freezing", 0, "freezing"),
        row("Swift", 0, "swift"),
      ]);
      // Bound by the load generator here, and not there.
      const [name, , , ...there] = row("Tweaked", 1, "tweaked");
      const low = factor(ratioOf(now!, 1, "tweaked").low);
      assertEquals(groups[1]![1], [[name, `at least ${low}`, `from ${low}`, ...there]]);
    },
  );

  await t.step("without ratios to another version of the control", async () => {
    const rows = groupsOf(await pageOf(otherControl), "beside-table").flatMap(([, rows]) => rows);
    assert(rows.length > 0);
    for (const [, reason] of rows) {
      assertEquals(
        reason,
        "version 2.0.0 of the control here, 1.0.0 there: the ratios are not comparable",
      );
    }
  });

  await t.step("with links to the runs before and after", async () => {
    const neighbours = async (runId: string) =>
      (await pageOf(runId)).querySelectorAll("[rel=prev], [rel=next]")
        .map(({ attributes }) => [attributes.rel, attributes.href]);
    const linkTo = (runId: string) => `${basePath}compare/${runId}/`;
    assertEquals(await neighbours(zeroth), [["next", linkTo(first)]]);
    assertEquals(await neighbours(second), [["prev", linkTo(first)], ["next", linkTo(elsewhere)]]);
    assertEquals(await neighbours(otherControl), [["prev", linkTo(elsewhere)]]);
  });

  await t.step("with links from the run's own page, which lead somewhere", async () => {
    const links = hrefsOf(await site.page(`runs/${second}/index.html`))
      .filter((href) => href.startsWith(`${basePath}compare/`) && href !== `${basePath}compare/`);
    assertEquals(links, [
      `${basePath}compare/${second}/#pairs`,
      `${basePath}compare/${second}/#before`,
      `${basePath}compare/?run-a=${second}`,
    ]);
    for (const id of ["pairs", "before"]) {
      assert((await pageOf(second)).getElementById(id) !== null);
    }
  });
});

Deno.test("the site says that a run was never compared with the control", async () => {
  const site = await siteOf({ runs: captured.runs });
  const page = await site.page("compare/20260103T000000Z-0000003/index.html");
  assertStringIncludes(page.text, "nothing in this run was compared with the control");
  assertStringIncludes(page.text, " share no ratio to the control");
  assertEquals(page.querySelectorAll("figure").length, 0);
});
