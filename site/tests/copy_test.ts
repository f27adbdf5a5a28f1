import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { parse } from "@std/csv";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { exampleRunIds, serveExample } from "../../bench/testing/browser_site.ts";
import { axeProblems, openTab, viewports } from "../../bench/testing/browser_tab.ts";

Deno.test("tables and badges are copied", async (t) => {
  await using browser = await launchBrowser();
  await using served = await serveExample();
  await using tab = await openTab(browser, served.origin, {
    viewport: viewports[1]!,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const { page } = tab;
  const run = served.urlOf(`runs/${exampleRunIds[1]}/index.html`);
  const clipboard = async () => String(await page.evaluate("navigator.clipboard.readText()"));
  /** Makes every fold open, so that what it holds can be reached. */
  const open = async (url: string) => {
    await page.goto(url);
    await page.evaluate('for (const it of document.querySelectorAll("details")) it.open = true');
  };
  const bar = page.locator(".scroll:has(caption#overview) + .copy");

  await t.step("as CSV, in the order and with the rows that are shown", async () => {
    await open(`${run}?sort.overview=p99.asc`);
    await bar.getByRole("button", { name: "Copy as CSV" }).click();
    await bar.getByText("Copied as CSV").waitFor();
    const [head, ...rows]: string[][] = parse(await clipboard());
    assertEquals(head?.slice(0, 3), ["Group", "Implementation", "Cold goodput answers/s"]);
    const shown = await page.evaluate(
      `[...document.querySelector("caption#overview").closest("table").querySelectorAll("tbody tr:not(.group)")]
        .map(({ cells }) => cells[0].textContent.trim())`,
    );
    assertEquals(rows.map(([, name]) => name), shown);
    assert(rows.every((row) => row.length === head!.length), "rows of different lengths");
    const figures = rows.map((row) => row[2]!).filter((figure) => /^\d/.test(figure));
    assert(figures.length > 0 && figures.every((it) => Number(it) > 0), figures.join("; "));
  });

  await t.step("in Markdown, and by keyboard", async () => {
    await open(run);
    await bar.getByRole("button", { name: "Copy as Markdown" }).focus();
    await page.keyboard.press("Enter");
    await bar.getByText("Copied as Markdown").waitFor();
    const [head, rule, ...rows] = (await clipboard()).trim().split("\n");
    assertStringIncludes(head!, "| Implementation | Cold goodput answers/s |");
    assertEquals(rule?.split("|").length, head?.split("|").length);
    assert(rows.length > 3 && rows.every((row) => row.startsWith("| ")), rows.join("\n"));
  });

  await t.step("as a link, which leads to the table as it is", async () => {
    await open(`${run}?sort.overview=p99.asc`);
    await bar.getByRole("button", { name: "Copy link" }).click();
    await bar.getByText("Link copied").waitFor();
    assertEquals(await clipboard(), `${run}?sort.overview=p99.asc#overview`);
  });

  await t.step("and each button says of what it is", async () => {
    const names = await page.getByRole("button", { name: /^Copy link/ }).count();
    const tables = await page.locator(".scroll > table").count();
    assertEquals(names, tables);
    assertEquals([...await axeProblems(page), ...tab.takeProblems()], []);
  });

  await t.step("the badge of an implementation with its address", async () => {
    const [impl] = served.pages.filter((path) => /^impls\/[^/]+\/index\.html$/.test(path));
    await open(served.urlOf(impl!));
    const copy = page.locator("pre[data-copy] + .copy");
    await copy.getByRole("button").click();
    await copy.getByText("Copied", { exact: true }).waitFor();
    assert(
      /^\[!\[Backbench: .+\]\(https:.+\/badges\/.+\.svg\)\]\(https:.+\/impls\/.+\/\)$/.test(
        await clipboard(),
      ),
      await clipboard(),
    );
  });

  await t.step("the answer of the home page as a link", async () => {
    await open(served.urlOf("index.html"));
    const copy = page.locator("[data-copy-link] + .copy");
    await copy.getByRole("button", { name: "Copy link" }).click();
    await copy.getByText("Link copied").waitFor();
    assertEquals(await clipboard(), served.urlOf("index.html"));
  });

  await t.step("none of which is there without a script", async () => {
    await using plain = await openTab(browser, served.origin, { javaScriptEnabled: false });
    await plain.page.goto(run);
    assertEquals(await plain.page.locator(".copy").count(), 0);
  });
});
