import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { pngSize } from "../../bench/testing/png.ts";
import { basePath, example, exampleRunId, type Site, siteOf } from "../../bench/testing/site.ts";

const origin = "https://example.org";

async function metaOf(built: Site, path: string): Promise<Map<string, string>> {
  const page = await built.page(path);
  return new Map(
    page.querySelectorAll("meta[content]").map(({ attributes }) => [
      attributes.property ?? attributes.name ?? "",
      attributes.content!,
    ]),
  );
}

/** Returns the file of a page's card. */
function fileOf(meta: Map<string, string>): string {
  const address = meta.get("og:image") ?? "";
  assert(address.startsWith(`${origin}${basePath}`), address);
  return address.slice(`${origin}${basePath}`.length);
}

Deno.test("pages that people link to have a card of 1200 × 630 with words for it", async () => {
  const built = await siteOf(example);
  const pages = (await built.files(".html")).filter((path) =>
    /^(runs)\/.+\/index\.html$/.test(path)
  );
  assert(pages.some((path) => path.startsWith("runs/")));
  for (const path of pages) {
    const meta = await metaOf(built, path);
    const file = fileOf(meta);
    assertEquals(file, `cards/${path.replace("/index.html", "")}.png`);
    const size = pngSize(await Deno.readFile(join(built.folder, file)));
    assertEquals(size, { width: 1200, height: 630 }, file);
    assertEquals(meta.get("og:image:width"), "1200");
    assertEquals(meta.get("og:image:height"), "630");
    assertEquals(meta.get("twitter:card"), "summary_large_image");
    assertEquals(meta.get("og:url"), `${origin}${basePath}${path.replace("index.html", "")}`);
    assertStringIncludes(meta.get("og:image:alt") ?? "", meta.get("og:title")!, path);
    assert((meta.get("og:description") ?? "").length > 20, path);
    const svg = await Deno.stat(join(built.folder, file.replace(".png", ".svg")));
    assert(svg.size < 60_000, `${file}: ${svg.size} bytes`);
  }
});

Deno.test("a run's card is titled by what it found", async () => {
  const built = await siteOf(example);
  const meta = await metaOf(built, `runs/${exampleRunId}/index.html`);
  const home = await built.page("index.html");
  assertEquals(meta.get("og:title"), home.querySelector(".verdict")?.text.trim());
});
