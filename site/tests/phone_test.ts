/** Tables on a phone and on a desk, in a browser: what a reader comes for fits on the screen, without a scroll to the side. */
import { assertEquals } from "@std/assert";
import { z } from "zod";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { serveSite } from "../../bench/testing/browser_server.ts";
import { servePublished } from "../../bench/testing/browser_site.ts";
import {
  axeProblems,
  openFolds,
  openTab,
  type Tab,
  widthProblems,
} from "../../bench/testing/browser_tab.ts";
import { exampleBursts } from "../../bench/testing/example_bursts.ts";
import { exampleDeliveries } from "../../bench/testing/example_deliveries.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { basePath, siteOf } from "../../bench/testing/site.ts";

const runs = [
  { id: "bursts", runId: "20260104T000000Z-0000004", figureCount: 10 },
  { id: "deliveries", runId: "20260105T000000Z-0000005", figureCount: 11 },
] as const;

/** The ids of the captions of tables that scroll to the side. */
const wideTables =
  `[...document.querySelectorAll(".scroll")].filter((place) => place.scrollWidth > place.clientWidth)
  .map((place) => place.querySelector("caption").id)`;

async function wideTablesOf({ page }: Tab): Promise<string[]> {
  return z.array(z.string()).parse(await page.evaluate(wideTables));
}

Deno.test("on a phone, a table is no wider than the screen", async (t) => {
  const site = await siteOf({
    runs: [
      ...exampleBursts(runs[0].runId),
      ...exampleDeliveries(runs[1].runId),
      ...exampleRun("20260106T000000Z-0000006"),
    ],
  });
  await using served = serveSite(site.folder, basePath);
  await using browser = await launchBrowser();
  for (const width of [320, 390]) {
    await using tab = await openTab(browser, served.origin, { viewport: { width, height: 800 } });
    const open = async (path: string) => {
      await tab.page.goto(`${served.origin}${basePath}${path}`);
      await openFolds(tab.page);
      assertEquals(await widthProblems(tab.page), []);
    };

    for (const { id, runId, figureCount } of runs) {
      await t.step(`of ${id} in a run, at ${width} px`, async () => {
        await open(`runs/${runId}/`);
        assertEquals((await wideTablesOf(tab)).includes(id), false);
        const rows = tab.page.locator(`table:has(#${id}) tbody tr`);
        // Nothing is left out: a figure has its column's label instead of a heading.
        const figures = rows.filter({ hasText: "Steady" }).first().locator("td");
        assertEquals(await figures.filter({ visible: true }).count(), figureCount);
      });
    }

    await t.step(`of implementations and their scenarios, at ${width} px`, async () => {
      await open("impls/");
      assertEquals(await wideTablesOf(tab), []);
      const [versions, figures] = ["impl-versions", "impls"].map((id) =>
        tab.page.locator(`table:has(#${id}) tbody tr`).filter({ hasText: "Swift" })
      );
      for (const [row, text] of [[versions, "jwt-mysql"], [figures, "a"]] as const) {
        assertEquals(await row!.locator("th").filter({ visible: true }).count(), 1);
        assertEquals(await row!.getByText(text, { exact: true }).isVisible(), true);
      }
      await open("impls/steady/delay/");
      assertEquals((await wideTablesOf(tab)).includes("impl-scenarios"), false);
      for (const scenario of ["jwt-mysql", "delay", "notify"]) {
        await open(`scenarios/${scenario}/`);
        assertEquals(await wideTablesOf(tab), [], scenario);
      }
    });

    await t.step(`which a choice sorts in place of the headers, at ${width} px`, async () => {
      await open("impls/");
      const { page } = tab;
      const namesOf = async () =>
        (await page.locator("table:has(#impls) tbody th[scope=row]").allInnerTexts())
          .map((name) => name.trim());
      assertEquals(await namesOf(), ["Swift", "Even", "Freezing", "Tweaked"]);
      const choice = page.getByLabel("Sort by, in the table: jwt-mysql");
      await choice.selectOption("Implementation: A to Z");
      assertEquals(await namesOf(), ["Even", "Freezing", "Swift", "Tweaked"]);
      assertEquals(new URL(page.url()).search, "?sort.impls=name.asc");
      await page.reload();
      await openFolds(page);
      assertEquals(await choice.inputValue(), "0.asc");
      assertEquals([...await widthProblems(page), ...await axeProblems(page)], []);
      await choice.selectOption("as published");
      assertEquals(await namesOf(), ["Swift", "Even", "Freezing", "Tweaked"]);
      assertEquals(new URL(page.url()).search, "");
    });
  }
});

Deno.test("on a desk, the list of implementations as published is no wider than its place", async () => {
  await using browser = await launchBrowser();
  await using served = await servePublished();
  const viewport = { width: 1440, height: 900 };
  await using tab = await openTab(browser, served.origin, { viewport });
  await tab.page.goto(served.urlOf("impls/index.html"));
  await openFolds(tab.page);
  assertEquals(await wideTablesOf(tab), []);
  assertEquals(await tab.page.locator(".sort").filter({ visible: true }).count(), 0);
});
