import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { DOMParser, Element, onErrorStopParsing } from "@xmldom/xmldom";
import { csvColumns } from "../../bench/site/api/columns.ts";
import { apiRunSchema } from "../../bench/site/api/schema.ts";
import { exampleComparedLevel, exampleRun } from "../../bench/testing/example_run.ts";
import { type Result, resultSchema } from "../../bench/results/result_schema.ts";
import {
  format,
  formatColdStart,
  hrefsOf,
  ratioCells,
  rowsOf,
  textOf,
} from "../../bench/testing/pages.ts";
import { basePath, type Site, siteOf } from "../../bench/testing/site.ts";
import { inverse } from "../../bench/statistics/mod.ts";

const oldest = "20260103T000000Z-0000003";
const older = "20260105T000000Z-0000005";
const newer = "20260112T000000Z-0000006";
const quick = "20260113T000000Z-0000007";

/** Makes a run of a profile that starts when its id says. */
function runOf(runId: string, profile: Result["plan"]["profile"], draw = 0): Result[] {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)/.exec(runId)!;
  return exampleRun(runId, draw).map((result) => ({
    ...result,
    startedAt: `${year}-${month}-${day}T00:00:00.000Z`,
    plan: { ...result.plan, profile },
  }));
}

/** Makes the newer run: Freezing has another framework and is faster, and another one failed. */
function newerRun(): Result[] {
  const results = runOf(newer, "full").map((result) =>
    result.impl.id !== "freezing" ? result : {
      ...result,
      impl: { ...result.impl, framework: { name: "koa", version: "3.1.0" } },
      comparison: {
        ...result.comparison!,
        levels: [exampleComparedLevel({ ratio: 0.7, seed: 30, connections: 10 })],
      },
    }
  );
  const { comparison: _, rateSweep: __, startup: ___, control: ____, ...first } = results[0]!;
  return [...results, {
    ...first,
    impl: { ...first.impl, id: "broken", name: "Broken <b>" },
    status: "failed",
    failure: { stage: "build", message: "exit code 101 & <i>more</i>", detail: "the log" },
    levels: [],
  }];
}

async function readJson(site: Site, path: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(join(site.folder, path)));
}

Deno.test("the home page answers who is faster, with the figures of the JSON", async (t) => {
  const results = [
    ...runOf(oldest, "full", 2),
    ...runOf(older, "full", 1),
    ...newerRun(),
    ...runOf(quick, "quick"),
  ]
    .map((result) => resultSchema.parse(result));
  const site = await siteOf({ runs: results });
  const page = await site.page("index.html");
  const latest = apiRunSchema.parse(await readJson(site, "api/latest.json"));

  await t.step("of the newest full run, naming a later one", () => {
    assertEquals(latest.id, newer);
    const hrefs = hrefsOf(page);
    for (const runId of [newer, quick]) assert(hrefs.includes(`${basePath}runs/${runId}/`));
    assertStringIncludes(page.text, `${quick}, profile quick`);
  });

  await t.step("in words", () => {
    const [answer] = textOf(page, ".verdict");
    assertStringIncludes(answer!, "Even and Swift lead, tied; Swift answers ");
    assertEquals(textOf(page, "#standing li"), [
      "Even and Swift lead; no difference between them could be measured",
      "Freezing is slower than the other 2 that were compared",
      "Tuned: Tweaked is faster than the control",
    ]);
  });

  await t.step("by how much, with the interval of the pair, over the runs of each", () => {
    const pair = latest.pairs!.find(({ a, b }) => a === "freezing" && b === "swift")!;
    const { estimate, low, high } = inverse(pair.overRuns!);
    const [times, from, to] = [estimate, low, high].map((value) => value.toPrecision(2));
    const answer = textOf(page, "#standing + p").join();
    assertStringIncludes(
      answer,
      `Swift, warm, answered ${times} times as many requests as Freezing (95 %: ${from}–${to}; interval over 2 runs).`,
    );
    // One run has both, and Swift was measured before.
    assertStringIncludes(
      page.text,
      "If at most one run has both of a pair, its ratio is over the runs",
    );
  });

  await t.step("in a chart and a table of the same figures", () => {
    const rows = rowsOf(page, "answer-table");
    const compared = latest.impls.filter(({ levels }) => levels[0]!.warm.ratio !== undefined);
    assertEquals(rows.size, latest.impls.length);
    for (const { name, levels } of compared) {
      const { warm, coldStart, isGeneratorBound } = levels[0]!;
      const qualifier = isGeneratorBound ? "at least " : "";
      // Of Freezing, another version was measured before.
      const isOverRuns = name !== "Freezing";
      assertEquals(warm.overRuns?.runs, isOverRuns ? 3 : undefined);
      const ratio = warm.overRuns ?? warm.ratio!;
      const { estimate, low, high } = warm.goodputPerSecond!;
      assertEquals(rows.get(name)!.slice(1, 6), [
        ...ratioCells(ratio, isGeneratorBound),
        isOverRuns ? "3" : "1",
        `${qualifier}${format(estimate, 1, 0)} (${format(low, 1, 0)} to ${format(high, 1, 0)})`,
        formatColdStart(coldStart),
      ]);
    }
    assertEquals(rows.get("Even")!.at(-1), "tied with Swift, faster than Freezing");
    const drawn = page.querySelectorAll(".answer-row");
    assertEquals(drawn.length, latest.impls.length);
    // The first of each class has none: it is what the others are relative to.
    assertEquals(page.querySelectorAll(".answer-row .whisker").length, 3 * (compared.length - 2));
  });

  await t.step("with failures as rows, as text", () => {
    assertEquals(rowsOf(page, "answer-table").get("Broken <b>")?.slice(1), [
      "failed at build: exit code 101 & <i>more</i>",
    ]);
    assertEquals(textOf(page, "i, b"), []);
  });

  await t.step("with what changed since the run before", async () => {
    const rows = rowsOf(page, "changes-table");
    const path = join(site.folder, "..", "derived", "assets", "changes", `${newer}.json`);
    const { before, impls } = JSON.parse(await Deno.readTextFile(path));
    assertEquals(before.runId, older);
    assert(hrefsOf(page).includes(`${basePath}runs/${older}/`));
    const [unchanged] = textOf(page, "#unchanged");
    for (const { name, state, levels, versions } of impls) {
      const [{ ratio, verdict } = { ratio: undefined, verdict: undefined }] = levels;
      // One line, for all that did not change.
      const isSame = verdict === "tied" && versions.length === 0;
      assertEquals([rows.has(name), unchanged!.includes(name)], [!isSame, isSame], name);
      if (state !== "compared" || isSame) continue;
      assertEquals(rows.get(name)!.slice(1, 5), [
        verdict,
        ...ratioCells(ratio),
        "2",
      ]);
    }
    // By two earlier runs, t is over 12: even two fifths more may be chance.
    assertEquals([1, 5].map((place) => rows.get("Freezing")![place]), [
      "tied",
      "framework koa 3.1.0, koa 3.0.0 before",
    ]);
    assertEquals(rows.get("Tweaked")!.slice(1), [
      "the load generator limited both",
      "no recorded change",
    ]);
  });

  await t.step("with the command that repeats it, at its commit", () => {
    const [command] = textOf(page, "#repeat ~ pre");
    assertEquals(command!.split("\n"), [
      ...["git clone https://example.com/backbench/backbench", "cd backbench"],
      `git checkout ${latest.commit}`,
      results[0]!.provenance.command,
    ]);
  });
});

Deno.test("the feed says why one has no figure, and who failed", async () => {
  const results = [...runOf(older, "full"), ...newerRun().slice(-1)].map((result) => {
    if (result.impl.id !== "even") return { ...result, runId: older };
    const { startedAt } = result.levels[0]!.repetitions[0]!;
    const reasons = [{ code: "failures" as const, message: "2 % failed" }];
    const repetitions = [{ startedAt, validity: { valid: false as const, reasons } }];
    return { ...result, levels: [{ connections: 10, repetitions }] };
  });
  const site = await siteOf({ runs: results });
  const feed = await Deno.readTextFile(join(site.folder, "feed.xml"));
  assertStringIncludes(feed, "No figure of Even: 2 % failed.");
  assertStringIncludes(feed, "Failed: broken.");
  assert(!feed.includes("No figure of Broken"));
});

Deno.test("the home page shows one load, and says so, where nothing was compared", async () => {
  const results = runOf(older, "full").map(({ comparison: _, control: __, plan, ...result }) => {
    const { comparison: ___, ...levels } = plan;
    return resultSchema.parse({ ...result, plan: levels });
  });
  const site = await siteOf({ runs: results });
  const page = await site.page("index.html");
  assertEquals(textOf(page, "#standing li"), []);
  assertEquals(textOf(page, ".verdict"), [
    "No answer: each has one cold load at this level, without an interval.",
  ]);
  const rows = rowsOf(page, "answer-table");
  for (const { impl, levels } of results) {
    const { goodputPerSecond } = levels[0]!.repetitions[0]!.figures!;
    const qualifier = levels[0]!.frame!.isGeneratorBound ? "at least " : "";
    assertEquals(rows.get(impl.name)!.slice(1), [`${qualifier}${format(goodputPerSecond, 1, 0)}`]);
  }
  assertStringIncludes(
    page.text,
    "No earlier run is comparable: this run was not compared with the control.",
  );
});

Deno.test("the data page and the feed stay short with many runs", async (t) => {
  const ids = Array.from({ length: 52 }, (_, index) => {
    const date = new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10);
    return `${date.replaceAll("-", "")}T000000Z-0000005`;
  }).reverse();
  const site = await siteOf({
    runs: ids.flatMap((id) => runOf(id, "full").slice(0, 1)),
  });

  await t.step("every file of the newest 30, and where the others are", async () => {
    const page = await site.page("data/index.html");
    const hrefs = hrefsOf(page);
    for (const [index, id] of ids.entries()) {
      for (const path of [`runs/${id}/`, `runs/${id}/swift.json`, `api/runs/${id}.json`]) {
        assertEquals(hrefs.includes(`${basePath}${path}`), index < 30, path);
      }
    }
    assertStringIncludes(page.text, "The files of the 22 runs before them");
    for (const path of ["api/index.json", "api/latest.json", "api/results.csv", "feed.xml"]) {
      assert(hrefs.includes(`${basePath}${path}`), path);
      assert((await site.files(path)).includes(path), path);
    }
  });

  await t.step("every column of the table", async () => {
    const rows = rowsOf(await site.page("data/index.html"), "columns");
    assertEquals(
      [...rows.values()],
      csvColumns.map(({ name, description }) => [name, description]),
    );
  });

  await t.step("the newest 50 runs as a feed that RFC 4287 allows", async () => {
    const text = await Deno.readTextFile(join(site.folder, "feed.xml"));
    const feed = new DOMParser({ onError: onErrorStopParsing })
      .parseFromString(text, "application/xml").documentElement!;
    const origin = "https://example.org";
    assertEquals([feed.localName, feed.namespaceURI], ["feed", "http://www.w3.org/2005/Atom"]);
    const all = (parent: Element, name: string): Element[] =>
      [...parent.childNodes].filter((node) => node instanceof Element)
        .filter(({ localName }) => localName === name);
    const one = (parent: Element, name: string): Element => {
      const [element, ...more] = all(parent, name);
      assertEquals(more, [], name);
      return element!;
    };
    assertEquals(one(feed, "id").textContent, `${origin}${basePath}`);
    assertEquals(one(feed, "updated").textContent, runOf(ids[0]!, "full")[0]!.startedAt);
    assert(one(one(feed, "author"), "name").textContent !== "");
    const links = (parent: Element, rel: string) =>
      all(parent, "link").filter((link) => link.getAttribute("rel") === rel)
        .map((link) => link.getAttribute("href"));
    assertEquals(links(feed, "self"), [`${origin}${basePath}feed.xml`]);
    const entries = all(feed, "entry");
    assertEquals(
      entries.map((entry) => one(entry, "id").textContent),
      ids.slice(0, 50).map((id) => `${origin}${basePath}runs/${id}/`),
    );
    for (const [index, entry] of entries.entries()) {
      assertStringIncludes(one(entry, "title").textContent!, ids[index]!);
      assertEquals(one(entry, "updated").textContent, runOf(ids[index]!, "full")[0]!.startedAt);
      assertEquals(links(entry, "alternate"), [one(entry, "id").textContent]);
      assertStringIncludes(
        one(entry, "summary").textContent!,
        "At 10 connections, on Example CPU, 2 processors, by the interval of this run. Swift is faster than the control.",
      );
    }
  });
});
