import { assert, assertEquals } from "@std/assert";
import { basename, join } from "@std/path";
import { sum } from "../../bench/lib/sum.ts";
import { brokenLinks, fileOf, hrefsOf } from "../../bench/testing/pages.ts";
import { basePath, listFiles, published, siteOf } from "../../bench/testing/site.ts";

/** In bytes, as served without compression. */
const limits = { home: 100_000, page: 300_000 };

Deno.test("the site as it is published", async (t) => {
  const site = await siteOf(published);
  const pages = await site.files(".html");
  assert(pages.includes("index.html"));

  await t.step("leads nowhere where nothing is", async () => {
    assertEquals(await brokenLinks(site), []);
  });

  await t.step("is light: the home page with all that it loads, and every page", async () => {
    const sizes = new Map<string, number>();
    for (const page of pages) {
      const loaded = (await site.page(page))
        .querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src], img[src]")
        .map(({ attributes }) => fileOf(attributes.href ?? attributes.src ?? ""));
      const each = await Promise.all(
        [page, ...loaded].map(async (file) => (await Deno.stat(join(site.folder, file))).size),
      );
      sizes.set(page, sum(each));
    }
    const heavy = [...sizes].filter(([page, size]) =>
      size > (page === "index.html" ? limits.home : limits.page)
    );
    assertEquals(heavy, []);
  });

  await t.step("has one first heading on each page, and skips no level below it", async () => {
    for (const page of pages) {
      const levels = (await site.page(page)).querySelectorAll("h1, h2, h3, h4, h5, h6")
        .map(({ rawTagName }) => Number(rawTagName.slice(1)));
      assertEquals(levels.filter((level) => level === 1), [1], page);
      for (const [index, level] of levels.entries()) {
        assert(level <= (levels[index - 1] ?? 0) + 1, `${page}: headings ${levels}`);
      }
    }
  });

  await t.step("has a page for every implementation, which the list leads to", async () => {
    const hrefs = hrefsOf(await site.page("impls/index.html"));
    for (const path of await listFiles(published.runs)) {
      const [id] = basename(path, ".json").split(".");
      // Those that do not do the default scenario have pages of others only.
      const href = hrefs.find((href) => href.startsWith(`${basePath}impls/${id}/`));
      assert(href !== undefined && pages.includes(`${href.slice(basePath.length)}index.html`), id);
    }
  });
});
