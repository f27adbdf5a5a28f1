/**
 * Where paper ends a page, in a browser. Columns as wide and as high as a page are filled by the same rules as pages,
 * and unlike pages they tell a script where each part is.
 */
import { assert, assertEquals } from "@std/assert";
import { z } from "zod";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { samplePages, serveExample, servePublished } from "../../bench/testing/browser_site.ts";
import { openTab } from "../../bench/testing/browser_tab.ts";

/** A page of A4 within the margins of a browser, in CSS pixels. */
const paper = { width: 718, height: 1047 };

const paginate = `void Object.assign(document.querySelector("main").style, {
  padding: "0", width: "${paper.width}px", height: "${paper.height}px",
  columns: "auto ${paper.width}px", columnGap: "0", columnFill: "auto",
})`;

/** How many pages there are, and each heading that is on two of them, or on another than what follows it. */
const tornHeadings = `(() => {
  const main = document.querySelector("main");
  const start = main.getBoundingClientRect().left;
  const pagesOf = (node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1)
      .map(({ left, width }) => Math.floor((left + width / 2 - start) / ${paper.width}));
  };
  const texts = [];
  const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    if (walker.currentNode.data.trim() !== "") texts.push(walker.currentNode);
  }
  let place = 0;
  const pageAfter = (heading) => {
    const isAfter = (text) => !heading.contains(text) &&
      heading.compareDocumentPosition(text) & Node.DOCUMENT_POSITION_FOLLOWING;
    while (place < texts.length && !isAfter(texts[place])) place++;
    for (const text of texts.slice(place, place + 100)) {
      const [page] = pagesOf(text);
      if (page !== undefined) return page;
    }
  };
  const torn = [];
  for (const heading of main.querySelectorAll("h1, h2, h3, summary, caption, thead, .group")) {
    const pages = pagesOf(heading);
    // The head of a table is on each page that has rows of it.
    const own = heading.matches("thead") ? pages.slice(0, 1) : pages;
    const next = pageAfter(heading);
    if (own.length === 0 || next === undefined) continue;
    if (own.some((page) => page !== next)) torn.push(heading.textContent.trim());
  }
  return { torn, pages: Math.round(main.scrollWidth / ${paper.width}) };
})()`;

const onPaper = z.object({ torn: z.array(z.string()), pages: z.number() });

for (const [name, serve] of [["made-up", serveExample], ["published", servePublished]] as const) {
  Deno.test(`no heading of ${name} runs is torn from what it is of on paper`, async () => {
    await using browser = await launchBrowser();
    await using served = await serve();
    await using tab = await openTab(browser, served.origin, { viewport: paper });
    await tab.page.emulateMedia({ media: "print" });
    let most = 0;
    for (const page of samplePages(served.pages)) {
      await tab.page.goto(served.urlOf(page));
      await tab.page.evaluate(paginate);
      const { torn, pages } = onPaper.parse(await tab.page.evaluate(tornHeadings));
      assertEquals(torn, [], page);
      most = Math.max(most, pages);
    }
    assert(most > 3, `the longest has ${most} pages`);
  });
}
