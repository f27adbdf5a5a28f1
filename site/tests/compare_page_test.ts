/** The page that compares any two, as it is without its script. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { hrefsOf, rowsOf } from "../../bench/testing/pages.ts";
import { basePath, example, exampleRunId, helloRunId, siteOf } from "../../bench/testing/site.ts";

Deno.test("the page for any two", async (t) => {
  const site = await siteOf(example);
  const page = await site.page("compare/index.html");

  await t.step("has forms that are hidden until a script fills them", () => {
    const form = page.getElementById("compare")!;
    assertEquals(form.querySelectorAll("select").map(({ attributes }) => attributes.name), [
      "run-a",
      "impl-a",
      "run-b",
      "impl-b",
    ]);
    for (const select of form.querySelectorAll("select")) {
      assert(form.querySelector(`label[for=${select.id}]`) !== null, select.id);
    }
    assertEquals([form.attributes.method, form.attributes["data-base"]], ["get", basePath]);
    assert("hidden" in form.attributes);
    assertEquals(page.getElementById("compare-status")!.attributes.role, "status");
    assertEquals(page.querySelectorAll("noscript").length, 2);
    assertStringIncludes(form.closest("details")!.querySelector("noscript")!.text, "JavaScript");
  });

  await t.step("lists the pages of runs, the newest first", () => {
    const rows = rowsOf(page, "compared-runs");
    assertEquals([...rows].map(([runId, [, , scenario]]) => [runId, scenario]), [
      [exampleRunId, "jwt-mysql"],
      [helloRunId, "hello"],
    ]);
    for (const runId of rows.keys()) {
      assert(hrefsOf(page).includes(`${basePath}compare/${runId}/`));
    }
  });

  await t.step("has one small script of its own, and the other pages none", async () => {
    const [script] = page.querySelectorAll("script[type=module]");
    assertMatch(script!.attributes.integrity!, /^sha256-/);
    const path = script!.attributes.src!.slice(basePath.length);
    const { size } = await Deno.stat(join(site.folder, path));
    assert(size < 15_000, `${size} bytes`);
    const other = await site.page(`compare/${exampleRunId}/index.html`);
    assertEquals(other.querySelectorAll("script[type=module]").length, 0);
  });
});

Deno.test("the page for any two is there before there is any run", async () => {
  const site = await siteOf();
  const page = await site.page("compare/index.html");
  assertStringIncludes(page.text, "No run has been published yet");
});
