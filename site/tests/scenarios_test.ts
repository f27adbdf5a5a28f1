import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { deriveScenarios } from "../../bench/site/scenarios.ts";
import { format, hrefsOf, rowsOf } from "../../bench/testing/pages.ts";
import { basePath, example, exampleRunId, siteOf } from "../../bench/testing/site.ts";

Deno.test("the page of a scenario has its contract, its plans and who does it", async () => {
  const site = await siteOf(example);
  for (const scenario of await deriveScenarios()) {
    const page = await site.page(`scenarios/${scenario.id}/index.html`);
    assertEquals(
      [...rowsOf(page, "contract-table").values()],
      scenario.rules.map(({ sent, answer, checks }) => [sent, answer, checks.join("; ")]),
    );
    if (scenario.table !== undefined) {
      assertEquals(
        [...rowsOf(page, "columns").values()],
        scenario.table.columns.map(({ name, type, role }) => [name, type, role]),
      );
    }
    const profiles = rowsOf(page, "profiles");
    for (const { profile, levels, requests, comparison } of scenario.profiles) {
      const [, shownLevels, shownRequests, , comparedAt] = profiles.get(profile)!;
      assertEquals([shownLevels, shownRequests, comparedAt], [
        levels.join(", "),
        format(requests, 1, 0),
        comparison?.levels.join(", ") ?? "–absent",
      ]);
    }
    const hrefs = hrefsOf(page);
    for (const { impl } of example.runs) assert(hrefs.includes(`${basePath}impls/${impl.id}/`));
    assert(hrefs.includes(`${basePath}runs/${exampleRunId}/`));
  }
  const list = rowsOf(await site.page("scenarios/index.html"), "scenarios");
  assertEquals([...list.keys()], (await deriveScenarios()).map(({ id }) => id));
});

Deno.test("the page of a scenario that nobody has done says so", async () => {
  const site = await siteOf();
  const { text } = await site.page("scenarios/jwt-mysql/index.html");
  assertStringIncludes(text, "None has been measured yet");
  assertStringIncludes(text, "No run has been published yet");
});
