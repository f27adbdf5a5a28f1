/** How long pages are, in a browser. */
import { assert } from "@std/assert";
import { z } from "zod";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { servePublished } from "../../bench/testing/browser_site.ts";
import { openTab, viewports } from "../../bench/testing/browser_tab.ts";

/** A third of what the page of a run took before it folded what comes second, in CSS pixels. */
const most = 17_000 / 3;

Deno.test("the page of a published run is short on a desk: what comes second is folded", async () => {
  await using browser = await launchBrowser();
  await using served = await servePublished();
  await using tab = await openTab(browser, served.origin, { viewport: viewports[1]! });
  const runs = served.pages.filter((page) => /^runs\/.+\/index\.html$/.test(page));
  assert(runs.length > 0);
  for (const page of runs) {
    await tab.page.goto(served.urlOf(page));
    const height = z.number().parse(
      await tab.page.evaluate("document.documentElement.scrollHeight"),
    );
    assert(height <= most, `${page} is ${height} px long`);
  }
});
