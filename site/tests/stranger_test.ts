import { assert, assertEquals } from "@std/assert";
import { fromFileUrl, join } from "@std/path";
import { z } from "zod";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { servePublished } from "../../bench/testing/browser_site.ts";
import { openTab } from "../../bench/testing/browser_tab.ts";

/** Where what a stranger sees first is kept, for people to look at; CI uploads it. */
const folder = fromFileUrl(new URL("../../.bench/first-screens", import.meta.url));

const screens = [{ width: 390, height: 844 }, { width: 1440, height: 900 }];

/** What has to stand above the fold: question, answer, every row of the chart, its axis, and how sure. */
const parts = {
  question: ".question",
  answer: ".verdict",
  chart: ".answer-rows:first-of-type .answer-row",
  axis: ".answer-axis",
  "how sure": ".facts a[href$='noise/']",
};

const placesSchema = z.array(z.object({ top: z.number(), bottom: z.number(), text: z.string() }));

Deno.test("a stranger sees question, answer, chart and how sure on the first screen", async (t) => {
  await using browser = await launchBrowser();
  await using served = await servePublished();
  await Deno.mkdir(folder, { recursive: true });
  for (const viewport of screens) {
    for (const colorScheme of ["light", "dark"] as const) {
      const name = `${viewport.width}x${viewport.height}-${colorScheme}`;
      await t.step(`at ${name}`, async () => {
        await using tab = await openTab(browser, served.origin, { viewport, colorScheme });
        await tab.page.goto(served.urlOf("index.html"));
        await tab.page.screenshot({ path: join(folder, `${name}.png`) });
        for (const [part, selector] of Object.entries(parts)) {
          const places = placesSchema.parse(
            await tab.page.evaluate(`[...document.querySelectorAll(${JSON.stringify(selector)})]
              .map((it) => ({ ...it.getBoundingClientRect().toJSON(), text: it.textContent.trim() }))`),
          );
          assert(places.length > 0, `${part} is missing`);
          const below = places.filter(({ top, bottom }) => top < 0 || bottom > viewport.height);
          assertEquals(below, [], `${part} is below the fold`);
        }
        assertEquals(tab.takeProblems(), []);
      });
    }
  }
});
