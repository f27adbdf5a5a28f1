/** What tests of the site share: it is built as it is published, but from other data. */
import { assertEquals } from "@std/assert";
import { dirname, fromFileUrl, join } from "@std/path";
import { type HTMLElement, parse } from "node-html-parser";
import { deriveSite } from "../site/derive.ts";
import { hugoEnvironment } from "../site/hugo.ts";
import { logTail, runProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import type { Result } from "../results/result_schema.ts";
import type { NoiseFile } from "../results/files_schema.ts";
import { siteMounts } from "../site/mounts.ts";
import { ensureHugo } from "../tools/tools.ts";

const root = fromFileUrl(new URL("../..", import.meta.url));
/** The path under which tests publish the site. */
export const basePath = "/backbench/";

export interface Site extends AsyncDisposable {
  folder: string;
  /** Paths under the folder, of files that end so. */
  files(end: string): Promise<string[]>;
  page(path: string): Promise<HTMLElement>;
}

/** What a site is built from; absent parts are the site's own. */
export interface Sources {
  runs: string;
  local?: string;
  noise?: string;
  claims?: string;
}

/** Builds as the published site is built, but from other data. */
export async function buildSite({ runs, local, noise, claims }: Sources): Promise<Site> {
  const folder = await Deno.makeTempDir();
  const derived = join(folder, "derived");
  await deriveSite({
    publishedRuns: runs,
    ...(local === undefined ? {} : { localRuns: local }),
    noiseFolder: noise ?? join(folder, "none"),
    claimsPath: claims ?? join(root, "site", "data", "claims.toml"),
    target: derived,
  });
  const config = join(folder, "runs.toml");
  const output = join(folder, "public");
  await Deno.writeTextFile(config, siteMounts({ runs, local, noise, derived }));
  const signal = new AbortController().signal;
  const hugo = await ensureHugo({ report: silent, signal });
  const logPath = join(folder, "hugo.log");
  const { code } = await runProcess([
    hugo.path,
    ...["--source", join(root, "site"), "--config", `hugo.toml,${config}`],
    ...["--destination", output, "--baseURL", `https://example.org${basePath}`],
    ...["--panicOnWarning", "--noBuildLock"],
  ], { logPath, signal, env: hugoEnvironment });
  assertEquals(code, 0, await logTail(logPath));
  const paths = await listFiles(output);
  const pages = new Map<string, HTMLElement>();
  return {
    folder: output,
    files: (end) => Promise.resolve(paths.filter((path) => path.endsWith(end))),
    page: async (path) => {
      const page = pages.get(path) ?? parse(await Deno.readTextFile(join(output, path)));
      pages.set(path, page);
      return page;
    },
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

export interface Data {
  results?: Result[];
  noise?: NoiseFile[];
  /** The text of a file of claims; the site's own where it is absent. */
  claims?: string;
}

/** Writes data to build a site from. */
export async function makeData(
  { results = [], noise = [], claims }: Data,
): Promise<Sources & AsyncDisposable> {
  const folder = await Deno.makeTempDir();
  const inFolder = (name: string) => join(folder, name);
  const files: [path: string, text: string][] = [
    ...results.map((result): [string, string] => [
      join("runs", result.runId, `${result.impl.id}.json`),
      JSON.stringify(result),
    ]),
    ...noise.map((file): [string, string] => [
      join("noise", `${file.id}.json`),
      JSON.stringify(file),
    ]),
    ...claims === undefined ? [] : [["claims.toml", claims] satisfies [string, string]],
  ];
  await Deno.mkdir(inFolder("runs"));
  for (const [path, text] of files) {
    await Deno.mkdir(dirname(inFolder(path)), { recursive: true });
    await Deno.writeTextFile(inFolder(path), text);
  }
  return {
    runs: inFolder("runs"),
    noise: inFolder("noise"),
    ...(claims === undefined ? {} : { claims: inFolder("claims.toml") }),
    [Symbol.asyncDispose]: () => Deno.remove(folder, { recursive: true }),
  };
}

/** Returns a line for each link of a site, or for what a page loads, that leads nowhere within it. */
export async function brokenLinks(site: Site): Promise<string[]> {
  const base = `https://example.org${basePath}`;
  const broken: string[] = [];
  const files = new Set(await site.files(""));
  for (const path of await site.files(".html")) {
    for (const { attributes } of (await site.page(path)).querySelectorAll("[href], [src]")) {
      const url = new URL(attributes.href ?? attributes.src ?? "", base + path);
      if (!url.href.startsWith(base)) continue;
      const file = fileOf(url.pathname);
      if (!files.has(file)) broken.push(`${path}: nothing at ${url}`);
      else if (url.hash !== "") {
        const target = (await site.page(file)).getElementById(
          decodeURIComponent(url.hash.slice(1)),
        );
        if (target === null) broken.push(`${path}: no such place at ${url}`);
      }
    }
  }
  return broken;
}

/** Returns the file that a static host has for a path below the site's. */
export function fileOf(path: string): string {
  return decodeURIComponent(path.slice(basePath.length)).replace(/(^|\/)$/, "$1index.html");
}

export async function listFiles(folder: string, prefix = ""): Promise<string[]> {
  const paths: string[] = [];
  for await (const { name, isDirectory } of Deno.readDir(join(folder, prefix))) {
    const path = join(prefix, name);
    paths.push(...isDirectory ? await listFiles(folder, path) : [path]);
  }
  return paths;
}

/** Returns the cells of each row of a table, by the row's label. */
export function rowsOf(page: HTMLElement, id: string): Map<string, string[]> {
  const rows = page.getElementById(id)!.closest("table")!.querySelectorAll("tbody tr:not(.group)");
  return new Map(rows.map((row) => textOf(row, "th, td")).map((cells) => [cells[0] ?? "", cells]));
}

export function textOf(page: HTMLElement, selector: string): string[] {
  return page.querySelectorAll(selector).map(({ text }) => text.trim());
}

export function hrefsOf(page: HTMLElement): string[] {
  return page.querySelectorAll("[href]").map(({ attributes }) => attributes.href ?? "");
}

/** Returns the rows of one implementation: the group's label, then the cells. */
export function overviewOf(page: HTMLElement, name: string): string[][] {
  const table = page.getElementById("overview")!.closest("table")!;
  return table.querySelectorAll("tbody").flatMap((group) => {
    const [label = ""] = textOf(group, ".group th");
    return group.querySelectorAll("tr:not(.group)")
      .filter((row) => textOf(row, "th")[0] === name)
      .map((row) => [label, ...textOf(row, "td")]);
  });
}

/** Formats as the site should: three digits that count, or none behind the point. */
export function format(base: number | undefined, factor: number, digits?: number): string {
  if (base === undefined) return "–absent";
  const value = base * factor;
  const fractionDigits = digits ?? (value < 10 ? 2 : value < 100 ? 1 : 0);
  // Half a digit is rounded up, as Hugo does, although the number behind it may be a trace smaller.
  const rounded = Math.round(value * 10 ** fractionDigits) / 10 ** fractionDigits;
  return rounded.toLocaleString("en", {
    minimumFractionDigits: fractionDigits,
    maximumFractionDigits: fractionDigits,
  });
}
