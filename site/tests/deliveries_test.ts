import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exampleDeliveries } from "../../bench/testing/example_deliveries.ts";
import { hrefsOf } from "../../bench/testing/pages.ts";
import { siteOf } from "../../bench/testing/site.ts";

const runId = "20260105T000000Z-0000005";
const site = await siteOf({ runs: exampleDeliveries(runId) });

Deno.test("the page of a run of deliveries has a row for each implementation and rate, and no levels", async () => {
  const page = await site.page(`runs/${runId}/index.html`);
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#deliveries"))!;
  const rows = table.querySelectorAll("tbody tr:not(.group)")
    .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
  assertEquals(rows.length, 2 * 3);
  assertEquals(rows[4], [
    ...["Pooled", "160,020", "40,020 (25.0 %)", "2,000", "4.00", "–absent", "0.10"],
    ...["missed: passed on", "none", "12", "50.0", "34"],
  ]);
  assertEquals(rows[3], ["Doubling", "POST /notify/1 led to 2 calls of it, expected one"]);
  assertEquals(page.querySelector("#overview"), null);
  assertStringIncludes(
    page.querySelector("h1")!.text,
    "Steady at least 2,667 a second; Pooled up to 167 a second",
  );
  const pictures = page.querySelectorAll(".picture img")
    .filter((image) => image.getAttribute("src")?.includes("deliveries"));
  assertEquals(pictures.length, 1);
  assertStringIncludes(
    pictures[0]!.getAttribute("alt")!,
    "2,670 offered 2,000 arriving, 25 % lost",
  );
});

Deno.test("a run of before arrivals were counted during the load has no picture, and no heading above none", async () => {
  const old = exampleDeliveries(runId).map((result) => {
    const steps = result.deliveries!.steps.map(({ arrivedPerSecond, ...step }) => ({
      ...step,
      deliveredPerSecond: arrivedPerSecond,
    }));
    return { ...result, deliveries: { ...result.deliveries!, steps } };
  });
  const page = await (await siteOf({ runs: old })).page(`runs/${runId}/index.html`);
  assertEquals(page.querySelectorAll(".picture").length, 0);
  assertEquals(page.querySelector("#pictures"), null);
  assertEquals(hrefsOf(page).includes("#pictures"), false);
});

Deno.test("the page of the scenario says at which rates each profile notifies, and no levels", async () => {
  const page = await site.page("scenarios/notify/index.html");
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#profiles"))!;
  assertStringIncludes(table.querySelectorAll("tbody tr").at(-1)!.text, "5,000 (8,333)");
});

Deno.test("no page of a site that has only deliveries shows a figure of levels", async () => {
  for (const path of await site.files("index.html")) {
    const { text } = await site.page(path);
    assertEquals(/NaN|Infinity|undefined|%!/.test(text), false, path);
  }
});

Deno.test("the feed says what deliveries came to", async () => {
  const feed = await Deno.readTextFile(join(site.folder, "feed.xml"));
  assertStringIncludes(feed, "Pooled up to 167 a second, on Example CPU");
});

Deno.test("the page of an implementation has its own deliveries, a badge and a history, and no level", async () => {
  const page = await site.page("impls/pooled/notify/index.html");
  assertStringIncludes(
    page.querySelector("#deliveries-title")!.text,
    "Notifications accepted within 50 ms (p99) and passed on in time, at most 0.1 % lost, given up, unsent or not accepted, by one fresh process at each rate: Pooled up to 167 a second",
  );
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#deliveries"))!;
  const rows = table.querySelectorAll("tbody tr:not(.group)")
    .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
  assertEquals(rows.map((row) => row.slice(0, 3)), [
    ["Pooled", "10,020", "0"],
    ["Pooled", "160,020", "40,020 (25.0 %)"],
  ]);
  assertEquals(page.querySelector("#levels, #load"), null);
  // Answers are checked again after loads of levels only.
  assertEquals(page.text.includes("its answers were checked"), false);
  assertStringIncludes(page.text, "167 notifications a second, notify");
  const history = page.querySelectorAll("table").find((it) => it.querySelector("#history"))!;
  assertStringIncludes(history.text, "Pooled up to 167 a second");
});

Deno.test("the page of a pair has the deliveries of both without a verdict", async () => {
  const page = await site.page("compare/notify/pooled-or-steady/index.html");
  assertStringIncludes(
    page.querySelector(".verdict")!.text,
    "Steady at least 2,667 a second; Pooled up to 167 a second.",
  );
  assertStringIncludes(page.text, "there is no verdict");
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#deliveries"))!;
  const rows = table.querySelectorAll("tbody tr:not(.group)")
    .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
  assertEquals(rows.slice(2).map((row) => row.slice(0, 3)), [
    ["Pooled", "160,020", "40,020 (25.0 %)"],
    ["Steady", "160,020", "0"],
  ]);
});
