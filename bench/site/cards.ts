/**
 * The cards and badges of pages: what links to them are shown with. In: what the pages answer. Out: pictures, and the words of
 * badges, by the ranking of the current runs. Each class is ranked by itself; a card shows one.
 */
import { throughputView } from "./answer/throughput.ts";
import type { AnswerView } from "./answer/view.ts";
import { implAddress } from "./addresses.ts";
import { type CurrentRun, runIdsOf } from "./current_run.ts";
import { type Headline, headlineOf, standingOverRuns } from "./headline.ts";
import type { Marks } from "./marks.ts";
import { badgeOf } from "./pictures/badge.ts";
import { type CardContent, cardOf } from "./pictures/card.ts";
import type { PictureFiles } from "./pictures/files.ts";
import type { Picture } from "./pictures/picture.ts";
import type { WriteDerived } from "./derived_files.ts";
import type { JudgedClaim, JudgedClaims } from "./claims/claims.ts";
import type { PairView } from "./answer/pair_view.ts";
import { badgeWords, implFinding, stepsWords } from "./place.ts";
import { picturesOf } from "./pictures/pictures.ts";
import { linearScale } from "./scale.ts";
import { threeDigits } from "./three_digits.ts";
import { capitalise, knownEnd, ratioText, ratioTexts, runsText } from "../results/words.ts";

/** A badge of an implementation: `data/badges.json`, by the address of its page. */
export interface Badge {
  /** What it says: `tied for 1st of 11, jwt-mysql, 50 connections`. */
  words: string;
  /** Its file, relative to the site's address. */
  file: string;
  /** The run that it is by. */
  runId: string;
}

type Shown =
  & Pick<
    AnswerView,
    "question" | "answer" | "axis" | "ticks" | "groups" | "facts" | "scenario" | "connections"
  >
  & Partial<Pick<AnswerView, "notes">>;

/** Returns what cards about an answer share. */
function contentOf(
  view: Shown,
  runIds: readonly string[],
  group = view.groups[0],
): CardContent {
  const { question, answer, axis, ticks, facts, notes = [], scenario, connections } = view;
  const level = connections === undefined ? "" : `, ${connections} connections`;
  return {
    question: `${question} ${scenario}${level}`,
    title: answer,
    axis,
    ticks,
    rows: group?.rows ?? [],
    source: `${runsText(runIds)}, ${[...facts, ...notes].join(", ")}`,
  };
}

/** Draws the card of a run, by that run alone. */
export function runCard(headline: Headline, marks: Marks): Picture {
  const view = throughputView(headline, marks);
  const facts = [headline.machines.join(" and "), ...view.facts];
  return cardOf("card", contentOf({ ...headline, ...view, facts }, headline.runIds));
}

/** Pairs of so many, the fastest first, have a card of their own: with 40, all pairs would take longer than all else. */
const mostPaired = 10;

/**
 * Writes the cards of the pairs of a scenario's current run: those of slower ones are shown with that of the scenario's first
 * view, and those without levels with the picture of the run.
 */
export async function writePairCards(
  pairs: readonly PairView[],
  { run: { api }, views: [first], files }: {
    run: CurrentRun;
    views: readonly AnswerView[];
    files: PictureFiles;
  },
): Promise<void> {
  if (first === undefined || !hasLevels(api)) {
    for (const { address } of pairs) files.share(address, `runs/${api.id}/`);
    return;
  }
  const ranked = first.groups.flatMap(({ rows }) => rows.slice(0, mostPaired).map(({ id }) => id));
  for (const pair of pairs) {
    if (pair.impls.every(({ id }) => ranked.includes(id))) {
      await files.addCard(pair.address, pairCard(pair));
    } else files.share(pair.address, first.address);
  }
}

function pairCard({ question, answer, throughput, scenario, runIds, facts }: PairView): Picture {
  const { axis = "", ticks = [], levels = [] } = throughput ?? {};
  return cardOf("card", {
    question: `${question} ${scenario}`,
    title: answer,
    axis,
    ticks,
    rows: levels.map(({ connections, order, words, ratio, interval, at, low, high }) => ({
      id: String(connections),
      name: `${connections} connections`,
      order,
      ...(at === undefined ? { missing: words } : {
        interval,
        plot: {
          at,
          interval: low === undefined || high === undefined ? undefined : { from: low, to: high },
        },
        relative: ratio,
        absolute: words,
      }),
    })),
    source: `${runsText(runIds)}, ${facts.join(", ")}`,
  });
}

/** Writes the card of each claim: its verdict, and the measured ratio at each level. */
export async function writeClaimCards(
  { claims }: JudgedClaims,
  files: PictureFiles,
): Promise<void> {
  for (const claim of claims) {
    // Set exactly where something was measured.
    const isTested = claim.settingHere !== undefined;
    const shown = levelRows(claim);
    await files.addCard(
      `claims/${claim.id}/`,
      cardOf("card", {
        question: `Claimed: ${claim.figure} (${claim.article.title})`,
        title: `${capitalise(claim.verdict)}: ${claim.claim}`,
        words: claim.because,
        ...shown,
        axis: shown.rows.length > 0
          ? `measured here, ${claim.kind === "burst" ? "" : "warm, "}with its 95 % interval`
          : "",
        source: isTested ? runsText(claim.testedBy) : "no run here measures this",
      }),
    );
  }
}

/** Returns a row for each level that was measured; a share that failed is no length, and stands in the words. */
function levelRows(claim: JudgedClaim): Pick<CardContent, "rows" | "ticks"> {
  const measured = claim.levels.flatMap(({ at, unit: of, verdict, measured: it }) =>
    it === undefined || it.unit === "share" ? [] : [{ at, of, verdict, ...it }]
  );
  if (measured.length === 0) return { rows: [], ticks: [] };
  const scale = linearScale(Math.max(...measured.map(({ high }) => high)));
  const { unit } = measured[0]!;
  const isRatio = unit === "ratio";
  const figure = (value: number, text = ratioText(value)) =>
    isRatio
      ? `${text} ×`
      : unit === "seconds"
      ? `${threeDigits(value)} s`
      : `${threeDigits(value)}/s`;
  return {
    rows: measured.map(({ at, of, verdict, estimate, low, high, qualifier }) => ({
      id: at,
      // The title has the verdict on all of them.
      name: verdict === claim.verdict ? `${at} ${of}` : `${at} ${of}, ${verdict}`,
      // Of a bound, one end is known: it is all that is shown.
      ...qualifier === undefined
        ? {
          plot: { at: scale.at(estimate), interval: { from: scale.at(low), to: scale.at(high) } },
          interval: isRatio
            ? ratioTexts({ estimate, low, high }).range
            : `${threeDigits(low)}–${threeDigits(high)}`,
          relative: figure(estimate, ratioTexts({ estimate, low, high }).estimate),
        }
        : {
          plot: { at: scale.at(knownEnd({ estimate, low, high }, qualifier)) },
          relative: `${qualifier} ${figure(knownEnd({ estimate, low, high }, qualifier))}`,
        },
    })),
    ticks: scale.ticks.map(({ at, value }) => ({ at, text: value === 0 ? "0" : figure(value) })),
  };
}

/**
 * Writes the cards of the answers, of the scenarios and of implementations in the current runs, the badges, and the pictures of
 * these runs as PNG: at addresses that stay, below `pictures/<scenario>/`.
 */
export async function writeCards(
  current: readonly CurrentRun[],
  { views, marks, files, write }: {
    views: readonly AnswerView[];
    marks: Marks;
    files: PictureFiles;
    write: WriteDerived;
  },
): Promise<void> {
  for (const view of views) {
    await files.addCard(
      view.address,
      cardOf("card", contentOf(view, view.runIds)),
    );
  }
  const badges: Record<string, Badge> = {};
  /** The scenario of each run whose pictures are there as PNG. */
  const pictured: Record<string, string> = {};
  for (const run of current) {
    const { api, results } = run;
    for (const picture of picturesOf(results, marks)) {
      await files.add(`pictures/${api.scenario}/${picture.name}`, picture, { isPng: true });
    }
    // These show all implementations, the pictures of the newest run only its own: its page must not link them.
    if (runIdsOf(results).length === 1) pictured[api.id] = api.scenario;
    const ofRun = `runs/${api.id}/`;
    const first = views.find(({ scenario }) => scenario === api.scenario);
    files.share(`scenarios/${api.scenario}/`, first?.address ?? ofRun);
    if (hasLevels(api)) {
      Object.assign(badges, await writeRanked(run, { marks, files, write }));
      continue;
    }
    // Without levels there is no ranking: the picture of the run is the card, and a figure is the badge.
    for (const impl of api.impls) {
      files.share(implAddress(impl.id, api.scenario), ofRun);
      const words = stepsWords(impl);
      if (words === undefined) continue;
      Object.assign(badges, await writeBadge(impl.id, `${words}, ${api.scenario}`, { api, write }));
    }
  }
  await write("data/badges.json", badges);
  await write("data/pictured.json", pictured);
}

function hasLevels({ impls }: CurrentRun["api"]): boolean {
  return impls.some(({ levels }) => levels.length > 0);
}

/** Writes card and badge of each implementation of a run, and returns the badges by page. */
async function writeRanked(
  { api, known }: CurrentRun,
  { marks, files, write }: { marks: Marks; files: PictureFiles; write: WriteDerived },
): Promise<Record<string, Badge>> {
  const headline = headlineOf(api, (connections) => standingOverRuns(known, connections));
  const view = throughputView(headline, marks);
  const facts = [headline.machines.join(" and "), ...view.facts];
  const badges: Record<string, Badge> = {};
  for (const [index, ofClass] of headline.classes.entries()) {
    const among = { ...headline, ...ofClass };
    const content = contentOf(
      { ...headline, ...view, facts },
      headline.runIds,
      view.groups[index],
    );
    for (const entry of ofClass.entries) {
      const address = implAddress(entry.id, api.scenario);
      const name = content.rows.find(({ id }) => id === entry.id)!.name;
      const finding = implFinding({ ...entry, name }, among);
      const card = cardOf("card", { ...content, ...finding, emphasised: [entry.id] });
      await files.addCard(address, card);
      const words = badgeWords(entry, among);
      Object.assign(badges, await writeBadge(entry.id, words, { api, write }));
    }
  }
  return badges;
}

/** Writes the badge of an implementation in a run, and returns it by the address of its page. */
async function writeBadge(
  id: string,
  words: string,
  { api, write }: Pick<CurrentRun, "api"> & { write: WriteDerived },
): Promise<Record<string, Badge>> {
  const file = `badges/${api.scenario}/${id}.svg`;
  const { runId } = api.impls.find((impl) => impl.id === id)!;
  await write(`static/${file}`, badgeOf(words, `../../runs/${runId}/#${id}`));
  const page = implAddress(id, api.scenario).replace(/\/$/, "");
  return { [page]: { words, file, runId } };
}
