import { assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type HTMLElement, parse } from "node-html-parser";
import { runProcess } from "../../bench/lib/process.ts";
import { silent } from "../../bench/lib/report.ts";
import { hrefsOf, textOf } from "../../bench/testing/pages.ts";
import { ensureHugo } from "../../bench/tools/tools.ts";

const partials = fromFileUrl(new URL("../layouts/_partials", import.meta.url));

Deno.test("a chart over time has dates, and breaks that its lines do not cross", async () => {
  const day = 86_400;
  const start = Date.UTC(2026, 0, 1) / 1000;
  const page = await renderPartial("chart.html", {
    ...{ id: "history", title: "A finding", description: "In words", caption: "A caption" },
    ...{ marks: "curve", joined: true },
    x: { kind: "time", label: "start of the run" },
    y: { kind: "around", label: "ratio" },
    breaks: [{ x: start + 100 * day, label: "another processor" }],
    legend: [{ label: "10 connections", shape: 0 }, { label: "50 connections", shape: 1 }],
    series: [
      {
        shape: 0,
        points: [0, 50, 100, 150].map((days) => ({ x: start + days * day, y: 1 + days / 100 })),
      },
      {
        shape: 1,
        points: [0, 50, 100, 150].map((days) => ({
          x: start + days * day,
          y: days === 50 ? null : 3,
          text: `day ${days}`,
        })),
      },
    ],
  });
  const [first = "", second = ""] = page.querySelectorAll("path.join")
    .map((path) => path.getAttribute("d"));
  assertEquals(first.match(/[ML]/g)?.join(""), "MLML");
  assertEquals(second.match(/[ML]/g)?.join(""), "MML");
  assertMatch(first, /^M0\.0 300\.0L333\.3 /);
  assertEquals(textOf(page, ".tick[text-anchor=middle]"), [
    ...["Jan 2026", "Mar 2026", "May 2026"],
    "1",
  ]);
  assertEquals(textOf(page, ".breaks li"), ["another processor"]);
  assertEquals(textOf(page, ".break title"), ["another processor"]);
  assertEquals(textOf(page, "use title"), [
    "10 connections, 2026-01-01 00:00: 1.00",
    "10 connections, 2026-02-20 00:00: 1.50",
    "10 connections, 2026-04-11 00:00: 2.00",
    "10 connections, 2026-05-31 00:00: 2.50",
    ...["day 0", "day 100", "day 150"],
  ]);
  assertEquals(textOf(page, ".end"), ["10 connections", "50 connections"]);
});

Deno.test("a cell after one that spans others has the label of its own column", async () => {
  const page = await renderPartial("table.html", {
    ...{ id: "levels", caption: "A caption", stack: true },
    columns: [
      { label: "Level", text: true },
      ...["First", "Second", "Third"].map((label) => ({ label })),
    ],
    groups: [{
      rows: [
        { cells: ["10", "1", "2", "3"] },
        { cells: ["50", { text: "no ratio", span: 2, class: "reason" }, "3"] },
      ],
    }],
  });
  const labels = page.querySelectorAll("tbody tr").map((row) =>
    row.querySelectorAll("td").map((cell) => cell.getAttribute("data-label"))
  );
  assertEquals(labels, [["First", "Second", "Third"], [undefined, "Third"]]);
});

Deno.test("a note has its addresses as links, without what stands around them, and nothing else of markup", async () => {
  const note =
    "As <b>it</b> says (https://a.test/b?c=1&d). See https://e.test/, or javascript:f().";
  const page = await renderPartial("note.html", { note });
  assertEquals(page.textContent, note);
  const links = page.querySelectorAll("a").map((link) => link.getAttribute("href"));
  assertEquals(links, ["https://a.test/b?c=1&d", "https://e.test/"]);
});

Deno.test("an axis of time has ticks at whole hours, days and months", async () => {
  const labels = async (from: string, to: string) => {
    const points = [from, to].map((date) => ({ x: Date.parse(date) / 1000, y: 1 }));
    const page = await renderPartial("chart.html", {
      ...{ id: "time", title: "", description: "", caption: "", marks: "curve" },
      ...{ x: { kind: "time", label: "" }, y: { kind: "zero", label: "" } },
      series: [{ shape: 0, points }],
    });
    return textOf(page, ".tick[text-anchor=middle]");
  };
  assertEquals(await labels("2026-01-01T22:00Z", "2026-01-02T05:30Z"), [
    ...["2 Jan 00:00", "2 Jan 03:00"],
  ]);
  assertEquals(await labels("2026-01-30T12:00Z", "2026-02-03T12:00Z"), [
    ...["31 Jan", "2 Feb"],
  ]);
  assertEquals(await labels("2025-11-15T00:00Z", "2026-03-15T00:00Z"), [
    ...["Jan 2026", "Mar 2026"],
  ]);
  assertEquals(await labels("2021-06-01T00:00Z", "2026-06-01T00:00Z"), [
    ...["Jan 2022", "Jan 2024", "Jan 2026"],
  ]);
  assertEquals(await labels("2026-06-01T12:00Z", "2026-06-01T12:00Z"), [
    ...["1 Jun 00:00", "1 Jun 12:00", "2 Jun 00:00"],
  ]);
});

Deno.test("an axis of logarithms has two ticks or more, and little room beside its values", async () => {
  const labels = async (...xs: number[]) => {
    const page = await renderPartial("chart.html", {
      ...{ id: "log", title: "", description: "", caption: "", marks: "curve" },
      ...{ x: { kind: "log", label: "" }, y: { kind: "zero", label: "" } },
      series: [{ shape: 0, points: xs.map((x) => ({ x, y: 1 })) }],
    });
    const places = page.querySelectorAll("use").map((use) => parseFloat(use.getAttribute("x")!));
    return { ticks: textOf(page, ".tick[text-anchor=middle]"), places };
  };
  assertEquals(await labels(100, 4000), {
    ticks: ["100", "300", "1,000", "3,000"],
    places: [3.7, 96.3],
  });
  assertEquals((await labels(12, 18)).ticks, ["10", "20"]);
  assertEquals((await labels(7)).ticks, ["5", "10"]);
});

Deno.test("a curve has a legend where the ends of its lines lie too close for labels", async () => {
  const series = [1, 1.01].map((y, shape) => ({ shape, points: [{ x: 1, y: 5 }, { x: 2, y }] }));
  const page = await renderPartial("chart.html", {
    ...{ id: "close", title: "", description: "", caption: "", marks: "curve", joined: true },
    ...{ x: { kind: "zero", label: "" }, y: { kind: "zero", label: "" }, series },
    legend: [{ label: "A", shape: 0 }, { label: "B", shape: 1 }, { label: "a floor" }],
  });
  assertEquals(textOf(page, ".end"), []);
  assertEquals(textOf(page, ".legend:not(.narrow) li"), ["A", "B", "a floor"]);
});

Deno.test("a table tells what a cell is sorted by where its text does not", async () => {
  const page = await renderPartial("table.html", {
    ...{ id: "sizes", caption: "Sizes" },
    columns: [{ label: "Name", text: true }, { label: "Size", unit: "B", key: "size" }],
    groups: [{ rows: [{ cells: ["a", { text: "1 kB", value: 1024 }] }, { cells: ["b", ""] }] }],
  });
  assertEquals(page.querySelectorAll("th[data-key]").map((th) => th.getAttribute("data-key")), [
    "size",
  ]);
  assertEquals(page.querySelector("[data-value]")?.getAttribute("data-value"), "1024");
  assertEquals(textOf(page, "td"), ["1 kB", "–absent"]);
});

Deno.test("a table formats the numbers of a column by its unit, zero too, and none where one is absent", async () => {
  const formats = [
    "count",
    "factor",
    "ratio",
    "seconds",
    "milliseconds",
    "microseconds",
    "mebibytes",
  ];
  const cellsOf = async (value: number | null) => {
    const page = await renderPartial("table.html", {
      ...{ id: "units", caption: "Units" },
      columns: [{ label: "Name", text: true }, ...formats.map((format) => ({ label: "", format }))],
      groups: [{ rows: [{ cells: ["a", ...formats.map(() => value)] }] }],
    });
    return textOf(page, "td");
  };
  assertEquals(await cellsOf(1234.5), [
    ...["1,235", "1,234.500", "1,235", "1,235", "1,234,500", "1,234,500,000", "0.00"],
  ]);
  assertEquals(await cellsOf(0), ["0", "0.000", "0.00", "0.00", "0.00", "0.00", "0.00"]);
  assertEquals(await cellsOf(0.0456), ["0", "0.046", "0.05", "0.05", "45.6", "45,600", "0.00"]);
  assertEquals(await cellsOf(null), formats.map(() => "–absent"));
});

Deno.test("a claim's figure that is only a bound has its own unit", async () => {
  const level = { at: "50", unit: "connections", verdict: "tied", because: "" };
  const measured = { estimate: 2.1, low: 2, high: 2.2, qualifier: "at least", runs: 1 };
  const page = await renderPartial("claim-levels.html", {
    because: "",
    levels: ["perSecond", "ratio"].map((unit) => ({ ...level, measured: { ...measured, unit } })),
  });
  assertEquals(textOf(page, "dd"), ["at least 2 per second: tied", "at least 2.000 times: tied"]);
});

Deno.test("an interval that excludes 1 stays on its side of it when it is rounded", async () => {
  const sharesOf = async (low: number, high: number) =>
    textOf(await renderPartial("percent-range.html", { low, high }), "main")[0];
  assertEquals(
    [await sharesOf(1.0002, 1.48), await sharesOf(0.8, 0.9998), await sharesOf(0.9998, 1.0002)],
    ["> 100 % to 148 %", "80.0 % to < 100 %", "100.0 % to 100 %"],
  );
  const intervalOf = async (low: number, high: number) =>
    textOf(await renderPartial("impl-interval.html", { low, high }), "main")[0];
  assertEquals(
    [await intervalOf(1.0002, 1.486), await intervalOf(0.8, 0.9998), await intervalOf(0.9998, 1.1)],
    ["> 1.000 to 1.486", "0.800 to < 1.000", "1.000 to 1.100"],
  );
});

/** Renders one partial of the site with data of its own. */
async function renderPartial(name: string, data: unknown): Promise<HTMLElement> {
  const folder = await Deno.makeTempDir();
  try {
    const signal = new AbortController().signal;
    const hugo = await ensureHugo({ report: silent, signal });
    for (const inner of ["data", "layouts"]) await Deno.mkdir(join(folder, inner));
    await Deno.writeTextFile(join(folder, "data", "given.json"), JSON.stringify(data));
    await Deno.writeTextFile(
      join(folder, "layouts", "home.html"),
      `<main>{{ partial "${name}" hugo.Data.given }}</main>`,
    );
    await Deno.writeTextFile(
      join(folder, "hugo.toml"),
      `disableKinds = ["taxonomy", "term", "rss", "sitemap"]
       [[module.mounts]]
       source = "layouts"
       target = "layouts"
       [[module.mounts]]
       source = ${JSON.stringify(partials)}
       target = "layouts/_partials"
       [[module.mounts]]
       source = "data"
       target = "data"`,
    );
    const logPath = join(folder, "hugo.log");
    const { code } = await runProcess(
      [hugo.path, "--source", folder, "--panicOnWarning", "--noBuildLock"],
      { logPath, signal },
    );
    assertEquals(code, 0, await Deno.readTextFile(logPath));
    return parse(await Deno.readTextFile(join(folder, "public", "index.html")));
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("links show twelve, and fold the others behind how many they are", async () => {
  const itemsOf = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...{ text: `Name ${index}`, href: `/${index}/`, more: index === 13 ? ", tuned" : "" },
      ...index === 0 ? { id: "first", impl: "name", class: "standard" } : {},
    }));
  const few = await renderPartial("links.html", { items: itemsOf(12) });
  assertEquals(textOf(few, "li").length, 12);
  assertEquals(textOf(few, "details"), []);
  const many = await renderPartial("links.html", { items: itemsOf(14) });
  assertEquals(hrefsOf(many), itemsOf(14).map(({ href }) => href));
  assertEquals(textOf(many, "details summary"), ["2 more"]);
  assertEquals(textOf(many, "details li"), ["Name 12", "Name 13, tuned"]);
  assertEquals(many.querySelectorAll("[data-impl]").map(({ attributes }) => attributes), [
    { id: "first", "data-impl": "name", "data-class": "standard" },
  ]);
});

Deno.test("content of more than ten rows is folded behind its summary", async () => {
  const withCount = (count: number) =>
    renderPartial("folded.html", { content: "the table", summary: "Every row", count });
  assertEquals(textOf(await withCount(10), "details"), []);
  assertEquals((await withCount(10)).text.trim(), "the table");
  assertEquals(textOf(await withCount(11), "details > summary"), ["Every row"]);
});

Deno.test("a table that is stacked on a phone has the label and the unit of its column at each figure", async () => {
  const page = await renderPartial("table.html", {
    ...{ id: "stacked", caption: "Stacked", stack: true },
    columns: [{ label: "Connections" }, { label: "Mean", unit: "s, of all" }, { label: "Threads" }],
    groups: [{
      rows: [{ cells: ["10", "1.23", "4"] }, { cells: ["50", { text: "no figure", span: 2 }] }],
    }],
  });
  assertEquals(page.querySelectorAll("tbody th, td").map((cell) => cell.attributes["data-label"]), [
    ...["Connections", "Mean, s", "Threads"],
    ...["Connections", undefined],
  ]);
});

Deno.test("a chart is folded behind a word, its finding in sight", async () => {
  const page = await renderPartial("chart.html", {
    ...{ id: "folded", title: "A finding", description: "", caption: "A caption", marks: "dots" },
    ...{ axis: "ms", groups: [{ points: [{ label: "A", text: "1 ms", shape: 0, value: 1 }] }] },
    fold: "The chart",
  });
  assertEquals(textOf(page, ".chart > h2"), ["A finding"]);
  assertEquals(textOf(page, ".fold > summary"), ["The chart"]);
  assertEquals(page.querySelectorAll(".fold svg").length, 1);
  assertMatch(textOf(page, ".fold").join(), /A caption$/);
});
