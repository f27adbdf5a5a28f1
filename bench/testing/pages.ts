/** What tests read off the pages of a site. */
import type { HTMLElement } from "node-html-parser";
import { basePath, type Site } from "./site.ts";

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

/**
 * Returns what two cells show of a ratio and its interval: of a bound the end that is known, and of an interval that excludes 1
 * no end that touches it.
 */
export function ratioCells(
  { estimate, low, high }: { estimate: number; low: number; high: number },
  isAtLeast = false,
): [string, string] {
  const [shown, from, to] = [estimate, low, high].map((value) => format(value, 1, 3));
  if (isAtLeast) return [`at least ${from}`, `from ${from}`];
  const side = low > 1 ? "> " : high < 1 ? "< " : "";
  const [start, end] = [from, to].map((text) => text === "1.000" ? `${side}${text}` : text);
  return [shown!, `${start} to ${end}`];
}

/** Returns what a cell shows of cold goodput as a share of warm, with its interval. */
export function formatColdStart(
  coldStart: { share: number; low: number; high: number } | undefined,
): string {
  if (coldStart === undefined) return "–absent";
  const [share, low, high] = [coldStart.share, coldStart.low, coldStart.high].map((value) =>
    `${format(value, 100)} %`
  );
  return `${share} (${low} to ${high})`;
}
