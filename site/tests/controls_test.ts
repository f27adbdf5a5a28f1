import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { z } from "zod";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { exampleRunIds, serveExample } from "../../bench/testing/browser_site.ts";
import { axeProblems, openFolds, openTab, viewports } from "../../bench/testing/browser_tab.ts";

Deno.test("what the scripts of the site add", async (t) => {
  await using browser = await launchBrowser();
  await using served = await serveExample();
  await using tab = await openTab(browser, served.origin, {
    viewport: viewports[1]!,
    hasTouch: true,
  });
  const { page } = tab;
  const run = served.urlOf(`runs/${exampleRunIds[1]}/index.html`);
  const table = (id: string) => page.locator(`table:has(caption#${id})`);

  await t.step(
    "every column of every table sorts, each group in itself, what is absent last",
    async () => {
      await page.goto(run);
      const ids = z.array(z.string()).parse(
        await page.evaluate(
          `[...document.querySelectorAll("table:has(th button) caption")].map(({ id }) => id)`,
        ),
      );
      assert(ids.includes("overview") && ids.includes("steps"), `only ${ids} sort`);
      for (const id of ids) {
        const published = await readTable(page, id);
        for (const [column, { isNumber }] of published.headers.entries()) {
          const directions = isNumber ? ["descending", "ascending"] : ["ascending", "descending"];
          for (const direction of directions) {
            await page.evaluate(`${buttonsOf(id)}[${column}].click()`);
            const sorted = await readTable(page, id);
            const label = `column ${column} of ${id}, ${direction}`;
            assertEquals(
              sorted.headers.map(({ sort }) => sort),
              published.headers.map((_, index) => index === column ? direction : null),
              label,
            );
            for (const [index, group] of sorted.groups.entries()) {
              assertEquals(group.toSorted(), published.groups[index]!.toSorted(), label);
              assertSorted(group.map((row) => row[column] ?? null), isNumber, direction, label);
            }
          }
          await page.evaluate(`${buttonsOf(id)}[${column}].click()`);
          assertEquals(
            await readTable(page, id),
            published,
            `column ${column} of ${id} sorts back`,
          );
        }
      }
      assertEquals(new URL(page.url()).search, "");
    },
  );

  await t.step("a header is a button, for a pointer and for keys", async () => {
    await page.goto(`${run}#steps`);
    const before = await readTable(page, "steps");
    const header = table("steps").locator("th", { has: page.locator("button") }).first();
    const button = header.locator("button");
    await button.click();
    assertEquals(await header.getAttribute("aria-sort"), "descending");
    const clicked = await readTable(page, "steps");
    assertNotEquals(clicked.groups, before.groups);
    await page.goto(run);
    await openFolds(page);
    await button.focus();
    await page.keyboard.press("Enter");
    assertEquals(await readTable(page, "steps"), clicked);
    await page.keyboard.press("Space");
    assertEquals(await header.getAttribute("aria-sort"), "ascending");
  });

  await t.step("a field filters a long table by its words, and says how much is left", async () => {
    await page.goto(`${run}#steps`);
    const filter = filterOf(page, "steps");
    const rows = table("steps").locator("tbody tr:not(.group)").filter({ visible: true });
    const all = await rows.count();
    await filter.field.fill("swift");
    const some = await rows.count();
    assert(some > 0 && some < all, `${some} of ${all}`);
    assertMatch(await filter.status.innerText(), new RegExp(`^${some} of ${all} rows$`));
    const groups = table("steps").locator("tbody .group").filter({ visible: true });
    assertMatch((await groups.allInnerTexts()).join(), /^Swift: [^:]*$/);
    await filter.field.fill("no such word");
    assertEquals([await rows.count(), await filter.status.innerText()], [0, `0 of ${all} rows`]);
    await filter.field.fill("");
    assertEquals([await rows.count(), await filter.status.innerText()], [all, ""]);
    assertEquals(
      await filterOf(page, "overview").field.count(),
      0,
      "a short table needs no filter",
    );
  });

  await t.step("an address restores how tables were sorted and filtered", async () => {
    await page.goto(run);
    await page.goto(`${run}#steps`);
    await openFolds(page);
    await filterOf(page, "steps").field.fill("even");
    await table("steps").locator("th button").nth(1).click();
    await table("overview").locator("th button").first().click();
    const left = [await readTable(page, "steps"), await readTable(page, "overview")];
    const address = page.url();
    assertEquals(new URL(address).hash, "#steps");
    await page.goto(served.urlOf("index.html"));
    await page.goto(address);
    for (const id of ["steps", "overview"]) assert(await table(id).isVisible(), `${id} is folded`);
    assertEquals([await readTable(page, "steps"), await readTable(page, "overview")], left);
    assertEquals(await filterOf(page, "steps").field.inputValue(), "even");
    await page.goto(`${run}?sort.steps=nonsense.desc&sort.none=a.asc&filter.steps=`);
    assertEquals(
      await readTable(page, "steps").then(({ headers }) =>
        headers.filter(({ sort }) => sort !== null)
      ),
      [],
    );
  });

  await t.step(
    "a chart reads its marks out, for a pointer, for a finger and for keys",
    async () => {
      await page.goto(run);
      await openFolds(page);
      for (const figure of await page.locator("figure.chart").all()) {
        const svg = figure.locator("> svg");
        const readout = figure.locator(".readout");
        const titles = await svg.locator("title").allTextContents();
        assert(titles.length > 1);
        await svg.focus();
        for (const title of [titles[0]!, titles[1]!]) {
          await page.keyboard.press("ArrowRight");
          assertEquals(await readout.innerText(), title);
        }
        const hint = await leave(page, readout);
        assert(!titles.includes(hint));
        const mark = svg.locator("use").last();
        for (const reach of [() => mark.hover(), () => mark.tap()]) {
          await reach();
          assert(titles.includes(await readout.innerText()));
          assertEquals(await leave(page, readout), hint);
        }
      }
    },
  );

  await t.step("all of which is as accessible as the rest, and fails nowhere", async () => {
    await page.goto(`${run}?filter.steps=even&sort.overview=p99.asc`);
    await openFolds(page);
    await page.locator("figure.chart > svg").first().focus();
    await page.keyboard.press("ArrowRight");
    assertEquals([...await axeProblems(page), ...tab.takeProblems()], []);
  });
});

/** Leaves a chart, and returns what its line says then. */
async function leave(page: Page, readout: Locator): Promise<string> {
  await page.locator("h1").hover();
  await page.locator("h1").click();
  return await readout.innerText();
}

function filterOf(page: Page, id: string) {
  const filter = page.locator(`.filter:has(+ .scroll caption#${id})`);
  return { field: filter.locator("input[type=search]"), status: filter.locator("[role=status]") };
}

function buttonsOf(id: string): string {
  return `document.getElementById(${
    JSON.stringify(id)
  }).closest("table").querySelectorAll("th button")`;
}

const tableSchema = z.object({
  headers: z.array(z.object({ sort: z.string().nullable(), isNumber: z.boolean() })),
  /** Rows by group; a cell is its text, or null where a reason stands for several. */
  groups: z.array(z.array(z.array(z.string().nullable()))),
});

async function readTable(page: Page, id: string): Promise<z.infer<typeof tableSchema>> {
  return tableSchema.parse(
    await page.evaluate(`{
      const table = document.getElementById(${JSON.stringify(id)}).closest("table");
      ({
        headers: [...table.tHead.rows[0].cells].map((header) => ({
          sort: header.getAttribute("aria-sort"),
          isNumber: header.classList.contains("number"),
        })),
        groups: [...table.tBodies].map(({ rows }) =>
          [...rows].filter((row) => !row.matches(".group")).map(({ cells }) =>
            [...cells].flatMap(({ colSpan, textContent }) =>
              colSpan > 1 ? new Array(colSpan).fill(null) : [textContent.trim()]
            )
          )
        ),
      });
    }`),
  );
}

function assertSorted(
  cells: (string | null)[],
  isNumber: boolean,
  direction: string,
  label: string,
): void {
  const isAbsent = (cell: string | null) => cell === null || cell.startsWith("–");
  const present = cells.filter((cell): cell is string => !isAbsent(cell));
  assert(cells.slice(present.length).every(isAbsent), `${label}: absent first in ${cells}`);
  for (const [index, cell] of present.entries()) {
    const before = present[index - 1];
    if (before === undefined) continue;
    const difference = isNumber
      ? numberIn(cell) - numberIn(before)
      : cell.localeCompare(before, "en", { numeric: true });
    assert(direction === "ascending" ? difference >= 0 : difference <= 0, `${label}: ${cells}`);
  }
}

/** Reads the number of a cell such as "at least 12,345" or "0.98 to 1.02"; no number is in no order. */
function numberIn(cell: string): number {
  return Number(/\d[\d,]*(\.\d+)?/.exec(cell)?.[0].replaceAll(",", ""));
}
