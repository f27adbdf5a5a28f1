/**
 * Every view of the current runs: a page for each scenario, figure and level. In: the current run of each scenario. Out:
 * the views, each with the choices that lead to the others. The home page shows the first one.
 */
import type { Result } from "../../results/result_schema.ts";
import { list } from "../../results/words.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { type CurrentRun, runIdsOf } from "../current_run.ts";
import { headlineOf, standingOverRuns } from "../headline.ts";
import { latestAddress } from "../addresses.ts";
import type { Marks } from "../marks.ts";
import { type FalseAlarms, falseAlarmsText } from "../noise.ts";
import { speedText } from "../control.ts";
import { roundTripsFacts } from "../round_trips.ts";
import type { RunSummary } from "../run_summary.ts";
import { figureViews } from "./figures.ts";
import { laterOf, measuredAgain } from "./later.ts";
import { throughputView } from "./throughput.ts";
import type { AnswerView, Choice, FigureId } from "./view.ts";

/** What each figure is called where one is chosen. */
export const figureLabels: Record<FigureId, string> = {
  throughput: "throughput",
  p99: "p99 at a rate",
  cpu: "CPU per answer",
  memory: "memory",
  startup: "startup",
};

/** Returns all views; takes the published noise, and the default scenario's run first. The first view is that of the home page. */
export function answerViews(
  current: readonly CurrentRun[],
  marks: Marks,
  falseAlarms: readonly FalseAlarms[] = [],
  index: readonly RunSummary[] = [],
): AnswerView[] {
  const views = current.flatMap((run) =>
    viewsOf(run, marks, laterOf(run.api, index)).map(({ scenario, figure, ...view }) => {
      const { plan } = run.results[0]!;
      const text = falseAlarmsText(falseAlarms, { scenario, figure, plan });
      const again = measuredAgain(run.api, index);
      return { scenario, figure, ...view, falseAlarms: text, measuredAgain: again };
    })
  );
  const addressed = views.map((view, index) => ({
    ...view,
    address: index === 0 ? "" : addressOf(view),
  }));
  return addressed.map((view) => ({ ...view, choices: choicesOf(view, addressed) }));
}

type Unlinked = Omit<AnswerView, "choices" | "address">;

function viewsOf(
  { api, results, known }: CurrentRun,
  marks: Marks,
  later: readonly string[],
): Unlinked[] {
  const standingAt = (connections: number) => standingOverRuns(known, connections);
  const headline = headlineOf(api, standingAt);
  const runIds = runIdsOf(results);
  const shared = {
    scenario: api.scenario,
    runIds,
    data: runIds.length === 1 ? `api/runs/${api.id}.json` : latestAddress(api.scenario),
    marks: api.marks,
  };
  const beside = results[0]!.database === undefined ? "" : " and the database";
  const circumstances = [
    datesText(results),
    `${headline.machines.join(" and ")}, shared with the load generator${beside}`,
  ];
  const levels = [...new Set(api.impls.flatMap(({ levels }) => levels.map((it) => it.connections)))]
    .sort((a, b) =>
      Number(b === headline.connections) - Number(a === headline.connections) || a - b
    );
  const speed = speedText(results);
  // Rates of different runs stand in one chart.
  const ofRuns = speed === undefined || runIds.length === 1 ? [] : [speed];
  const throughput = levels.map((connections) => {
    const view = throughputView(headlineOf(api, standingAt, connections), marks);
    const notes = [...ofRuns, ...roundTripsFacts(results, connections)];
    return { ...view, figure: "throughput" as const, connections, notes };
  });
  const figures = figureViews(results, marks).map((view) => ({
    ...view,
    facts: [
      ...view.ownFacts,
      view.figure === "startup" ? "×: of the control’s" : "×: relative to the first",
    ],
    notes: [
      // Of starts and CPU times, ratios to the control are shown; of a pair, others' rates say nothing.
      ...(view.figure === "p99" && speed !== undefined ? [speed] : []),
      ...(view.figure === "cpu" ? roundTripsFacts(results, view.connections!) : []),
    ],
  }));
  const views = [...throughput, ...figures];
  return views.map((view) => ({
    ...shared,
    ...view,
    ...repeatOf(view, results),
    facts: [...circumstances, ...view.facts, ...later],
  }));
}

/** Returns what measures the first of a view again, because its answer names that one. */
function repeatOf(
  { groups }: Pick<AnswerView, "groups">,
  results: readonly Result[],
): Pick<AnswerView, "commit" | "command"> {
  const first = groups.flatMap(({ rows }) => rows)[0]?.id;
  const { commit, command } = (results.find(({ impl }) => impl.id === first) ?? results[0]!)
    .provenance;
  return { commit, command };
}

/** Returns the days on which measuring began: `5 January 2026 and 6 January 2026`. */
function datesText(results: readonly Result[]): string {
  return list([...new Set(results.map(({ startedAt }) => startedAt).sort().map(dateText))]);
}

function addressOf({ scenario, figure, connections }: Unlinked): string {
  const level = connections === undefined ? "" : `${connections}/`;
  return `answers/${scenario}/${figure}/${level}`;
}

/** Returns the choices that have more than one option; each keeps as much of the view as there is. */
function choicesOf(
  view: Omit<AnswerView, "choices">,
  views: readonly Omit<AnswerView, "choices">[],
): Choice[] {
  const ofScenario = views.filter(({ scenario }) => scenario === view.scenario);
  const optionsOf = (
    key: "scenario" | "figure" | "connections",
    among: typeof views,
    textOf: (it: typeof view) => string,
  ) =>
    [...Map.groupBy(among, (it) => it[key])].map(([value, same]) => {
      const nearest = same.find(({ figure, connections }) =>
        figure === view.figure && connections === view.connections
      ) ?? same.find(({ connections }) =>
        connections === view.connections
      ) ?? same[0]!;
      return {
        text: textOf(nearest),
        address: nearest.address,
        isCurrent: value === view[key],
      };
    });
  const levels = ofScenario.filter(({ figure, connections }) =>
    figure === view.figure && connections !== undefined
  ).toSorted((a, b) => a.connections! - b.connections!);
  return [
    {
      label: "Figure",
      options: optionsOf("figure", ofScenario, ({ figure }) => figureLabels[figure]),
    },
    {
      label: "Connections",
      options: optionsOf("connections", levels, ({ connections }) => formatInteger(connections!)),
    },
    { label: "Scenario", options: optionsOf("scenario", views, ({ scenario }) => scenario) },
  ].filter(({ options }) => options.length > 1);
}

/** Returns the day of an instant, in UTC: `5 January 2026`. */
export function dateText(instant: string): string {
  return new Date(instant).toLocaleDateString("en-GB", {
    day: "numeric",
    month: "long",
    year: "numeric",
    timeZone: "UTC",
  });
}
