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

Deno.test("every page is shown with a card of 1200 × 630, those that people link to with their own", async () => {
  const built = await siteOf(example);
  const pages = (await built.files("index.html")).toSorted();
  const own = pages.filter((path) =>
    /^(runs|impls|answers|claims|compare\/[a-z-]+)\/.+\/index\.html$/.test(path)
  );
  for (const kind of ["runs/", "impls/", "answers/", "claims/", "compare/jwt-mysql/"]) {
    assert(own.some((path) => path.startsWith(kind)), `no page of ${kind}`);
  }
  for (const path of pages) {
    const meta = await metaOf(built, path);
    const file = fileOf(meta);
    if (own.includes(path)) assertEquals(file, `cards/${path.replace("/index.html", "")}.png`);
    const size = pngSize(await Deno.readFile(join(built.folder, file)));
    assertEquals(size, { width: 1200, height: 630 }, file);
    assertEquals(meta.get("og:image:width"), "1200");
    assertEquals(meta.get("og:image:height"), "630");
    assertEquals(meta.get("twitter:card"), "summary_large_image");
    assertEquals(meta.get("og:url"), `${origin}${basePath}${path.replace("index.html", "")}`);
    assert((meta.get("og:image:alt") ?? "").length > 20, path);
    assert((meta.get("og:description") ?? "").length > 20, path);
    if (own.includes(path)) {
      assertStringIncludes(meta.get("og:image:alt")!, meta.get("og:title")!, path);
    }
    const svg = await Deno.stat(join(built.folder, file.replace(".png", ".svg")));
    assert(svg.size < 60_000, `${file}: ${svg.size} bytes`);
  }
});

Deno.test("an implementation's badge has the place that the ranking gives, as its card", async () => {
  const built = await siteOf(example);
  const pages = (await built.files("index.html")).filter((path) => /^impls\/.+\//.test(path));
  const words: string[] = [];
  for (const path of pages) {
    const page = await built.page(path);
    const image = page.querySelector('img[src*="/badges/"]');
    if (image === null) continue;
    const file = image.getAttribute("src")!.slice(basePath.length);
    const svg = await Deno.readTextFile(join(built.folder, file));
    const [, place] =
      /^Backbench: (.+?), [a-z-]+, \d+ connections$/.exec(image.getAttribute("alt")!) ??
        [];
    if (place === undefined) throw new Error(image.outerHTML);
    words.push(place);
    assertStringIncludes(svg, `>${image.getAttribute("alt")!.replace("Backbench: ", "")}</text>`);
    assertStringIncludes((await metaOf(built, path)).get("og:title")!, ` is ${place} `);
    const run = /href="\.\.\/\.\.\/(runs\/[^/]+\/)#/.exec(svg)?.[1];
    assert((await built.files("index.html")).includes(`${run}index.html`), `${file}: ${run}`);
  }
  assert(words.some((place) => /1st of \d+$/.test(place)), words.join("; "));
});

Deno.test("a run's card is titled by what it found", async () => {
  const built = await siteOf(example);
  const meta = await metaOf(built, `runs/${exampleRunId}/index.html`);
  const home = await built.page("index.html");
  assertEquals(meta.get("og:title"), home.querySelector(".verdict")?.text.trim());
});
