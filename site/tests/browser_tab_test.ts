import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { launchBrowser } from "../../bench/testing/browser.ts";
import { serveSite } from "../../bench/testing/browser_server.ts";
import { inspectPage, openTab } from "../../bench/testing/browser_tab.ts";
import { BenchError } from "../../bench/lib/error.ts";

const sound = page(`<h1>Sound</h1><p>Nothing is wrong here.</p>`);

Deno.test("launchBrowser() names what to install where there is no Chromium", async () => {
  for (
    const [env, message] of [
      [
        { PATH: "/nonexistent" },
        'Cannot start "chromium": none of chromium, chromium-browser, google-chrome is on PATH, expected one',
      ],
      [
        { ...Deno.env.toObject(), BACKBENCH_CHROMIUM: "/nonexistent/chromium" },
        'Cannot start "/nonexistent/chromium": no such file, expected the Chromium that BACKBENCH_CHROMIUM names',
      ],
    ] as const
  ) {
    const error = await assertRejects(() => launchBrowser(env), BenchError);
    assertEquals(error.message, message);
    assertMatch(error.help ?? "", /apt install chromium/);
  }
});

Deno.test("serveSite() serves below its base path, and what is missing as 404.html", async () => {
  await using site = await serveFiles({
    "index.html": sound,
    "404.html": "missing",
    "a/b.json": "{}",
  });
  const get = async (path: string) => {
    const response = await fetch(site.origin + path);
    return [response.status, response.headers.get("content-type"), await response.text()];
  };
  const html = "text/html; charset=UTF-8";
  assertEquals(await get("/base/"), [200, html, sound]);
  assertEquals(await get("/base/a/b.json"), [200, "application/json; charset=UTF-8", "{}"]);
  for (const path of ["/", "/base/none", "/base/a", "/base/a/", "/base/..%2f..%2fetc%2fpasswd"]) {
    assertEquals(await get(path), [404, html, "missing"], path);
  }
});

Deno.test("inspectPage() finds what is wrong with a page, and nothing with a sound one", async (t) => {
  await using site = await serveFiles({
    "index.html": sound,
    "console.html": page("<h1>Says</h1><script>console.error('it says so')</script>"),
    "throws.html": page("<h1>Throws</h1><script>throw new Error('it throws')</script>"),
    "missing.html": page('<h1>Asks</h1><img alt="none" src="none.png">'),
    "elsewhere.html": page('<h1>Asks</h1><img alt="none" src="http://127.0.0.1:1/none.png">'),
    "wide.html": page('<h1>Wide</h1><p style="width: 400px">Wider than a phone</p>'),
    "dark.html": page(
      "<h1>Dim</h1><style>@media (prefers-color-scheme: dark) { p { color: #ddd } }</style><p>Dim</p>",
    ),
    "heading.html": page("<h1>Skips</h1><h3>A level</h3>"),
  });
  await using browser = await launchBrowser();
  await using tab = await openTab(browser, site.origin);
  for (
    const [file, expected] of [
      ["", []],
      ["console.html", [/at 320 px, light: console: it says so$/]],
      ["throws.html", [/at 320 px, light: script: it throws$/]],
      ["missing.html", [/: console: .*404/, /: 404 at .*none\.png$/]],
      ["elsewhere.html", [/: asks http:/, /: console: .*/, /: net::ERR_\w+ at http:/]],
      ["wide.html", [
        /at 320 px, light: scrolls across: 4\d\d px of content in 320 px$/,
        /at 320 px, dark: scrolls/,
      ]],
      ["dark.html", [
        /at 320 px, dark: axe color-contrast, 1 times/,
        /at 1440 px, dark: axe color-contrast/,
      ]],
      ["heading.html", new Array<RegExp>(2).fill(/: axe heading-order, 1 times: <h3>/)],
    ] as const
  ) {
    await t.step(file === "" ? "sound" : file, async () => {
      const problems = (await inspectPage(tab, `${site.origin}/base/${file}`)).sort();
      assertEquals(problems.length, expected.length, problems.join("\n"));
      for (const pattern of expected) {
        assertEquals(
          problems.filter((problem) => pattern.test(problem)).length > 0,
          true,
          `${pattern}: ${problems}`,
        );
      }
    });
  }
});

function page(main: string): string {
  return `<!doctype html><html lang="en"><head><title>A page</title><link rel="icon" href="data:,"></head><body><main>${main}</main></body></html>`;
}

async function serveFiles(files: Record<string, string>) {
  const folder = await Deno.makeTempDir();
  await Deno.mkdir(join(folder, "a"));
  for (const [path, text] of Object.entries(files)) {
    await Deno.writeTextFile(join(folder, path), text);
  }
  const served = serveSite(folder, "/base/");
  return {
    origin: served.origin,
    [Symbol.asyncDispose]: async () => {
      await served[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
