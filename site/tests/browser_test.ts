import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { z } from "zod";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { samplePages, serveExample, servePublished } from "../../bench/testing/browser_site.ts";
import { inspectPage, openTab, type Tab, widthProblems } from "../../bench/testing/browser_tab.ts";

/** What only a script can use, and only a script makes. */
const controls = ".filter, .sort, .readout, .copy";

/** A page of A4 within the margins of a browser, in CSS pixels. */
const paper = { width: 718, height: 1047 };

for (const [name, serve] of [["made-up", serveExample], ["published", servePublished]] as const) {
  Deno.test(`the site of ${name} runs is sound in a browser`, async (t) => {
    await using browser = await launchBrowser();
    await using served = await serve();
    const { origin, urlOf } = served;
    const newest = samplePages(served.pages);
    // Besides, every made-up run and implementation, hostile ones among them.
    const pages = name === "published"
      ? newest
      : served.pages.filter((page) => newest.includes(page) || /^(?:runs|impls)\//.test(page));

    await t.step("on a phone and on a desk, in light and in dark", async () => {
      const left = [...pages];
      const problems: string[] = [];
      // A tab has a process of its own: with two, the second processor has something to do.
      await Promise.all(["one", "two"].map(async () => {
        await using tab = await openTab(browser, origin);
        for (let page = left.pop(); page !== undefined; page = left.pop()) {
          // The published site is made by the same templates and style sheets.
          const isThorough = name === "made-up" && newest.includes(page);
          problems.push(...await inspectPage(tab, urlOf(page), { isThorough }));
        }
      }));
      assertEquals(problems, []);
    });

    // What follows is a matter of the templates, scripts and style sheets, which are the same for both.
    if (name === "published") return;

    await t.step("without JavaScript, which adds controls and no content", async () => {
      const viewport = { width: 320, height: 640 };
      await using without = await openTab(browser, origin, { javaScriptEnabled: false, viewport });
      await using withScripts = await openTab(browser, origin, { viewport });
      // Made from what the reader chooses; what is there without a script has a test of its own.
      for (const page of newest.filter((page) => page !== "compare/index.html")) {
        assertEquals(await wordsOf(without, urlOf(page)), await wordsOf(withScripts, urlOf(page)));
        assertEquals([...await widthProblems(without.page), ...without.takeProblems()], []);
      }
      for (const link of await without.page.locator("header nav a").all()) {
        assert(await link.isVisible(), `${link} is hidden on a phone`);
      }
    });

    await t.step("with the keyboard, which always shows where it is", async () => {
      await using tab = await openTab(browser, origin);
      const { page } = tab;
      await page.goto(urlOf("index.html"));
      const stops = await page.locator("a, button, input, [tabindex='0']").filter({ visible: true })
        .count();
      for (let stop = 1; stop <= stops; stop++) {
        await page.keyboard.press("Tab");
        const { element, outline, reached } = focusSchema.parse(await page.evaluate(focused));
        assertNotEquals(outline, "none", `no outline around ${element}`);
        assertEquals(reached, stop, `${element} is reached twice`);
      }
    });

    await t.step("on paper, where there is nothing to click", async () => {
      await using tab = await openTab(browser, origin, { colorScheme: "dark", viewport: paper });
      await tab.page.emulateMedia({ media: "print" });
      for (const page of newest) {
        await tab.page.goto(urlOf(page));
        assertEquals(await widthProblems(tab.page), [], `${page} is wider than paper`);
        for (const part of await tab.page.locator(`nav, form, ${controls}`).all()) {
          assertEquals(await part.isVisible(), false, `${page} prints ${part}`);
        }
        assertEquals(await tab.page.evaluate(foldedParts), [], `${page} leaves out`);
      }
    });

    await t.step("without motion, where that is asked for", async () => {
      await using tab = await openTab(browser, origin, { reducedMotion: "reduce" });
      for (const page of newest) {
        await tab.page.goto(urlOf(page));
        assertEquals(await tab.page.evaluate(movingParts), [], page);
      }
    });
  });
}

const focusSchema = z.object({ element: z.string(), outline: z.string(), reached: z.number() });
const focused = `({
  element: document.activeElement.outerHTML,
  outline: getComputedStyle(document.activeElement).outlineStyle,
  reached: (window.reached ??= new Set()).add(document.activeElement).size,
})`;

async function wordsOf({ page }: Tab, url: string): Promise<string[]> {
  await page.goto(url);
  const text = await page.evaluate(`{
    for (const control of document.querySelectorAll(${JSON.stringify(controls)})) control.remove();
    document.querySelector("main").innerText;
  }`);
  return z.string().parse(text).split(/\s+/);
}

/** What is folded away on paper; forms and buttons that copy are not for paper. */
const foldedParts =
  `[...document.querySelectorAll("details > :not(summary, form, ${controls})")].filter((part) =>
  !part.checkVisibility({ contentVisibilityAuto: true }) || part.getBoundingClientRect().height === 0
).map((part) => part.outerHTML.slice(0, 200))`;

const movingParts = `[...document.querySelectorAll("*")].filter((element) =>
  ["", "::before", "::after"].some((part) => {
    const style = getComputedStyle(element, part);
    const lasts = (durations) => durations.split(",").some((duration) => parseFloat(duration) > 0.001);
    return lasts(style.transitionDuration) || style.scrollBehavior === "smooth" ||
      (style.animationName !== "none" && lasts(style.animationDuration));
  })
).map((element) => element.outerHTML)`;
