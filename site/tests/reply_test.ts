import { assert, assertEquals } from "@std/assert";
import { hrefsOf } from "../../bench/testing/pages.ts";
import { basePath, example, exampleRunId, repository, siteOf } from "../../bench/testing/site.ts";

const home = `https://example.org${basePath}`;

Deno.test("every page leads to the repository; those with figures to the forms, with the run filled in", async () => {
  const built = await siteOf(example);
  const pages = await built.files(".html");
  const fieldOf = async (path: string, template: string, field: string) => {
    const hrefs = hrefsOf(await built.page(path)).map((href) => href.replaceAll("&amp;", "&"))
      .filter((href) => href.startsWith(`${repository}/issues/new?template=${template}`));
    assertEquals(hrefs.length, 1, `${path}: ${template}`);
    return new URL(hrefs[0]!).searchParams.get(field);
  };
  for (const path of pages) {
    assert(hrefsOf(await built.page(path)).includes(repository), path);
  }
  const run = `${home}runs/${exampleRunId}/`;
  assertEquals(await fieldOf(`runs/${exampleRunId}/index.html`, "wrong-number.yml", "page"), run);
  const about = await fieldOf("index.html", "wrong-number.yml", "page");
  assert(about?.startsWith(run) && about.endsWith(" connections"), about ?? "");
  const [impl] = pages.filter((path) => /^impls\/[^/]+\/index\.html$/.test(path));
  const [, id] = impl!.split("/");
  const ofImpl = await fieldOf(impl!, "wrong-number.yml", "page");
  assert(ofImpl?.startsWith(`${run}#${id}, `), ofImpl ?? "");
  assertEquals(await fieldOf(impl!, "new-implementation.yml", "scenarios"), "jwt-mysql");
});
