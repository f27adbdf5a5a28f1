import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { exampleRun } from "../../bench/testing/example_run.ts";
import { hrefsOf, textOf } from "../../bench/testing/pages.ts";
import { basePath, siteOf } from "../../bench/testing/site.ts";
import type { Result } from "../../bench/results/result_schema.ts";
import { apiRunSchema } from "../../bench/site/api/schema.ts";

const [older, newer] = ["20260105T000000Z-0000005", "20260106T000000Z-0000006"];

function runOf(runId: string, startedAt: string): Result[] {
  return exampleRun(runId).map((result) => ({
    ...result,
    startedAt,
    plan: { ...result.plan, profile: "full" },
  }));
}

Deno.test("a run of one implementation shows it among those of the run that completes it", async (t) => {
  const site = await siteOf({
    runs: [
      ...runOf(older!, "2026-01-05T00:00:00.000Z"),
      ...runOf(newer!, "2026-01-06T00:00:00.000Z").filter(({ impl }) => impl.id === "even"),
    ],
  });
  const home = await site.page("index.html");

  await t.step("the home page names both runs, and leads from each row to its own", () => {
    assertStringIncludes(home.text, `Run ${newer}, completed by ${older} · `);
    const table = home.getElementById("answer-table")!.closest("table")!;
    for (const links of [home.querySelectorAll(".answer-rows .who"), table.querySelectorAll("a")]) {
      assertEquals(links.length, 4);
      for (const { attributes } of links) {
        const [, runId, id] = /runs\/([^/]+)\/#(.+)$/.exec(attributes.href!)!;
        assertEquals(runId, id === "even" ? newer : older);
      }
    }
  });

  await t.step("the data name the run of each", async () => {
    const file = join(site.folder, "api", "latest.json");
    const { id, impls, pairs } = apiRunSchema.parse(JSON.parse(await Deno.readTextFile(file)));
    assertEquals([id, pairs?.map(({ a, b }) => [a, b].sort().join())], [newer, [
      "even,freezing",
      "even,swift",
      "freezing,swift",
    ]]);
    assertEquals(
      impls.map(({ id, runId }) => [id, runId]),
      [["even", newer], ["freezing", older], ["swift", older], ["tweaked", older]],
    );
    assert(hrefsOf(home).includes(`${basePath}api/latest.json`));
  });

  await t.step(
    "a pair names the run of each, and the page of no run as that of the pair",
    async () => {
      const both = await site.page("compare/jwt-mysql/even-or-swift/index.html");
      assertStringIncludes(both.text, `from two runs: Even from ${newer}, Swift from ${older} · `);
      assert(!hrefsOf(both).includes(`${basePath}compare/${newer}/`));
      const one = await site.page("compare/jwt-mysql/freezing-or-swift/index.html");
      assertStringIncludes(one.text, `within one run, ${older} · `);
    },
  );

  await t.step(
    "the page of the earlier run says that it is a part of the current one",
    async () => {
      const marksOf = async (runId: string) =>
        textOf(await site.page(`runs/${runId}/index.html`), "main > .marks");
      assertEquals((await marksOf(older!))[0], `Part of the current run: it completes ${newer}.`);
      assertEquals((await marksOf(newer!)).filter((mark) => mark.includes("run")), []);
    },
  );

  await t.step("a badge leads to the run that it is from", async () => {
    const badge = (id: string) =>
      Deno.readTextFile(join(site.folder, "badges", "jwt-mysql", `${id}.svg`));
    assertStringIncludes(await badge("even"), `runs/${newer}/#even`);
    assertStringIncludes(await badge("swift"), `runs/${older}/#swift`);
    const [words] = textOf(await site.page("impls/swift/index.html"), "#badge ~ p").slice(1);
    assertStringIncludes(words!, `From run ${older}`);
  });
});
