/** Pages of scenarios without levels in a browser: they fit a phone and break no rule, and two runs stand beside each other. */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { serveSite } from "../../bench/testing/browser_server.ts";
import { inspectPage, openTab } from "../../bench/testing/browser_tab.ts";
import { exampleBursts } from "../../bench/testing/example_bursts.ts";
import { exampleDeliveries } from "../../bench/testing/example_deliveries.ts";
import { basePath, siteOf } from "../../bench/testing/site.ts";

const bursts = ["20260104T000000Z-0000004", "20260105T000000Z-0000005"] as const;
const deliveries = ["20260106T000000Z-0000006", "20260107T000000Z-0000007"] as const;
const comparisons = [
  {
    query: `?run-a=${bursts[1]}&impl-a=queueing&run-b=${bursts[0]}&impl-b=steady`,
    group: "10,000 users, 1 s",
    first: ["First", "8,282", "17.2 % (16.8 %–17.6 %)", "21.2 (21.1–21.3)"],
    rows: 2 * 4,
    reason: "30,000 users need 30,256 descriptors, the limit is 20,000",
  },
  {
    query: `?run-a=${deliveries[1]}&impl-a=pooled&run-b=${deliveries[0]}&impl-b=doubling`,
    group: "1,600 users, 2,667 a second",
    first: ["First", "160,020", "40,020 (25.0 %)", "2,000"],
    rows: 2 * 2,
    reason: "POST /notify/1 led to 2 calls of it, expected one",
  },
];

/** Of the narrowest phone, a phone, and a desk. */
const widths = [320, 390, 1440];

/** Tables that scroll sideways: their captions. */
const tooWide = `[...document.querySelectorAll(".scroll")]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map((table) => table.querySelector("caption").textContent)`;

Deno.test("pages of scenarios without levels are sound in a browser", async (t) => {
  const site = await siteOf({
    runs: [...bursts.flatMap(exampleBursts), ...deliveries.flatMap(exampleDeliveries)],
  });
  await using browser = await launchBrowser();
  await using served = serveSite(site.folder, basePath);
  const urlOf = (page: string) => `${served.origin}${basePath}${page}`;
  await using tab = await openTab(browser, served.origin);

  for (const { query, group, first, rows, reason } of comparisons) {
    await t.step(`any two beside each other: ${query}`, async () => {
      assertEquals(await inspectPage(tab, urlOf(`compare/${query}`)), []);
      const result = tab.page.locator("#compare-result");
      await result.waitFor({ state: "visible" });
      const body = result.locator("tbody").filter({
        has: tab.page.getByText(group, { exact: true }),
      });
      assertEquals(
        (await body.locator("tr:not(.group)").first().locator("th, td").allInnerTexts()).slice(
          0,
          4,
        ),
        first,
      );
      assertEquals(await result.locator("tbody tr:not(.group)").count(), rows);
      assert(await body.locator("td[data-label='Memory, MiB']").count() > 0);
      assert(await result.locator("td.reason").filter({ hasText: reason }).count() > 0);
      assertStringIncludes(await result.innerText(), "there is no verdict");
      assertEquals(await result.innerText().then((text) => /NaN|undefined/.test(text)), false);
      for (const width of widths) {
        await tab.page.setViewportSize({ width, height: 900 });
        assertEquals(await tab.page.evaluate(tooWide), [], `at ${width} px`);
      }
    });
  }

  await t.step("their own pages", async () => {
    const pages = [
      ...[
        `runs/${bursts[1]}/`,
        `compare/${bursts[1]}/`,
        "compare/delay/queueing-or-steady/",
        "impls/queueing/delay/",
        "scenarios/delay/",
      ],
      ...[`compare/${deliveries[1]}/`, "compare/notify/pooled-or-steady/", "impls/pooled/notify/"],
      ...["scenarios/notify/", "impls/"],
    ];
    const problems: string[] = [];
    for (const page of pages) {
      problems.push(...await inspectPage(tab, urlOf(page)));
      // The list of implementations has a column for every figure of every scenario.
      if (page !== "impls/") assertEquals(await tab.page.evaluate(tooWide), [], page);
    }
    assertEquals(problems, []);
  });
});
