/** The sites that tests in a browser look at: one with every kind of page, and the one that is published. */
import { fromFileUrl, join } from "@std/path";
import { serveSite } from "./browser_server.ts";
import { exampleNoise, exampleRun } from "./example_run.ts";
import { basePath, buildSite, makeData, type Site } from "./site.ts";
import { repositoryRoot } from "../measure/begin_result.ts";
import { listRunIds, readRun } from "../results/store.ts";

/** The runs that have every part; a page compares the second with the first. */
export const exampleRunIds = ["20260105T000000Z-0000005", "20260107T000000Z-0000007"] as const;

/** A site that is built and served. */
export interface ServedSite extends AsyncDisposable {
  site: Site;
  origin: string;
  /** Paths of files of pages, such as `runs/index.html`. */
  pages: string[];
  /** Returns the address of a page. */
  urlOf(page: string): string;
}

/** Builds and serves a site with made-up runs of every kind, hostile and broken ones among them. */
export async function serveExample(): Promise<ServedSite> {
  const captured = fromFileUrl(new URL("captured/runs", import.meta.url));
  const results = [
    ...await Promise.all((await listRunIds(captured)).map((runId) => readRun(captured, runId))),
    ...exampleRunIds.map((runId) => exampleRun(runId)),
  ].flat();
  const noise = [exampleNoise("20260106T000000Z-0000006")];
  await using data = await makeData({ results, noise });
  return await serve(await buildSite(data));
}

/** Builds and serves the site as it is published. */
export async function servePublished(): Promise<ServedSite> {
  const data = join(repositoryRoot, "site", "data");
  return await serve(await buildSite({ runs: join(data, "runs"), noise: join(data, "noise") }));
}

async function serve(site: Site): Promise<ServedSite> {
  await using stack = new AsyncDisposableStack();
  stack.use(site);
  const { origin } = stack.use(serveSite(site.folder, basePath));
  const pages = (await site.files(".html")).sort();
  const all = stack.move();
  return {
    site,
    origin,
    pages,
    urlOf: (page) => `${origin}${basePath}${page.replace(/(^|\/)index\.html$/, "$1")}`,
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

/**
 * Returns the pages to look at of a site that may have very many: all, but of those that are made from data,
 * such as `runs/<run-id>/index.html`, the last two of each kind, which are the newest of runs.
 */
export function samplePages(pages: string[]): string[] {
  const kinds = Map.groupBy(pages, (page) => {
    const folders = page.split("/").slice(0, -1);
    return folders.length < 2 ? page : folders.slice(0, -1).join("/");
  });
  return [...kinds.values()].flatMap((kind) => kind.toSorted().slice(-2));
}
