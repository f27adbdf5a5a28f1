import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exampleBursts } from "../../bench/testing/example_bursts.ts";
import { example, siteOf } from "../../bench/testing/site.ts";

const runId = "20260105T000000Z-0000005";
const site = await siteOf({ runs: exampleBursts(runId) });

Deno.test("the page of a run of bursts has a row for each implementation and step, and no levels", async () => {
  const page = await site.page(`runs/${runId}/index.html`);
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#bursts"))!;
  const rows = table.querySelectorAll("tbody tr:not(.group)")
    .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
  assertEquals(rows.length, 4 * 3);
  assertStringIncludes(
    table.querySelector("thead")!.text.replaceAll(/\s+/g, " "),
    "s, of answered",
  );
  assertEquals(rows[4], [
    ...["Queueing", "8,282", "17.2 % (16.8 %–17.6 %)", "21.2 (21.1–21.3)", "–absent"],
    ...["5,154 reset", "2,100", "230", "50.0", "10,000", "8,292"],
  ]);
  assertEquals(
    table.querySelectorAll("tr.group").map(({ text }) => text.trim())[1],
    "10,000 users, 1 s (null server: mean 0.01 s, p99 0.02 s late)",
  );
  assertEquals(rows[3], ["Cheating", "3 of 10,000 users had a wrong answer (early)"]);
  assertEquals(page.querySelector("#overview"), null);
  assertStringIncludes(page.querySelector("h1")!.text, "Steady answered every one");
  const settings =
    "Settings of the kernel: net.core.somaxconn 4096, net.ipv4.tcp_synack_retries 5.";
  assertStringIncludes(page.text, settings);
  assertEquals(
    page.querySelectorAll(".picture img").map((image) => image.getAttribute("src")).filter((src) =>
      src?.includes("users-at-once")
    ).length,
    1,
  );
});

Deno.test("the page of the scenario says how many users each profile sends, and no levels", async () => {
  const page = await site.page("scenarios/delay/index.html");
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#profiles"))!;
  const full = table.querySelectorAll("tbody tr").at(-1)!.text.replaceAll(/\s+/g, " ");
  for (const part of ["17,500 (1 s)", "30,000 (1 s)", "10,000 (5 s)"]) {
    assertStringIncludes(full, part);
  }
});

Deno.test("no page of a site that has only bursts shows a figure of levels", async () => {
  for (const path of await site.files("index.html")) {
    const { text } = await site.page(path);
    assertEquals(/NaN|Infinity|undefined|%!/.test(text), false, path);
  }
});

Deno.test("the home page of a site that has only bursts says what they came to, not that there is no run", async () => {
  const home = await site.page("index.html");
  assertEquals(home.text.includes("No run has been published yet"), false);
  assertStringIncludes(home.querySelector("#others + ul")!.text, "Steady answered every one");
});

Deno.test("the feed says what bursts came to, and the card is their picture", async () => {
  const feed = await Deno.readTextFile(join(site.folder, "feed.xml"));
  assertStringIncludes(
    feed,
    "Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer, on Example CPU",
  );
  assertEquals(feed.includes("connections, on"), false);
  const page = await site.page(`runs/${runId}/index.html`);
  const card = page.querySelector('meta[property="og:image"]')!.getAttribute("content")!;
  assertEquals(card.endsWith(`/cards/runs/${runId}.png`), true, card);
});

Deno.test("the page of an implementation has its own bursts, a badge and a history, and no level", async () => {
  const page = await site.page("impls/queueing/delay/index.html");
  assertStringIncludes(
    page.querySelector("#bursts-title")!.text,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer",
  );
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#bursts"))!;
  const rows = table.querySelectorAll("tbody tr:not(.group)")
    .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
  assertEquals(rows.map(([name]) => name), Array(4).fill("Queueing"));
  assertEquals(rows[1]!.slice(0, 3), ["Queueing", "8,282", "17.2 % (16.8 %–17.6 %)"]);
  assertEquals(page.querySelector("#levels, #load"), null);
  assertStringIncludes(page.text, "8,282 of 10,000 users, 1 s, delay");
  const history = page.querySelectorAll("table").find((it) => it.querySelector("#history"))!;
  assertStringIncludes(
    history.text,
    "Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer",
  );
});

Deno.test("the page of a pair has the bursts of both without a verdict, and the card of the run", async () => {
  const page = await site.page("compare/delay/queueing-or-steady/index.html");
  assertEquals(
    page.querySelector(".verdict")!.text,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Steady answered every one; Queueing left 17.2 % (95 %: 16.8 %–17.6 %) without an answer.",
  );
  assertStringIncludes(page.text, "there is no verdict");
  const table = page.querySelectorAll("table").find((it) => it.querySelector("#bursts"))!;
  const rows = table.querySelectorAll("tbody tr:not(.group)")
    .map((row) => row.querySelectorAll("th, td").map((cell) => cell.text.trim()));
  assertEquals(rows.slice(2, 4).map((row) => row.slice(0, 2)), [
    ["Queueing", "8,282"],
    ["Steady", "10,000"],
  ]);
  const card = page.querySelector('meta[property="og:image"]')!.getAttribute("content")!;
  assertEquals(card.endsWith(`/cards/runs/${runId}.png`), true, card);
});

Deno.test("the page of the scenario and the list of implementations say what bursts came to", async () => {
  const scenario = await site.page("scenarios/delay/index.html");
  assertStringIncludes(scenario.querySelector(".verdict")!.text, "Steady answered every one");
  const list = await site.page("impls/index.html");
  assertStringIncludes(
    list.text,
    "Of 10,000 users who came at once and asked for a delay of 1 s, Steady answered every one",
  );
  assertEquals(list.text.includes("connections, on Example CPU"), false);
  assertEquals(list.text.includes("goodput compared"), false);
});

Deno.test("the home page says of each other scenario what its current run found", async () => {
  const both = await siteOf({
    runs: [...exampleBursts("20260103T000000Z-0000003"), ...example.runs],
  });
  const home = await both.page("index.html");
  const others = home.querySelectorAll("#others + ul li").map((it) => it.text);
  assertEquals(others.filter((it) => /^delay: .*Steady answered every one/.test(it)).length, 1);
});
