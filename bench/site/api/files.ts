/**
 * The files for other programs, and what the home page, the page of the data and the feed are made from. Of each run,
 * its JSON and its rows of the table are written when it is derived; the rest is put together from those.
 */
import { join } from "@std/path";
import { exists } from "../../lib/cache.ts";
import { exportRun } from "./run.ts";
import { csvColumns } from "./columns.ts";
import { csvHeader, csvLines } from "./csv.ts";
import { apiSchemaJson } from "./json_schema.ts";
import { type ApiIndex, type ApiRun, apiVersion } from "./schema.ts";
import { type Headline, type HeadlineClass, type HeadlineEntry, headlineOf } from "../headline.ts";
import { latestRun } from "../latest_run.ts";
import type { DerivedRun } from "../ranking.ts";
import type { RunSummary } from "../run_summary.ts";
import type { Result } from "../../results/result_schema.ts";
import { writeIfChanged } from "../../lib/write_if_changed.ts";

/** A run in the feed. */
export interface FeedEntry extends Omit<Headline, "impls" | "classes"> {
  classes: FeedClass[];
}

interface FeedClass extends Omit<HeadlineClass, "entries"> {
  /** Why some have no figure; those that failed are listed apart. */
  problems: Required<Pick<HeadlineEntry, "name" | "missing">>[];
}

/** What the home page is made from: `data/home.json`. */
export interface Home {
  /** Absent without a run. */
  headline?: Headline;
  /** Newer than that, newest first. */
  later: Pick<RunSummary, "id" | "profile" | "marks">[];
}

const feedLength = 50;

/** Writes the files of one run. */
export async function writeRunExports(
  results: Result[],
  known: RunSummary & DerivedRun,
  target: string,
): Promise<void> {
  const run = exportRun(results, known);
  await writeIfChanged(runPath(target, run.id), JSON.stringify(run) + "\n");
  await writeIfChanged(rowsPath(target, run.id), csvLines(run));
}

/** Writes the files of all runs, and removes those of runs that are no more. Takes them newest first. */
export async function writeExports(index: RunSummary[], target: string): Promise<void> {
  await removeOthers(join(target, "static", "api", "runs"), index);
  const latestPath = join(target, "static", "api", "latest.json");
  const readRun = async (id: string): Promise<ApiRun> =>
    JSON.parse(await Deno.readTextFile(runPath(target, id)));
  const write = (path: string[], value: unknown) =>
    writeIfChanged(join(target, ...path), JSON.stringify(value) + "\n");

  const latest = latestRun(index);
  const home: Home = { later: [] };
  if (latest !== undefined) {
    const { pairs, ...run } = await readRun(latest.id);
    await writeIfChanged(latestPath, JSON.stringify(run) + "\n");
    home.headline = headlineOf({ ...run, pairs });
    home.later = index.slice(0, index.indexOf(latest))
      .map(({ id, profile, marks }) => ({ id, profile, marks }));
  }
  if (latest === undefined && await exists(latestPath)) await Deno.remove(latestPath);
  await write(["data", "home.json"], home);
  await write(["static", "api", "index.json"], indexOf(index, latest));

  const feed: FeedEntry[] = [];
  for (const { id } of index.filter(({ local }) => !local).slice(0, feedLength)) {
    feed.push(feedEntryOf(headlineOf(await readRun(id))));
  }
  await write(["data", "feed.json"], feed);

  const rows = [];
  for (const { id } of index) rows.push(await Deno.readTextFile(rowsPath(target, id)));
  await writeIfChanged(
    join(target, "static", "api", "results.csv"),
    csvHeader() + rows.join(""),
  );
  await write(["data", "columns.json"], csvColumns);
  await writeIfChanged(
    join(target, "static", "schemas", `api-v${apiVersion}.json`),
    apiSchemaJson(),
  );
}

function feedEntryOf({ impls: _, classes, ...headline }: Headline): FeedEntry {
  return {
    ...headline,
    classes: classes.map(({ entries, ...rest }) => ({
      ...rest,
      problems: entries.flatMap(({ id, name, missing }) =>
        missing === undefined || headline.failed.includes(id) ? [] : [{ name, missing }]
      ),
    })),
  };
}

function indexOf(index: RunSummary[], latest: RunSummary | undefined): ApiIndex {
  return {
    schemaVersion: apiVersion,
    ...(latest === undefined ? {} : { latest: latest.id }),
    runs: index.map(({ version: _, local: __, tests: ___, machines: ____, ...run }) => run),
  };
}

function runPath(target: string, runId: string): string {
  return join(target, "static", "api", "runs", `${runId}.json`);
}

function rowsPath(target: string, runId: string): string {
  return join(target, "rows", `${runId}.csv`);
}

/** A local run that was served must not be published with the next site. */
async function removeOthers(folder: string, index: RunSummary[]): Promise<void> {
  const kept = new Set(index.map(({ id }) => `${id}.json`));
  await Deno.mkdir(folder, { recursive: true });
  for await (const { name } of Deno.readDir(folder)) {
    if (!kept.has(name)) await Deno.remove(join(folder, name));
  }
}
