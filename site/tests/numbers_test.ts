import { assert, assertEquals } from "@std/assert";
import { join } from "@std/path";
import type { HTMLElement } from "node-html-parser";
import { format, textOf } from "../../bench/testing/pages.ts";
import { example, exampleRunId, published, siteOf } from "../../bench/testing/site.ts";

Deno.test("every number in the tables and charts of a page stands in what is derived for it", async () => {
  for (const data of [published, example]) {
    const site = await siteOf(data);
    const pages = await site.files("/index.html");
    const runIds = pages.flatMap((path) => /^runs\/(\d[^/]+)\//.exec(path)?.[1] ?? []);
    assert(runIds.length > 0);
    const known = new Map<string, Set<string>>();
    const knownIn = async (path: string) => {
      const text = await Deno.readTextFile(join(site.folder, "..", "derived", path));
      const numbers = known.get(path) ?? new Set(textsOf(JSON.parse(text)));
      known.set(path, numbers);
      return numbers;
    };
    const ofRuns = (folder: string) => runIds.map((runId) => `assets/${folder}/${runId}.json`);
    const sources: [page: string, derived: string[]][] = [
      ["index.html", ["data/home.json", "assets/answers/view.json", ...ofRuns("changes")]],
      [
        "impls/index.html",
        ["data/impl_groups.json", "data/impl_list.json", "data/side_by_side.json"],
      ],
      ["runs/index.html", ["data/index.json"]],
      ["noise/index.html", ["data/noise.json", "data/false_alarms.json", "data/over_runs.json"]],
      ...runIds.flatMap((id): [string, string[]][] => [
        [`runs/${id}/index.html`, [`assets/runs/${id}.json`]],
        [`compare/${id}/index.html`, [`assets/compare/${id}.json`, `assets/changes/${id}.json`]],
      ]),
      ...pages.flatMap((page): [string, string[]][] => {
        const [, address] = /^(impls\/.+)\/index\.html$/.exec(page) ?? [];
        return address === undefined ? [] : [[page, [
          ...[`assets/${address}.json`, "data/impls.json", "data/hello_shares.json"],
          ...[...ofRuns("runs"), ...ofRuns("warm-ups")],
        ]]];
      }),
      ["changes/index.html", ["data/changes.json"]],
      ["compare/index.html", ["data/index.json"]],
      ["claims/index.html", ["data/claims.json"]],
      ...pages.flatMap((page): [string, string[]][] => {
        const [, address] = /^(compare\/[^/]+\/[^/]+-or-[^/]+\/)index\.html$/.exec(page) ?? [];
        return address === undefined ? [] : [[page, [`assets/${address}view.json`]]];
      }),
    ];
    for (const [page, paths] of sources) {
      const numbers = await Promise.all(paths.map(knownIn));
      assertEquals(underived(await site.page(page), numbers), [], page);
    }
  }
});

Deno.test("a number that a page works out by itself is found", async () => {
  const site = await siteOf(example);
  const page = await site.page(`runs/${exampleRunId}/index.html`);
  const path = join(site.folder, "..", "derived", "assets", "runs", `${exampleRunId}.json`);
  const known = [new Set(textsOf(JSON.parse(await Deno.readTextFile(path))))];
  assertEquals(underived(page, known), []);
  const [cell] = page.querySelectorAll("td:not([class])");
  cell!.textContent = "123,456";
  assertEquals(underived(page, known), ["123,456"]);
});

/** Returns the numbers in cells and in what charts read out that no derived number or text explains. */
function underived(page: HTMLElement, known: Set<string>[]): string[] {
  return [
    ...textOf(page, "td, tbody th, .claim dd, .answer-row"),
    ...textOf(page, "figure svg title"),
  ]
    .flatMap(numbersIn).filter((number) => !known.some((numbers) => numbers.has(number)));
}

/** Returns every text that a derived number is shown as, in any unit, and the numbers in derived texts. */
function textsOf(derived: unknown): string[] {
  if (typeof derived === "string") return numbersIn(derived);
  if (typeof derived === "number") {
    return [
      ...[0, 3].map((digits) => format(derived, 1, digits)),
      ...[1, 1e2, 1e3, 1e6, 1 / 1024 ** 2].map((factor) => format(derived, factor)),
      // A small share.
      ...(derived > 0 && derived < 0.001 ? [(100 * derived).toPrecision(2)] : []),
      String(derived),
    ];
  }
  if (typeof derived !== "object" || derived === null) return [];
  return Object.entries(derived).flatMap(([key, value]) => [...numbersIn(key), ...textsOf(value)]);
}

function numbersIn(text: string): string[] {
  return text.match(/\d+(?:,\d{3})*(?:\.\d+)?/g) ?? [];
}
