import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { HTMLElement } from "node-html-parser";
import { format, textOf } from "../../bench/testing/pages.ts";
import { example, exampleRunId, published, type Site, siteOf } from "../../bench/testing/site.ts";

Deno.test("every number in the tables and charts of a page stands in what is derived for it", async () => {
  for (const data of [published, example]) {
    const site = await siteOf(data);
    const runIds = (await site.files("index.html")).flatMap((path) =>
      /^runs\/([^/]+)\/index\.html$/.exec(path)?.[1] ?? []
    );
    assert(runIds.length > 0);
    for (const runId of runIds) {
      const run = await readDerived(site, `assets/runs/${runId}.json`);
      const compared = await readDerived(site, `assets/compare/${runId}.json`);
      const changes = await readDerived(site, `assets/changes/${runId}.json`);
      await assertDerived(site, `runs/${runId}/index.html`, run);
      await assertDerived(site, `compare/${runId}/index.html`, [compared, changes]);
    }
    for (const path of await site.files(".html")) {
      const [, id] = /^impls\/([^/]+)\/index\.html$/.exec(path) ?? [];
      if (id === undefined) continue;
      const history = await readDerived(site, `assets/impls/${id}.json`);
      const runs = await Promise.all(
        runIds.flatMap((runId) => [
          readDerived(site, `assets/runs/${runId}.json`),
          readDerived(site, `assets/warm-ups/${runId}.json`),
        ]),
      );
      await assertDerived(site, path, [history, runs]);
    }
  }
});

Deno.test("a number that a page works out by itself is found", async () => {
  const site = await siteOf(example);
  const page = await site.page(`runs/${exampleRunId}/index.html`);
  const run = await readDerived(site, `assets/runs/${exampleRunId}.json`);
  assertEquals(underived(page, [run]), []);
  const [cell] = page.querySelectorAll("td:not([class])");
  cell!.textContent = "123,456";
  assertEquals(underived(page, [run]), ["123,456"]);
});

async function readDerived(site: Site, path: string): Promise<unknown> {
  return JSON.parse(await Deno.readTextFile(join(site.folder, "..", "derived", path)));
}

async function assertDerived(site: Site, path: string, derived: unknown): Promise<void> {
  assertEquals(underived(await site.page(path), derived), [], path);
}

/** Returns the numbers in cells and in what charts read out that no derived number or text explains. */
function underived(page: HTMLElement, derived: unknown): string[] {
  const known = new Set(textsOf(derived));
  return [...textOf(page, "td, tbody th"), ...textOf(page, "figure svg title")]
    .flatMap(numbersIn).filter((number) => !known.has(number));
}

/** Returns every text that a derived number is shown as, in any unit, and the numbers in derived texts. */
function textsOf(derived: unknown): string[] {
  if (typeof derived === "string") return numbersIn(derived);
  if (typeof derived === "number") {
    return [
      ...[0, 3].map((digits) => format(derived, 1, digits)),
      ...[1, 1e2, 1e3, 1e6, 1 / 1024 ** 2].map((factor) => format(derived, factor)),
      String(derived),
    ];
  }
  if (typeof derived !== "object" || derived === null) return [];
  return Object.entries(derived).flatMap(([key, value]) => [...numbersIn(key), ...textsOf(value)]);
}

function numbersIn(text: string): string[] {
  return text.match(/\d[\d,]*(\.\d+)?/g) ?? [];
}
