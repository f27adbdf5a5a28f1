import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { textOf } from "../../bench/testing/pages.ts";
import { basePath, example, exampleRunId, siteOf } from "../../bench/testing/site.ts";

const site = fromFileUrl(new URL("..", import.meta.url));

Deno.test("every page has the same shell", async (t) => {
  const runId = exampleRunId;
  const built = await siteOf(example);
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
      for (const pattern of [/^style\..*\.css$/, /^site\..*\.js$/]) {
        const [path = "", ...others] = (await built.files("")).filter((path) => pattern.test(path));
        assertEquals(others, []);
        const bytes = await Deno.readFile(join(built.folder, path));
        assert(bytes.length < 15_000, `${path} has ${bytes.length} bytes`);
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
      (await built.page(path)).querySelectorAll("header [aria-current]")
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
    assertEquals(numbers, [false, true, true, true, true, true, true, true]);
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
          const own = textOf(use, "title");
          assertEquals(own.length === 0 ? textOf(use.parentNode!, "title").length : 1, 1);
        }
        const svg = chart.querySelector("svg[role=img]")!;
        assertEquals(svg.getAttribute("aria-labelledby"), chart.querySelector("h2")!.id);
        assertMatch(
          textOf(chart, `#${svg.getAttribute("aria-describedby")}`).join(),
          /table (of \w+ )?below/,
        );
      }
    }
    const titles = textOf(run.getElementById("compared-title")!.closest("figure")!, "g > title");
    assertMatch(titles[0]!, /^\w+; 10 connections: [\d.]+, interval [\d.]+ to [\d.]+$/);
  });
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
