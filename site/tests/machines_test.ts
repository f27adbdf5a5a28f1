/** A run whose implementations were measured on different machines, as jobs of one workflow may be. */
import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { apiRunSchema } from "../../bench/site/api/schema.ts";
import { deriveRun } from "../../bench/site/ranking.ts";
import { exampleComparedLevel, exampleRun } from "../../bench/testing/example_run.ts";
import type { Result } from "../../bench/results/result_schema.ts";
import { brokenLinks, overviewOf, rowsOf, textOf } from "../../bench/testing/pages.ts";
import { type Site, siteOf } from "../../bench/testing/site.ts";
import { inverse } from "../../bench/statistics/mod.ts";

const runId = "20260105T000000Z-0000005";

/** Makes a full run, each result of it changed. */
function fullRun(change: (result: Result) => void): Result[] {
  return exampleRun(runId).map((result) => {
    result.plan.profile = "full";
    change(result);
    return result;
  });
}

Deno.test("the site makes no order of rates that different machines gave, and says which was whose", async (t) => {
  const results = exampleRun(runId).slice(0, 2).map(({ comparison: _, ...result }, index) => ({
    ...result,
    plan: { ...result.plan, comparison: undefined },
    machine: { ...result.machine, cpuModel: `CPU ${index}` },
  }));
  const site = await siteOf({ runs: results });
  const page = await site.page(`runs/${runId}/index.html`);
  const groupsOf = (id: string) =>
    page.getElementById(id)!.closest("table")!.querySelectorAll("tbody")
      .map((group) => textOf(group, "th").slice(0, 2));

  await t.step("in no chart of the run's page, with a warning", () => {
    assertStringIncludes(textOf(page, ".marks").join(), "Machines differ");
    assertStringIncludes(textOf(page, "main p").join(), "on CPU 0, 2 processors and CPU 1");
    assertEquals(textOf(page, "figure.chart"), []);
    assertEquals(textOf(page, "#sweep-title, #startup-title"), [
      "Latency at fixed rates, on different machines",
      "Startup, on different machines",
    ]);
  });

  await t.step("in tables that say on what", () => {
    assertEquals(groupsOf("startup-table"), [
      ["CPU 0, 2 processors", "Swift"],
      ["CPU 1, 2 processors", "Even"],
    ]);
    assertEquals(overviewOf(page, "Even").map(([label]) => label), [
      "10 connections, on CPU 1, 2 processors",
    ]);
    assertEquals(groupsOf("steps").map(([label = ""]) => label.split(": ")[0]), [
      "Even, on CPU 1, 2 processors",
      "Swift, on CPU 0, 2 processors",
    ]);
  });

  await t.step("with every machine in its environment, and at each implementation", () => {
    assertEquals(textOf(page, "#environment + .fold h3"), [
      "Machine of Even",
      "Machine of Swift",
      "Database",
      "Tools",
    ]);
    for (const { impl, machine } of results) {
      const text = textOf(page, `div#${impl.id} dd`);
      assert(text.includes(`${machine.cpuModel}, 2 processors`), impl.id);
    }
  });

  await t.step("with its own machine, and charts, on the page of an implementation", async () => {
    const page = await site.page("impls/even/index.html");
    assertStringIncludes(textOf(page, "main p").join(), "UTC · on CPU 1, 2 processors");
    assert(page.getElementById("startup-title")!.closest("figure") !== null);
  });
});

Deno.test("the list of implementations puts figures of different processors in no group", async () => {
  const results = fullRun(({ impl, machine }) => {
    if (impl.id === "even") machine.cpuModel = "Other CPU";
    if (impl.id === "freezing") machine.cpuCount = 4;
  });
  const site = await siteOf({ runs: results });
  const table = (await site.page("impls/index.html")).getElementById("impls")!.closest("table")!;
  const label = (machine: string, end = "") =>
    `Scenario jwt-mysql, run ${runId}, profile full: at 10 connections, on ${machine} processors${end}`;
  assertEquals(
    table.querySelectorAll("tbody").map((group) => [
      ...textOf(group, ".group th"),
      ...textOf(group, "tr:not(.group) th"),
    ]),
    [
      [label("Example CPU, 2"), "Swift"],
      [label("Example CPU, 4"), "Freezing"],
      [label("Other CPU, 2"), "Even"],
      [label("Example CPU, 2", " (tuned)"), "Tweaked"],
    ],
  );
});

/** Makes a run in which Freezing was measured on another processor than the others. */
function mixedRun(): Result[] {
  return fullRun(({ impl, machine }) => {
    if (impl.id === "freezing") machine.cpuModel = "Other CPU";
  });
}

async function pairIn(site: Site) {
  const path = join(site.folder, "api", "runs", `${runId}.json`);
  const { pairs } = apiRunSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  return pairs!.find(({ a, b }) => a === "freezing" && b === "swift");
}

Deno.test("two of different processors are not compared while nothing tells how much ratios differ between them", async (t) => {
  const site = await siteOf({ runs: mixedRun() });
  assertEquals(await pairIn(site), undefined);

  await t.step("on the home page, with a warning", async () => {
    const page = await site.page("index.html");
    assertStringIncludes(
      textOf(page, ".marks").join(),
      "Machines differ – this run was measured on Example CPU, 2 processors; Other CPU, 2 processors.",
    );
    assert(!textOf(page, ".lead").join().includes("Freezing"));
  });

  await t.step("on the page of noise, which says that it is not known", async () => {
    const { text } = await site.page("noise/index.html");
    assertStringIncludes(text, "how much ratios differ between processors is not known");
    assertStringIncludes(text, "how far runs differ is not known");
  });
});

Deno.test("two of different processors are compared with how much ratios differ between them in the interval, never by rates", async (t) => {
  const fullOf = (runId: string, change: (result: Result) => void) =>
    exampleRun(runId, 1).map((result) => {
      result.plan.profile = "full";
      change(result);
      return result;
    });
  const before = fullOf("20260104T000000Z-0000004", () => {});
  const elsewhere = fullOf("20260103T000000Z-0000003", ({ machine, comparison }) => {
    machine.cpuModel = "Other CPU";
    const ratio = 1.1 * comparison!.levels[0]!.goodput!.estimate;
    comparison!.levels = [exampleComparedLevel({ ratio, seed: 9, connections: 10 })];
  });
  const site = await siteOf({ runs: [...elsewhere, ...before, ...mixedRun()] });
  const { ratio, verdict } = (await pairIn(site))!;
  const [level] = deriveRun(fullRun(() => {})).levels;
  const own = level!.pairs.find(({ a, b }) => a === "swift" && b === "freezing")!.ratio;
  assertAlmostEquals(1 / ratio.estimate, own.estimate, 1e-9);
  assert(ratio.high / ratio.low > 1.5 * own.high / own.low, `${ratio.low} to ${ratio.high}`);
  assertEquals(verdict, "slower");
  const lead = `Swift’s warm ratio to the control is ${
    inverse(ratio).estimate.toPrecision(2)
  } times that of Freezing (95 %: `;

  await t.step("on the home page", async () => {
    const page = await site.page("index.html");
    assertStringIncludes(textOf(page, "#standing + p").join(), lead);
    assertStringIncludes(
      textOf(page, ".verdict").join(),
      `Swift’s ratio to the control is ${inverse(ratio).estimate.toPrecision(2)} times that of`,
    );
    assert(!page.text.includes("times as many requests"));
  });

  await t.step("in the feed", async () => {
    const feed = await Deno.readTextFile(join(site.folder, "feed.xml"));
    assertStringIncludes(feed, "Machines differ.");
    assertStringIncludes(feed, lead);
    assert(!feed.slice(0, feed.indexOf("</entry>")).includes("times as many requests"));
  });

  await t.step("with the figure itself on the page of noise", async () => {
    const page = await site.page("noise/index.html");
    assertEquals([...rowsOf(page, "between-processors").keys()], [
      "jwt-mysql at 10 connections",
    ]);
    const rows = rowsOf(page, "between-runs");
    assertEquals([...rows.keys()].sort(), ["Even", "Freezing", "Swift", "Tweaked"]);
    assertEquals([rows.get("Swift")![3], rows.get("Swift")![6]], [
      "2",
      "Example CPU, 2 processors",
    ]);
  });
});

Deno.test("the page of a run with replicas says what each machine found, which failed, and what they come to together", async () => {
  const results = [1, 2, 3].flatMap((number) =>
    exampleRun(runId, number).slice(0, 2).map((result): Result => ({
      ...result,
      replica: number === 1 ? undefined : number,
      ...(number < 3 ? {} : {
        status: "failed",
        failure: { stage: "start", message: "no answer", detail: "" },
      }),
    }))
  );
  const site = await siteOf({ runs: results });
  const page = await site.page(`runs/${runId}/index.html`);
  const cells = page.getElementById("replicas")!.closest("table")!.querySelectorAll("tbody")
    .map((group) => group.querySelectorAll("tr").map((row) => textOf(row, "th, td")));
  assertEquals(cells.length, 2);
  const [title, first, second, third, together] = cells[1]!;
  assertEquals(title, ["Swift, at 10 connections"]);
  assertEquals([first![0], second![0], third![0]], ["swift.json", "swift.2.json", "swift.3.json"]);
  assertEquals([first![4], second![4], third![4]], [
    "pooled",
    "pooled",
    "failed at start: no answer",
  ]);
  assertEquals([together![0], together![4]], ["together", "interval over 2 machines"]);
  assertEquals(textOf(page, ".marks").join().includes("Machines differ"), false);
});

Deno.test("links lead to the file of the replica that is there", async () => {
  const results = exampleRun(runId).slice(0, 2).map((result) => ({ ...result, replica: 2 }));
  assertEquals(await brokenLinks(await siteOf({ runs: results })), []);
});
