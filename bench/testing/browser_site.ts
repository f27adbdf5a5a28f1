/** The sites that tests in a browser look at: one with every kind of page, and the one that is published. */
import { serveSite } from "./browser_server.ts";
import { exampleNoise } from "./example_files.ts";
import { exampleHelloRun, exampleRun } from "./example_run.ts";
import { basePath, captured, type Data, helloRunId, published, type Site, siteOf } from "./site.ts";
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

/** Serves a site with made-up runs of every kind, hostile and broken ones among them. */
export async function serveExample(): Promise<ServedSite> {
  const runs = await Promise.all(
    (await listRunIds(captured.runs)).map((runId) => readRun(captured.runs, runId)),
  );
  return await serve({
    runs: [...runs, ...exampleRunIds.map((runId) => exampleRun(runId)), exampleHelloRun(helloRunId)]
      .flat(),
    noise: [exampleNoise("20260106T000000Z-0000006")],
  });
}

/** Serves the site as it is published. */
export async function servePublished(): Promise<ServedSite> {
  return await serve(published);
}

async function serve(data: Data): Promise<ServedSite> {
  const site = await siteOf(data);
  const { origin, [Symbol.asyncDispose]: dispose } = serveSite(site.folder, basePath);
  return {
    site,
    origin,
    pages: (await site.files(".html")).sort(),
    urlOf: (page) => `${origin}${basePath}${page.replace(/(^|\/)index\.html$/, "$1")}`,
    [Symbol.asyncDispose]: dispose,
  };
}

/**
 * Returns the pages to look at of a site that may have very many: of those that are made by one template from data, such
 * as `runs/<run-id>/index.html`, the last, which is the newest of runs; of the others all, as each is the only one.
 */
export function samplePages(pages: string[]): string[] {
  const kinds = Map.groupBy(pages, (page) => {
    const folders = page.split("/").slice(0, -1);
    return folders.length < 2 ? page : `${folders[0]}, depth ${folders.length}`;
  });
  return [...kinds.values()].map((kind) => kind.toSorted().at(-1)!);
}
