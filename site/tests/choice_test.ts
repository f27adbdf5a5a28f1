import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import type { Page } from "playwright-core";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { exampleRunIds, serveExample } from "../../bench/testing/browser_site.ts";
import { axeProblems, openTab, viewports, widthProblems } from "../../bench/testing/browser_tab.ts";
import { deriveRun } from "../../bench/site/ranking.ts";
import { exampleRun } from "../../bench/testing/example_run.ts";

const [before, run] = exampleRunIds;

Deno.test("the page that compares any two", async (t) => {
  await using browser = await launchBrowser();
  await using served = await serveExample();
  const address = served.urlOf("compare/index.html");
  const query = (choice: Record<string, string>) => `${address}?${new URLSearchParams(choice)}`;
  const inRun = { "run-a": run, "impl-a": "swift", "run-b": run, "impl-b": "freezing" };
  await using tab = await openTab(browser, served.origin, { viewport: viewports[1]! });
  const { page } = tab;
  const result = page.locator("#compare-result");

  await t.step(
    "shows two of a run as chosen, with their own interval, and puts it in the address",
    async () => {
      await page.goto(address);
      await page.locator("#runs-compared > summary").click();
      for (const [name, value] of Object.entries(inRun)) {
        await page.locator(`select[name=${name}]`).selectOption(value);
      }
      await page.locator("#compare button").click();
      await result.waitFor();
      assertEquals(page.url(), query(inRun));
      assertEquals(
        await result.locator("h2").innerText(),
        "Swift and Freezing: jwt-mysql, within one run",
      );
      const { ratio, verdict, ...pair } = deriveRun(exampleRun(run)).levels[0]!.pairs
        .find(({ a, b }) => [a, b].sort().join() === "freezing,swift")!;
      const isTurned = pair.a === "freezing";
      const [low, high] = isTurned ? [1 / ratio.high, 1 / ratio.low] : [ratio.low, ratio.high];
      const shown = await result.innerText();
      assertStringIncludes(shown, `(${low.toFixed(3)} to ${high.toFixed(3)})`);
      assert(verdict === (isTurned ? "slower" : "faster"));
      assertStringIncludes(shown, "faster");
      assertEquals(
        await page.evaluate("document.activeElement.closest('#compare-result') !== null"),
        true,
      );
    },
  );

  await t.step("leads at first to two of one run, which have a page of their own", async () => {
    await page.goto(address);
    assertEquals(await page.locator("#compare").isVisible(), false);
    const [scenario, one, two] = await Promise.all(
      ["scenario", "one", "two"].map((name) => page.locator(`#pair-${name}`).inputValue()),
    );
    // An implementation is not compared with itself.
    const others = await page.locator("#pair-two option").evaluateAll((options) =>
      options.map((option) => option.getAttribute("value"))
    );
    assert(!others.includes(one!), `${others} has ${one}`);
    await page.locator("#pair button").click();
    const pair = [one, two].sort().join("-or-");
    await page.waitForURL(served.urlOf(`compare/${scenario}/${pair}/index.html`));
    assertMatch(await page.locator("h1").innerText(), /^.+ or .+\?$/);
    await page.goto(query(inRun));
    await result.waitFor();
  });

  await t.step("goes back and forth with the browser's history", async () => {
    await page.locator("select[name=impl-b]").selectOption("even");
    await page.locator("#compare button").click();
    await result.getByText("tied", { exact: true }).waitFor();
    await page.goBack();
    assertEquals(page.url(), query(inRun));
    await result.getByText("faster", { exact: true }).waitFor();
    assertEquals(await chosen(page), inRun);
  });

  await t.step(
    "opens at an address: two runs side by side, without a number for both",
    async () => {
      const choice = { "run-a": run, "impl-a": "swift", "run-b": before, "impl-b": "swift" };
      await page.goto(query(choice));
      await result.waitFor();
      assertEquals(await chosen(page), choice);
      const { estimate, low, high } = deriveRun(exampleRun(before)).levels[0]!.impls
        .find(({ id }) => id === "swift")!.ratio!;
      const shown = await result.innerText();
      assertStringIncludes(shown, "Swift: jwt-mysql, in two runs, not loaded alternately");
      // The older run is the first of its kind; the newer one goes by both.
      assertStringIncludes(
        shown,
        `${estimate.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)})`,
      );
      assertStringIncludes(shown, "), over 2 runs");
      assertStringIncludes(
        shown,
        "not decided: the interval of a single run does not cover how far runs differ",
      );
    },
  );

  await t.step("says what it cannot find, and what it cannot read", async () => {
    const status = page.locator("#compare-status");
    await page.goto(query({ ...inRun, "run-a": "20000101T000000Z-0000000" }));
    await status.getByText("20000101T000000Z-0000000").waitFor();
    await page.goto(query({ ...inRun, "impl-b": "<img src=x onerror=alert(1)>" }));
    await status.getByText("<img src=x onerror=alert(1)>").waitFor();
    assertEquals(await result.isVisible(), false);
    assertEquals(tab.takeProblems(), []);
    await page.route("**/api/runs/*", (route) => route.fulfill({ status: 500 }));
    await page.goto(query(inRun));
    await status.getByText("500").waitFor();
    await page.unroute("**/api/runs/*");
    assertMatch(tab.takeProblems().join("\n"), /500 at/);
  });

  await t.step(
    "is sound with a result, on a phone and on a desk, in light and in dark",
    async () => {
      await page.goto(query(inRun));
      await result.waitFor();
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        for (const viewport of viewports) {
          await page.setViewportSize(viewport);
          assertEquals([...await widthProblems(page), ...await axeProblems(page)], []);
        }
      }
      assertEquals(tab.takeProblems(), []);
    },
  );

  await t.step("leads without JavaScript to pages that were made without it", async () => {
    await using plain = await openTab(browser, served.origin, { javaScriptEnabled: false });
    await plain.page.goto(address);
    assertEquals(await plain.page.locator("main form").filter({ visible: true }).count(), 0);
    const links = plain.page.locator("main table a").filter({ visible: true });
    await links.filter({ hasText: run }).click();
    assertEquals(plain.page.url(), served.urlOf(`compare/${run}/index.html`));
    assert(await plain.page.locator("main table").count() > 0);
  });
});

async function chosen(page: Page): Promise<Record<string, string>> {
  const names = ["run-a", "impl-a", "run-b", "impl-b"];
  const values = names.map(async (name) =>
    [name, await page.locator(`select[name=${name}]`).inputValue()] as const
  );
  return Object.fromEntries(await Promise.all(values));
}
