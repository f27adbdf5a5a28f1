/** What every page shares: its head, navigation, tables and charts; and what their script does without a browser. */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { type HTMLElement, parse } from "node-html-parser";
import { exampleRun } from "./example_run.ts";
import { runProcess } from "./process.ts";
import { silent } from "./report.ts";
import { basePath, buildSite, makeData, textOf } from "./site_testing.ts";
import { ensureHugo } from "./tools.ts";
import { columnKeys, hasWords, orderOf, parseSort, sortValue } from "../site/assets/table_order.js";

const site = fromFileUrl(new URL("../site", import.meta.url));

Deno.test("every page has the same shell", async (t) => {
  const runId = "20260105T000000Z-0000005";
  await using data = await makeData({ results: exampleRun(runId) });
  await using built = await buildSite(data);
  const paths = await built.files(".html");
  const run = await built.page(`runs/${runId}/index.html`);

  await t.step("with a title, a description and its own address", async () => {
    for (const path of paths) {
      const page = await built.page(path);
      assertEquals(page.querySelector("html")?.getAttribute("lang"), "en");
      assertMatch(textOf(page, "title").join(), /Backbench/, path);
      assertEquals(page.querySelectorAll('meta[name="description"][content]').length, 1, path);
      assertEquals(textOf(page, "h1").length, 1, path);
      const canonical = page.querySelector('link[rel="canonical"]')?.getAttribute("href");
      const address = `https://example.org${basePath}${path.replace(/index\.html$/, "")}`;
      assertEquals(canonical, path === "404.html" ? undefined : address);
    }
  });

  await t.step("with nothing inline, and a policy that would refuse it", async () => {
    for (const path of paths) {
      const page = await built.page(path);
      assertEquals(textOf(page, "style, script:not([src]), [style]"), [], path);
      for (const { attributes } of page.querySelectorAll("*")) {
        assertEquals(Object.keys(attributes).filter((name) => name.startsWith("on")), [], path);
      }
      const policy = page.querySelector('meta[http-equiv="Content-Security-Policy"]')!
        .getAttribute("content")!;
      assertMatch(policy, /default-src 'none'/);
      assert(!policy.includes("unsafe"), policy);
    }
  });

  await t.step(
    "with a style and a script that are small and are what the page expects",
    async () => {
      const limits = { css: 15_000, js: 15_000 };
      for (const [end, limit] of Object.entries(limits)) {
        const [path = "", ...others] = await built.files(`.${end}`);
        assertEquals(others, []);
        const bytes = await Deno.readFile(join(built.folder, path));
        assert(bytes.length < limit, `${path} has ${bytes.length} bytes`);
        const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toBase64();
        const element = run.querySelector(
          `link[href="${basePath}${path}"], script[src="${basePath}${path}"]`,
        );
        assertEquals(element?.getAttribute("integrity"), `sha256-${hash}`);
      }
    },
  );

  await t.step("with navigation that tells where the reader is", async () => {
    const current = async (path: string) =>
      (await built.page(path)).querySelectorAll("[aria-current]")
        .map((link) => [link.text, link.getAttribute("aria-current")]);
    assertEquals(await current("index.html"), [["Backbench", "page"]]);
    assertEquals(await current("runs/index.html"), [["Runs", "page"]]);
    assertEquals(await current(`runs/${runId}/index.html`), [["Runs", "true"]]);
    assertEquals(await current("method/index.html"), [["Method", "page"]]);
    assertEquals(await current("404.html"), []);
  });

  await t.step("with tables whose numbers and labels can be told apart", () => {
    const table = run.getElementById("overview")!.closest("table")!;
    const numbers = table.querySelectorAll("thead th").map((th) => th.classList.contains("number"));
    assertEquals(numbers, [false, true, true, true, true, true, true]);
    for (const row of table.querySelectorAll("tbody tr:not(.group)")) {
      assertEquals(row.querySelectorAll("th").length, 1);
      assertEquals(row.querySelectorAll("td:not([class])").length, row.childNodes.length - 1);
    }
  });

  await t.step("with charts whose every mark has a shape, and figures to be read out", async () => {
    for (const path of paths) {
      const page = await built.page(path);
      for (const chart of page.querySelectorAll(".chart")) {
        for (const use of chart.querySelectorAll("use")) {
          assert(chart.querySelector(use.getAttribute("href")!), `${path}: ${use.outerHTML}`);
          assertEquals(textOf(use.closest(":has(> title)")!, "title").length, 1);
        }
        const svg = chart.querySelector("svg[role=img]")!;
        assertEquals(svg.getAttribute("aria-labelledby"), chart.querySelector("h2")!.id);
        assertMatch(
          textOf(chart, `#${svg.getAttribute("aria-describedby")}`).join(),
          /table below/,
        );
      }
    }
    const titles = textOf(run.getElementById("compared-title")!.closest("figure")!, "g > title");
    assertMatch(titles[0]!, /^\w+, 10 connections: [\d.]+, interval [\d.]+ to [\d.]+$/);
  });
});

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
  assertEquals((await labels("2026-06-01T12:00Z", "2026-06-01T12:00Z")).length, 4);
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

Deno.test("text and marks stand out from what is behind them, in both schemes", async () => {
  const css = await Deno.readTextFile(join(site, "assets", "site.css"));
  const colours = new Map(
    [...css.matchAll(/--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)/g)]
      .map(([, name = "", light = "", dark = ""]) => [name, [light, dark] as const]),
  );
  const texts = [...colours.keys()].filter((name) =>
    /^(text|quiet|link|warn|series-\d)$/.test(name)
  );
  assertEquals(texts.length, 10);
  for (const text of texts) {
    for (const behind of ["page", "panel"]) {
      for (const scheme of [0, 1] as const) {
        const ratio = contrast(colours.get(text)![scheme], colours.get(behind)![scheme]);
        assert(ratio >= 4.5, `${text} on ${behind}: ${ratio}`);
      }
    }
  }
  assertAlmostEquals(contrast("#000000", "#ffffff"), 21, 1e-9);
});

Deno.test("sortValue() reads the first number of a cell, and nothing from one without", () => {
  assertEquals(sortValue("at least 12,345", true), 12345);
  assertEquals(sortValue("1.234 to 1.500", true), 1.234);
  assertEquals(sortValue("-0.5 %", true), -0.5);
  assertEquals(sortValue("–absent", true), undefined);
  assertEquals(sortValue("not measured", true), undefined);
  assertEquals(sortValue(" 20260105T000000Z ", false), "20260105T000000Z");
});

Deno.test("orderOf() puts what is absent last in either direction, and keeps ties in order", () => {
  const values = [2, undefined, 10, 2];
  assertEquals(orderOf(values, "asc"), [0, 3, 2, 1]);
  assertEquals(orderOf(values, "desc"), [2, 0, 3, 1]);
  assertEquals(orderOf(["b", "a10", "a9", "A1"], "asc"), [3, 2, 1, 0]);
});

Deno.test("parseSort() finds the column that the address names, by its key or its label", () => {
  const keys = columnKeys([
    { label: "Implementation " },
    { label: "CPU ", unit: "s" },
    { label: "CPU ", unit: "µs/answer" },
    { label: "p99.9", key: "p999" },
  ]);
  assertEquals(keys, ["implementation", "cpu-s", "cpu-µs-answer", "p999"]);
  assertEquals(parseSort("cpu-s.desc", keys), { column: 1, direction: "desc" });
  for (const text of ["", "cpu-s", "cpu-s.up", "other.asc"]) {
    assertEquals(parseSort(text, keys), undefined);
  }
});

Deno.test("hasWords() wants every word, in any case and order", () => {
  assert(hasWords("Rust, Actix Web", "web RUST"));
  assert(!hasWords("Rust, Actix Web", "rust deno"));
  assert(hasWords("Rust", ""));
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
       source = ${JSON.stringify(join(site, "layouts", "_partials"))}
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

/** The contrast ratio of WCAG 2.2, of two colours as #rrggbb. */
function contrast(a: string, b: string): number {
  const [high = 0, low = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
