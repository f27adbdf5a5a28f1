/**
 * The files about all runs: for other programs, and the data of the home page, the data page and the feed.
 */
import { csvColumns } from "./columns.ts";
import { csvHeader } from "./csv.ts";
import { apiSchemaJson } from "./json_schema.ts";
import { noiseJsonSchema } from "../../results/json_schema.ts";
import { schemaVersion } from "../../results/result_schema.ts";
import { type ApiIndex, type ApiRun, apiVersion } from "./schema.ts";
import { latestAddress } from "../addresses.ts";
import { type CurrentRun, runIdsOf } from "../current_run.ts";
import type { WriteDerived } from "../derived_files.ts";
import { feedLength } from "../feed_item.ts";
import type { KeptRun, ListedRun } from "../derived_run.ts";
import {
  type Headline,
  type HeadlineClass,
  type HeadlineEntry,
  headlineOf,
  standingOverRuns,
} from "../headline.ts";
import type { RunSummary } from "../run_summary.ts";
import { isOverRuns } from "../../results/over_runs.ts";
import { pairOf } from "../../results/rank.ts";
import { defaultScenarioId } from "../../scenario/ids.ts";

/** A run in the feed: `data/feed.json`, the newest first. */
export interface FeedEntry extends Omit<Headline, "classes"> {
  /** What it found, in a sentence without its period. */
  finding: string;
  classes: FeedClass[];
}

interface FeedClass extends Omit<HeadlineClass, "entries"> {
  /** Why some have no figure; failed ones are listed separately. */
  withoutFigure: Required<Pick<HeadlineEntry, "name" | "missing">>[];
}

/** The data of the home page: `data/home.json`. */
export interface Home {
  /** Of the default scenario, over the comparable runs; absent without a run. */
  headline?: Headline;
  /** Who leads in that run alone, in a sentence; absent where the headline is of that run alone. */
  alone?: string;
  /** Newer than that and of the same scenario, newest first; without reproductions. */
  later: Pick<RunSummary, "id" | "profile" | "marks">[];
  /** The current runs of the other scenarios, each with what it found, in a sentence without its period. */
  others: OtherScenario[];
}

/** The current run of a scenario, with the ids of the runs that it is of, the newest first. */
interface OtherScenario
  extends Pick<ListedRun, "scenario" | "startedAt" | "profile" | "implCount" | "finding"> {
  runIds: string[];
}

/**
 * Writes the files of all runs; takes them newest first, the current one of each scenario, and by the scenario what those found
 * that earlier runs complete, each in a sentence without its period.
 */
export async function writeExports(
  runs: KeptRun[],
  { current, findings }: { current: readonly CurrentRun[]; findings: ReadonlyMap<string, string> },
  write: WriteDerived,
): Promise<void> {
  const latest = current.map(latestOf);
  for (const run of latest) await write(`static/${latestAddress(run.scenario)}`, run);
  await write("static/api/index.json", indexOf(runs, latest));
  await write("static/api/results.csv", csvHeader() + runs.map(({ rows }) => rows).join(""));
  await write(`static/schemas/api-v${apiVersion}.json`, apiSchemaJson());
  await write(`static/schemas/noise-v${schemaVersion}.json`, noiseJsonSchema());
  await write("data/home.json", homeOf(runs, current, findings));
  const published = runs.filter(({ summary }) => !summary.local).slice(0, feedLength);
  await write(
    "data/feed.json",
    published.map(({ headline, summary }) => ({
      ...feedEntryOf(headline),
      finding: summary.finding,
    })),
  );
  await write("data/columns.json", csvColumns);
}

/** Returns a current run with the pairs that pages show; those of one run alone are in its own file. */
function latestOf({ api, known }: CurrentRun): ApiRun {
  const levels = new Set(api.pairs?.map(({ connections }) => connections));
  const standings = new Map([...levels].map((at) => [at, standingOverRuns(known, at)]));
  const pairs = api.pairs?.map((pair) => {
    const over = pairOf(standings.get(pair.connections)!.pairs, pair.a, pair.b);
    if (over === undefined || !isOverRuns(over.ratio)) return pair;
    const { ratio, verdict, qualifier, hiddenBy } = over;
    return { ...pair, overRuns: { ...ratio, verdict, qualifier, hiddenBy } };
  });
  const isNews = runIdsOf(api.impls).length > 1 || pairs?.some(({ overRuns }) => overRuns);
  return { ...api, pairs: isNews ? pairs : undefined };
}

function homeOf(
  runs: KeptRun[],
  current: readonly CurrentRun[],
  findings: ReadonlyMap<string, string>,
): Home {
  const isDefault = ({ api }: CurrentRun) => api.scenario === defaultScenarioId;
  const shown = current.find(isDefault);
  const ofScenario = runs.filter(({ summary }) => summary.scenario === defaultScenarioId);
  const place = ofScenario.findIndex(({ summary }) => summary.id === shown?.api.id);
  const headline = shown && headlineOf(shown.api, (at) => standingOverRuns(shown.known, at));
  const [alone] = ofScenario[place]?.headline.classes ?? [];
  const isAlone = headline === undefined || headline.runs === 1 || headline.runIds.length > 1;
  return {
    headline,
    alone: isAlone ? undefined : alone?.sentences[0],
    later: ofScenario.slice(0, Math.max(0, place))
      .filter(({ summary }) => summary.reproduces === undefined)
      .map(({ summary: { id, profile, marks } }) => ({ id, profile, marks })),
    others: current.filter((run) => !isDefault(run)).map(({ api }) => {
      const { scenario, startedAt, profile, impls } = api;
      const { summary } = runs.find(({ summary }) => summary.id === api.id)!;
      const finding = findings.get(scenario) ?? summary.finding;
      const runIds = runIdsOf(impls);
      return { runIds, scenario, startedAt, profile, implCount: impls.length, finding };
    }),
  };
}

function feedEntryOf({ classes, ...headline }: Headline): Omit<FeedEntry, "finding"> {
  return {
    ...headline,
    classes: classes.map(({ entries, ...rest }) => ({
      ...rest,
      withoutFigure: entries.flatMap(({ id, name, missing }) =>
        missing === undefined || headline.failed.includes(id) ? [] : [{ name, missing }]
      ),
    })),
  };
}

function indexOf(runs: KeptRun[], latest: ApiRun[]): ApiIndex {
  return {
    schemaVersion: apiVersion,
    latest: latest.find(({ scenario }) => scenario === defaultScenarioId)?.id,
    scenarios: latest.map(({ scenario, id }) => ({ scenario, latest: id })),
    runs: runs.map(({ summary }) => {
      const { id, startedAt, scenario, profile, machine, commit, reproduces, marks } = summary;
      const impls = summary.impls.map(({ replica: _, ...impl }) => impl);
      return { id, startedAt, scenario, profile, machine, commit, reproduces, marks, impls };
    }),
  };
}
