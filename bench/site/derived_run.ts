/**
 * Derives one run. In: its results. Out: the files of its pages and for other programs, and a summary for what is
 * derived from all runs.
 */
import { type Beside, besideOf, type BesideRun } from "./beside.ts";
import { csvLines } from "./api/csv.ts";
import { exportRun } from "./api/run.ts";
import { runCard } from "./cards.ts";
import { deriveChanges, type DerivedChanges } from "./changes/changes.ts";
import { chooseBefore } from "./changes/choose_before.ts";
import { type ComparedRun, comparedRunOf } from "../results/compared_run.ts";
import { type Throughput, throughputView } from "./answer/throughput.ts";
import type { WriteDerived } from "./derived_files.ts";
import { type Headline, headlineOf } from "./headline.ts";
import { historyEntries, type HistoryEntry } from "./history/entries.ts";
import { deriveCompare, type DerivedCompare } from "./pairs.ts";
import type { Marks } from "./marks.ts";
import type { PictureFiles } from "./pictures/files.ts";
import type { Picture } from "./pictures/picture.ts";
import { picturesOf } from "./pictures/pictures.ts";
import { type DerivedRun, deriveRun } from "./ranking.ts";
import { runFinding } from "./run/finding.ts";
import { type ShownRun, showRun, stepsFinding } from "./run/page.ts";
import { type ReplicasOfImpl, showReplicas } from "./run/replicas.ts";
import { type RunSummary, summariseRun } from "./run_summary.ts";
import { deriveWarmUps } from "./warm_up_curves.ts";
import { betweenProcessorsIn } from "../results/over_runs.ts";
import { firstsOf } from "../results/replicas.ts";
import type { Result } from "../results/result_schema.ts";

/** How many implementations a run's page shows every figure of; the others have theirs in their files. */
const shownWhole = 12;

/** A run with what it found, in a sentence without its period: `data/index.json`, the newest first. */
export interface ListedRun extends RunSummary {
  finding: string;
  /** How many implementations it measured. */
  implCount: number;
}

/** The data of a run's page: `assets/runs/<run-id>.json`. */
export interface RunPage extends ListedRun, DerivedRun, ShownRun {
  /** Who is fastest at the level that is shown first, by this run alone. */
  answer: Throughput & { connections: number };
  /** Ids of the first ones of the answer, {@linkcode shownWhole} at the most: those that the page shows every figure of. */
  whole: string[];
  /** Of implementations that several machines measured. */
  replicas: ReplicasOfImpl[];
  /** Their files are in `pictures/<run-id>/` of the site. */
  pictures: Omit<Picture, "svg">[];
  compared: DerivedCompare;
}

/** The data of a run's comparison page: `assets/compare/<run-id>.json`. */
export interface ComparePage extends RunSummary, DerivedCompare {
  /** Its scenario has bursts or deliveries in place of levels: figures without ratios. */
  isWithoutLevels: boolean;
  /** The run and the one of its scenario before it; absent where an earlier run is comparable, or there is none. */
  beside?: Beside;
}

/** What is kept of a run. */
export interface KeptRun extends BesideRun {
  summary: ListedRun;
  changes: DerivedChanges;
  entries: HistoryEntry[];
  headline: Headline;
  /** Its lines of the table of all runs. */
  rows: string;
}

/** What a run is derived with. */
export interface RunContext {
  /** Not published. */
  local: boolean;
  /** What the runs before it found, the newest first. */
  earlier: readonly ComparedRun[];
  /** The marks of implementations, this run's among them. */
  marks: Marks;
}

/** Returns what follows from a run's results and the runs before it. */
export function deriveOne(all: Result[], { local, earlier }: Omit<RunContext, "marks">) {
  const results = firstsOf(all);
  const summary = summariseRun(results, local);
  const runs = [comparedRunOf(all), ...earlier];
  const derived = deriveRun(all, (connections) => betweenProcessorsIn(runs, connections));
  return {
    results,
    summary,
    runs,
    derived,
    exported: exportRun(results, { ...summary, ...derived, runs }),
  };
}

/** Writes what follows from one run, and returns what is kept of it. */
export async function writeRun(
  all: Result[],
  { before, write, files, ...context }: RunContext & {
    /** The run of its scenario before it. */
    before?: BesideRun;
    write: WriteDerived;
    files: PictureFiles;
  },
): Promise<KeptRun> {
  const { results, runs, derived, exported, ...one } = deriveOne(all, context);
  const shown = showRun(results, context.marks);
  const withoutLevels = (shown.bursts ?? shown.deliveries)?.finding;
  const headline = { ...headlineOf(exported), withoutLevels };
  const answer = {
    connections: headline.connections,
    ...throughputView(headline, context.marks),
  };
  const finding = withoutLevels ??
    runFinding(headline, { answer: answer.answer, loadsFinding: shown.loadsFinding });
  const summary = { ...one.summary, finding, implCount: one.summary.impls.length };
  const pictures = picturesOf(results, context.marks);
  const compared = deriveCompare(results, derived, context.marks);
  const page: RunPage = {
    ...summary,
    ...derived,
    ...shown,
    compared,
    answer,
    whole: answer.groups.flatMap(({ rows }) => rows.map(({ id }) => id)).slice(0, shownWhole),
    replicas: showReplicas(all, runs[0]!),
    pictures: pictures.map(({ svg: _, ...picture }) => picture),
  };
  const facts = runs[0]!;
  const changes = deriveChanges(facts, chooseBefore(facts, context.earlier), context.earlier);
  const found = { summary, facts, bursts: shown.bursts, deliveries: shown.deliveries };
  const compare: ComparePage = {
    ...one.summary,
    ...compared,
    isWithoutLevels: withoutLevels !== undefined,
    beside: changes.before === undefined && before ? besideOf(found, before) : undefined,
  };
  await write(`assets/runs/${summary.id}.json`, page);
  for (const picture of pictures) {
    await files.add(`pictures/${summary.id}/${picture.name}`, picture);
  }
  // Where there are no levels, the picture says what there is to say.
  const card = withoutLevels === undefined ? runCard(headline, context.marks) : pictures[0];
  if (card !== undefined) {
    await files.addCard(`runs/${summary.id}/`, card);
    files.share(`compare/${summary.id}/`, `runs/${summary.id}/`);
  }
  await write(`assets/compare/${summary.id}.json`, compare);
  await write(`assets/changes/${summary.id}.json`, changes);
  await write(`assets/warm-ups/${summary.id}.json`, deriveWarmUps(results));
  await write(`static/api/runs/${summary.id}.json`, exported);
  return {
    ...found,
    changes,
    entries: historyEntries(results, derived, stepsFinding),
    headline,
    rows: csvLines(exported),
  };
}
