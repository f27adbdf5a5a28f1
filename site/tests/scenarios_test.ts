import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { defaultScenarioId } from "../../bench/scenario/ids.ts";
import { deriveHelloShares, type HelloShares } from "../../bench/site/hello_shares.ts";
import { deriveScenarios } from "../../bench/site/scenarios.ts";
import { fileOf, format, hrefsOf, rowsOf, textOf } from "../../bench/testing/pages.ts";
import { basePath, example, exampleRunId, helloRunId, siteOf } from "../../bench/testing/site.ts";

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
      // What scenarios have in place of levels has tests of its own.
      if (levels.length === 0) continue;
      const [, shownLevels, shownRequests, , comparedAt] = profiles.get(profile)!;
      assertEquals([shownLevels, shownRequests, comparedAt], [
        levels.join(", "),
        format(requests, 1, 0),
        comparison?.levels.join(", ") ?? "–absent",
      ]);
    }
    const runId = new Map([[defaultScenarioId, exampleRunId], ["hello", helloRunId]])
      .get(scenario.id);
    if (runId === undefined) continue;
    const hrefs = hrefsOf(page);
    const isDefault = scenario.id === defaultScenarioId;
    for (const { impl } of example.runs) {
      const end = isDefault ? "" : `${scenario.id}/`;
      assert(hrefs.includes(`${basePath}impls/${impl.id}/${end}`));
    }
    assert(hrefs.includes(`${basePath}runs/${runId}/`));
    if (!isDefault) continue;
    // Of the same level as the home page's.
    assertEquals(textOf(page, ".verdict"), textOf(await site.page("index.html"), ".verdict"));
  }
  const list = rowsOf(await site.page("scenarios/index.html"), "scenarios");
  assertEquals([...list.keys()], (await deriveScenarios()).map(({ id }) => id));
});

Deno.test("a scenario without database and tokens has pages of its own, which show nothing of either", async () => {
  const site = await siteOf(example);
  const paths = [
    "scenarios/hello/index.html",
    "impls/swift/hello/index.html",
    `runs/${helloRunId}/index.html`,
    `compare/${helloRunId}/index.html`,
  ];
  for (const path of paths) {
    const { text } = (await site.page(path)).querySelector("main")!;
    const rules = path.startsWith("scenarios")
      ? /column|query/i
      : /database|driver|jwt|token|quer/i;
    assertEquals(rules.exec(text.replaceAll("jwt-mysql", ""))?.[0], undefined, path);
  }
});

Deno.test("what a job leaves of hello's throughput is on its page and that of each implementation", async () => {
  const site = await siteOf(example);
  const shares = deriveHelloShares(example.runs);
  const linesOf = async (path: string) => {
    const table = (await site.page(path)).getElementById("hello-shares")?.closest("table");
    const rows = table?.querySelectorAll("tbody tr:not(.group)") ?? [];
    return rows.map((row) => textOf(row, "td")[0]);
  };
  const textsOf = (each: HelloShares[]) =>
    each.flatMap(({ levels }) =>
      levels.map((level) =>
        "missing" in level
          ? level.missing
          : `${level.qualifier ?? ""} ${format(level.estimate, 100)} %`.trim()
      )
    );
  assertEquals(shares.map(({ id }) => id), ["even", "freezing", "swift", "tweaked"]);
  assertEquals(await linesOf("scenarios/jwt-mysql/index.html"), textsOf(shares));
  const ofSwift = shares.filter(({ id }) => id === "swift");
  assertEquals(await linesOf("impls/swift/index.html"), textsOf(ofSwift));
  assertEquals(await linesOf("impls/swift/hello/index.html"), textsOf(ofSwift));
  assertEquals(await linesOf("scenarios/hello/index.html"), []);
});

Deno.test("the list of implementations has the throughput of every scenario side by side, as its answer has it", async () => {
  const site = await siteOf(example);
  const page = await site.page("impls/index.html");
  const rows = rowsOf(page, "shares");
  const links = hrefsOf(page.getElementById("side-by-side")!.nextElementSibling!);
  assertEquals(links.length, 2);
  let count = 0;
  for (const [index, link] of links.entries()) {
    const answer = await site.page(fileOf(link));
    for (const row of answer.querySelectorAll(".answer-row")) {
      const [name] = textOf(row, ".who");
      const [share = "not known"] = textOf(row, ".share");
      assertEquals(rows.get(name!)?.[index + 1], share, `${link}: ${name}`);
      count += 1;
    }
  }
  assert(count > rows.size);
});

Deno.test("every other scenario hangs below the default one", async () => {
  const site = await siteOf(example);
  const linksOf = async (path: string) => hrefsOf(await site.page(path));
  const home = await linksOf("index.html");
  for (const path of ["scenarios/hello/", `runs/${helloRunId}/`, `runs/${exampleRunId}/`]) {
    assert(home.includes(`${basePath}${path}`), path);
  }
  assert((await linksOf("impls/swift/index.html")).includes(`${basePath}impls/swift/hello/`));
  assert((await linksOf("impls/swift/hello/index.html")).includes(`${basePath}impls/swift/`));
  const impls = await linksOf("impls/index.html");
  for (const path of ["impls/swift/", "impls/swift/hello/"]) {
    assert(impls.includes(`${basePath}${path}`), path);
  }
  const runs = await site.page("runs/index.html");
  const scenarioOf = (runId: string) =>
    textOf(runs.querySelector(`main a[href$="runs/${runId}/"]`)!.closest("tr")!, "td")[1];
  assertEquals([helloRunId, exampleRunId].map(scenarioOf), ["hello", "jwt-mysql"]);
});

Deno.test("the page of a scenario that nobody has done says so", async () => {
  const site = await siteOf();
  const { text } = await site.page("scenarios/jwt-mysql/index.html");
  assertStringIncludes(text, "None has been measured yet");
  assertStringIncludes(text, "No run has been published yet");
});
