import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "@std/path";
import { DOMParser, onErrorStopParsing } from "@xmldom/xmldom";
import { pngSize } from "../../bench/testing/png.ts";
import { basePath, captured, example, siteOf } from "../../bench/testing/site.ts";

const home = `https://example.org${basePath}`;

Deno.test("every feed is well-formed, names itself, and leads to pages that exist", async () => {
  const built = await siteOf({ ...example, local: captured.local });
  const paths = await built.files("");
  const feeds = paths.filter((path) => path === "changes.xml" || path.endsWith("feed.xml"));
  const impls = paths.filter((path) => /^impls\/.+\/index\.html$/.test(path));
  assertEquals(
    feeds.toSorted(),
    ["changes.xml", "feed.xml", ...impls.map((path) => path.replace("index.html", "feed.xml"))]
      .toSorted(),
  );
  for (const path of feeds) {
    const feed = new DOMParser({ onError: onErrorStopParsing })
      .parseFromString(await Deno.readTextFile(join(built.folder, path)), "application/xml");
    const links = [...feed.getElementsByTagName("link")];
    assertEquals(
      links.find((link) => link.getAttribute("rel") === "self")?.getAttribute("href"),
      `${home}${path}`,
    );
    for (const link of links) {
      const address = link.getAttribute("href")!.replace(/#.*/, "");
      assert(address.startsWith(home), address);
      const file = address.slice(home.length).replace(/(^|\/)$/, "$1index.html");
      assert(paths.includes(file), `${path} leads to ${file}`);
    }
    for (const entry of feed.getElementsByTagName("entry")) {
      const title = entry.getElementsByTagName("title")[0]!.textContent!;
      assertMatch(title, /[a-z]{3}/, path);
      assert(entry.getElementsByTagName("summary")[0]!.textContent !== "", path);
    }
  }
});

Deno.test("an implementation's page names its feed, which says what each run found", async () => {
  const built = await siteOf(example);
  const foundBy = async (id: string) => {
    const page = await built.page(`impls/${id}/index.html`);
    const feed = `impls/${id}/feed.xml`;
    assert(page.querySelector(`link[rel="alternate"][href="${basePath}${feed}"]`) !== null);
    return await Deno.readTextFile(join(built.folder, feed));
  };
  const says = / times the control’s warm goodput \(95 %: [\d.]+–[\d.]+\)/;
  assertMatch(await foundBy("even"), new RegExp(`<title>[^<]+${says.source}`));
  // Of a bound, the end of the interval that is known.
  assertMatch(
    await foundBy("tweaked"),
    /<title>[^<]+at least [\d.]+ times the control’s warm goodput \(jwt-mysql\)/,
  );
});

Deno.test("what machines look for is there: robots, sitemap, icons", async () => {
  const built = await siteOf(example);
  const read = (path: string) => Deno.readTextFile(join(built.folder, path));
  assertStringIncludes(await read("robots.txt"), `Sitemap: ${home}sitemap.xml`);
  const listed = [...(await read("sitemap.xml")).matchAll(/<loc>([^<]+)<\/loc>/g)]
    .map(([, address]) => address!.slice(home.length));
  const pages = (await built.files("index.html")).map((path) => path.replace("index.html", ""));
  assertEquals(listed.toSorted(), pages.toSorted());
  const icons = (await built.page("index.html"))
    .querySelectorAll('link[rel="apple-touch-icon"], link[rel="icon"][type="image/png"]')
    .map((link) => link.getAttribute("href")!.slice(basePath.length));
  assertEquals(icons.length, 2);
  for (const icon of icons) {
    const pixels = Number(/(\d+)\.png$/.exec(icon)?.[1]);
    const size = pngSize(await Deno.readFile(join(built.folder, icon)));
    assertEquals(size, { width: pixels, height: pixels });
  }
});

Deno.test("the control has a page with its version, its source, its licence and the spread of its rate", async () => {
  const built = await siteOf(example);
  const page = await built.page("control/index.html");
  for (const part of ["bench/native/control", "MIT", "highest over lowest"]) {
    assertStringIncludes(page.text, part);
  }
  const footer = page.querySelector(`footer a[href="${basePath}control/"]`);
  assert(footer !== null);
});
