/** Ratios to a control that the load generator limited: each page says that they are at most what it shows. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exampleCeiling, exampleRun, withFastGenerator } from "../../bench/testing/example_run.ts";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { servePublished } from "../../bench/testing/browser_site.ts";
import { openTab } from "../../bench/testing/browser_tab.ts";
import { rowsOf, textOf } from "../../bench/testing/pages.ts";
import { published, siteOf } from "../../bench/testing/site.ts";
import type { Result } from "../../bench/results/result_schema.ts";

const [older, newer] = ["20260105T000000Z-0000005", "20260106T000000Z-0000006"];
const id = "freezing";

/** Makes a run of one that is half as fast as the control, which is as fast as the load generator. */
function runOf(runId: string, draw: number): Result[] {
  return exampleRun(runId, draw).filter(({ impl }) => impl.id === id).map(withFastGenerator)
    .map((result) => {
      const { reference } = result.comparison!.levels[0]!.goodputPerSecond!;
      return { ...result, ceilings: [exampleCeiling(reference, 0)] };
    });
}

Deno.test("every page says at most where the load generator limited the control alone", async (t) => {
  const site = await siteOf({ runs: [...runOf(newer, 1), ...runOf(older, 0)] });
  const run = await site.page(`runs/${newer}/index.html`);
  const ratio = /^at most 0\.\d+$/;

  await t.step("the page of the run, whose control answered at least what it shows", () => {
    const cells = rowsOf(run, "compared-table").get("Freezing")!;
    assertMatch(cells[1]!, ratio);
    assert(!cells[4]!.startsWith("at least"), cells[4]);
    assertMatch(cells[5]!, /^at least [\d,]+ \(/);
  });

  await t.step("the answer and the figures behind it", async () => {
    const home = await site.page("index.html");
    assertMatch(rowsOf(home, "answer-table").get("Freezing")![1]!, ratio);
    assert(textOf(home, ".answer-rows").some((text) => text.includes("≤ ")));
    assert(textOf(home, "h1, p").some((text) => / at most 0\.\d+ times as many/.test(text)));
  });

  await t.step("the list of implementations, and the history of one", async () => {
    const list = await site.page("impls/index.html");
    assert(textOf(list, "td").some((text) => ratio.test(text)));
    const history = await site.page(`impls/${id}/index.html`);
    assertMatch(textOf(history, "#headline")[0]!, /^At most 0\.\d+ times the warm goodput/);
    assertMatch(rowsOf(history, "levels").get("10")![1]!, ratio);
    // The level of the newest run, and both runs of the history.
    assertEquals(textOf(history, "td").filter((text) => ratio.test(text)).length, 3);
    assert(textOf(history, "h2, p").some((text) => text.startsWith("At most 0.")));
  });

  await t.step("the long-run ratios, and this run beside those before", async () => {
    const noise = await site.page("noise/index.html");
    assertMatch(rowsOf(noise, "between-runs").get("Freezing")![1]!, ratio);
    const compared = await site.page(`compare/${newer}/index.html`);
    const cells = textOf(compared, "#before td, td").filter((text) =>
      text.startsWith("at most 0.")
    );
    assert(cells.length >= 2, cells.join("; "));
  });
});

Deno.test("the published runs of hello say at most, for the load generator limits the control there", async () => {
  const site = await siteOf(published);
  const run = await site.page("runs/20261123T205918Z-b991b5f/index.html");
  const rows = rowsOf(run, "compared-table");
  const [, ratio, interval] = rows.get("Node.js, Koa")!;
  assertMatch(ratio!, /^at most 0\.\d+$/);
  assertEquals(interval, ratio!.replace("at most", "up to"));
});

Deno.test("the comparison of two of that run says at most of both ratios to the control", async () => {
  await using browser = await launchBrowser();
  await using served = await servePublished();
  await using tab = await openTab(browser, served.origin);
  const asked = ["a", "b"].map((side) => `run-${side}=20261123T205918Z-b991b5f`);
  const choice = [...asked, "impl-a=node", "impl-b=bun"].join("&");
  await tab.page.goto(`${served.urlOf("compare/index.html")}?${choice}`);
  const row = tab.page.locator("[aria-labelledby$=-ratios] tbody tr").first();
  await row.waitFor();
  const said = await row.locator("td").allTextContents();
  assertEquals(
    said.filter((text) => /^at most 0\.\d+(, over|$)/.test(text)).length,
    2,
    said.join("; "),
  );
});
