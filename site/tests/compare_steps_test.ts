/** Scenarios without levels on the page that compares any two, and on the pages that compare a run with the one before. */
import { assertEquals, assertStringIncludes } from "@std/assert";
import { compareSides } from "../assets/compare_sides.js";
import { stepsOf } from "../assets/compare_steps.js";
import { warningsFor } from "../assets/compare_words.js";
import { deriveOne } from "../../bench/site/derived_run.ts";
import type { Result } from "../../bench/results/result_schema.ts";
import { asWritten } from "../../bench/testing/as_written.ts";
import { exampleBursts } from "../../bench/testing/example_bursts.ts";
import { exampleDeliveries } from "../../bench/testing/example_deliveries.ts";
import { exampleResult } from "../../bench/testing/example_result.ts";
import { siteOf } from "../../bench/testing/site.ts";

const older = "20260104T000000Z-0000004";
const newer = "20260105T000000Z-0000005";

function published(results: Result[]) {
  return asWritten(deriveOne(results, { local: false, earlier: [] }).exported);
}

const bursts = published(exampleBursts(newer));
const deliveries = published(exampleDeliveries(newer));

Deno.test("stepsOf() has each burst of either side, with intervals, as the page of a run has them", () => {
  const [cheating, queueing, steady] = bursts.impls;
  const { kind, groups } = stepsOf(queueing!, steady!)!;
  assertEquals(kind, "bursts");
  assertEquals(groups.map(({ label }) => label), [
    "1,000 users, 1 s",
    "10,000 users, 1 s",
    "30,000 users, 1 s",
    "10,000 users, 5 s",
  ]);
  const [first, second] = groups[1]!.rows;
  assertEquals(first, {
    label: "First",
    cells: [
      ...["8,282", "17.2 % (16.8 %–17.6 %)", "21.2 (21.1–21.3)"],
      ...[undefined, "230", "50.0", "10,000", "8,292"],
    ],
  });
  assertEquals([second!.label, second!.cells.slice(0, 2)], ["Second", ["10,000", "0.0 %"]]);
  assertEquals(
    stepsOf(cheating!, steady!)!.groups[1]!.rows[0]!.missing,
    "3 of 10,000 users had a wrong answer (early)",
  );
  const few = { ...steady!, bursts: steady!.bursts!.slice(0, 1) };
  assertEquals(stepsOf(few, steady!)!.groups[1]!.rows[0]!.missing, "not measured");
});

Deno.test("stepsOf() has deliveries from the lowest rate up, with what was lost", () => {
  const [doubling, pooled, steady] = deliveries.impls;
  const { kind, groups } = stepsOf(pooled!, steady!)!;
  assertEquals(kind, "deliveries");
  assertEquals(groups.map(({ label, rows }) => [label, ...rows.map(({ label }) => label)]), [
    ["100 users, 167 a second", "First", "Second"],
    ["1,600 users, 2,667 a second", "First", "Second"],
  ]);
  assertEquals(groups[1]!.rows[0]!.cells, [
    "160,020",
    "40,020 (25.0 %)",
    "2,000",
    "4.00",
    undefined,
    "0.10",
    "12",
    "50.0",
  ]);
  assertEquals(
    stepsOf(pooled!, doubling!)!.groups[0]!.rows[1]!.missing,
    "POST /notify/1 led to 2 calls of it, expected one",
  );
});

Deno.test("compareSides() shows steps without a verdict, and none of different machines", () => {
  const [a, b] = bursts.impls.slice(1).map((impl) => ({ run: bursts, impl }));
  const { rows, goodput, reason, steps } = compareSides(a!, b!);
  assertEquals([rows, goodput, reason], [undefined, undefined, undefined]);
  assertEquals(steps!.kind, "bursts");
  const elsewhere = { ...b!, impl: { ...b!.impl, machine: { cpuModel: "Other", cpuCount: 4 } } };
  assertEquals(
    compareSides(a!, elsewhere),
    { a: a!, b: elsewhere, reason: "figures of different machines do not compare" },
  );
  assertEquals(warningsFor(a!, elsewhere), [
    "Machines differ: Example CPU, 2 processors and Other, 4 processors.",
  ]);
  const [withLevels] = published([exampleResult()]).impls;
  assertEquals(stepsOf(withLevels!, withLevels!), undefined);
});

for (
  const { name, results, cells, label } of [
    {
      name: "bursts",
      results: exampleBursts,
      label: "10,000 users, 1 s",
      cells: [
        ...["Queueing", "this run", "8,282", "17.2 % (16.8 %–17.6 %)", "21.2 (21.1–21.3)"],
        "–absent",
      ],
    },
    {
      name: "deliveries",
      results: exampleDeliveries,
      label: "1,600 users, 2,667 a second",
      cells: ["Pooled", "this run", "160,020", "40,020 (25.0 %)", "2,000", "4.00", "34"],
    },
  ]
) {
  Deno.test(`the page that compares a run of ${name} has the run before beside it, without a verdict`, async () => {
    const site = await siteOf({ runs: [...results(older), ...results(newer)] });
    const page = await site.page(`compare/${newer}/index.html`);
    const text = page.text.replaceAll(/\s+/g, " ");
    assertStringIncludes(text, "No pair has a verdict");
    assertStringIncludes(
      text,
      "No earlier run is comparable: the figures of its scenario have no ratio to the control.",
    );
    const table = page.querySelectorAll("table").find((it) => it.querySelector("#beside-table"))!;
    const group = table.querySelectorAll("tbody").find((it) =>
      it.querySelector(".group")?.text.trim() === label
    )!;
    const rows = group.querySelectorAll("tr:not(.group)")
      .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
    const own = rows.filter(([first]) => first === cells[0]);
    // Both runs are the same, except for when they were.
    assertEquals(own, [cells, cells.with(1, "run before")]);
    assertEquals(rows.length, 2 * 3);
    const any = await site.page("compare/index.html");
    const template = any.querySelector(`#compare-${name}`)!;
    // One column names a row, and the script spans the others where there are no figures.
    const columns = template.querySelectorAll("th").length;
    assertEquals(columns, 9, name);
  });
}
