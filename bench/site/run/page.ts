/**
 * The data of a run's page. In: all results of the run. Out: everything on it except the comparison, computed and in
 * order, without raw series and histograms, which are published separately. Hugo reads it for the page only, so it
 * never holds all of a thousand runs.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import type { Problem, Result } from "../../results/result_schema.ts";
import { showBursts, type ShownBursts } from "./bursts.ts";
import { showDeliveries, type ShownDeliveries } from "./deliveries.ts";
import { type Environment, environmentOf } from "./environment.ts";
import { type LoadGroup, loadGroups, loadsFinding, loadsOf, type ShownLoad } from "./loads.ts";
import { machineOf } from "../../results/comparable.ts";
import { speedText } from "../control.ts";
import { type Marks, marksWith } from "../marks.ts";
import { repeatsOf } from "./repeats.ts";
import { type ShownStartup, showStartup, startupFinding } from "./startup.ts";
import { floorOver, type ShownSweep, showSweep, sweepFinding } from "./sweep.ts";
import { notCountedIn } from "../../results/not_counted.ts";
import { durableOutcome } from "../../results/outcome.ts";
import { boundOf } from "../../results/words.ts";
import { digitsText } from "../../../site/assets/step_text.js";
import { problemsOf, type Witnessed, witnessedOf } from "./witness.ts";

/** The data of a run's page, except its comparison. */
export interface ShownRun {
  results: ShownResult[];
  /** Cold loads of one level, class and kind of machine, the highest goodput first. */
  loads: LoadGroup[];
  /** What single cold loads show, in a sentence. */
  loadsFinding: string;
  failed: { name: string; reason: string }[];
  sweepFinding: string;
  /** Of the null server, over all sweeps. */
  sweepFloor: ShownSweep["floor"];
  startupFinding?: string;
  /** How much the machine’s speed changed, without capital and period; absent where it hardly did, and where machines differ. */
  speed?: string;
  /** Absent where the scenario has none. */
  bursts?: ShownBursts;
  /** Likewise. */
  deliveries?: ShownDeliveries;
  environment: Environment;
}

/** A result as pages show it. */
export interface ShownResult extends
  Omit<
    Result,
    | "levels"
    | "durable"
    | "comparison"
    | "rateSweep"
    | "startup"
    | "bursts"
    | "deliveries"
    | "machine"
  > {
  machine: string;
  /** The number of its mark. */
  order: number;
  /** In ascending order of connections. */
  loads: ShownLoad[];
  /** Whether a load has counts of calls of the upstream. */
  hasCalls: boolean;
  /** What the load with commits on disk came to, in a sentence without its period; absent without one. */
  durable?: string;
  /** What was measured again or left out, and why, in sentences without their period. */
  repeats: string[];
  /** What the database did not count during its loads, and why. */
  notCounted: string[];
  /** The first wrong answer of each kind, for each load that had some. */
  problems: { connections: number; index: number; problems: Problem[] }[];
  /** Absent where no load finished. */
  witnessed?: Witnessed;
  sweep?: ShownSweep;
  /** Its own alone; absent where the scenario has none. */
  bursts?: ShownBursts;
  /** Likewise. */
  deliveries?: ShownDeliveries;
  /** Of its sweep alone. */
  sweepFinding: string;
  startup?: ShownStartup;
  startupFinding?: string;
  /** Its place in the run by what it sustained, the highest rate first, from 0. */
  sweepPlace: number;
  /** Its place by the ratio of startup to the control's, the lowest first, likewise. */
  startupPlace: number;
}

/** Returns what the page of a run shows, its comparison aside; by default, marks are those of a first run. */
export function showRun(
  results: Result[],
  marks: Marks = marksWith(new Map(), results),
): ShownRun {
  const shown = results.map((result) => showResult(result, marks.get(result.impl.id)!));
  const swept = orderedBy(shown, ({ sweep }) => -(sweep?.sustainablePerSecond ?? 0));
  const started = orderedBy(shown, ({ startup }) => startup?.ratio?.estimate ?? Number.MAX_VALUE);
  return {
    results: shown.map((result) => ({
      ...result,
      sweepPlace: swept.indexOf(result),
      startupPlace: started.indexOf(result),
    })),
    loads: loadGroups(shown.flatMap(({ loads }) => loads)),
    loadsFinding: loadsFinding(shown.flatMap(({ loads }) => loads)),
    failed: results.flatMap(({ impl, failure }) =>
      failure === undefined
        ? []
        : [{ name: impl.name, reason: `at ${failure.stage}: ${failure.message}` }]
    ),
    sweepFinding: sweepFinding(shown),
    sweepFloor: floorOver(shown.flatMap(({ sweep }) => sweep ?? [])),
    startupFinding: startupFinding(shown),
    speed: speedText(results),
    bursts: showBursts(results),
    deliveries: showDeliveries(results),
    environment: environmentOf(results),
  };
}

/** Returns what the bursts or deliveries of a result came to, in a sentence without its period; undefined without any. */
export function stepsFinding(result: Result): string | undefined {
  if (result.bursts !== undefined) return showBursts([result])?.finding;
  return result.deliveries && showDeliveries([result])?.finding;
}

/** Returns what the load with commits on disk came to, in a sentence without its period; undefined without one. */
function durableFinding(
  { plan, durable }: Pick<Result, "plan" | "durable">,
): string | undefined {
  if (plan.durable === undefined || durable === undefined) return undefined;
  const what = `${formatInteger(plan.durable.requests)} requests at ${
    formatInteger(plan.durable.connections)
  } connections, with every commit on disk before its answer`;
  const outcome = durableOutcome(durable);
  if ("missing" in outcome) return `${what}: no figure, because ${outcome.missing}`;
  const { goodputPerSecond, latencySeconds } = outcome.value.figures;
  const p99 = `${boundOf(latencySeconds, "p99")}${digitsText(1000 * latencySeconds.p99)}`;
  return `${what}: ${
    formatInteger(goodputPerSecond)
  } per second, p99 ${p99} ms; cold, one load, in no ranking`;
}

function orderedBy<Item>(items: readonly Item[], valueOf: (item: Item) => number): Item[] {
  return items.toSorted((a, b) => valueOf(a) - valueOf(b));
}

function showResult(
  result: Result,
  order: number,
): Omit<ShownResult, "sweepPlace" | "startupPlace"> {
  const {
    levels: _,
    comparison: __,
    bursts: ___,
    deliveries: ____,
    durable: _____,
    rateSweep,
    startup,
    machine,
    ...rest
  } = result;
  const { name } = result.impl;
  const loads = loadsOf(result, order);
  const sweep = rateSweep && showSweep(rateSweep);
  const shownStartup = startup && showStartup(startup, result.provenance.start[0]);
  return {
    ...rest,
    machine: machineOf(machine),
    order,
    loads,
    hasCalls: loads.some((load) => load.upstreamConnectionsPerRequest !== undefined),
    durable: durableFinding(result),
    repeats: repeatsOf(result),
    notCounted: notCountedIn(result),
    problems: problemsOf(result),
    witnessed: witnessedOf(result),
    bursts: showBursts([result]),
    deliveries: showDeliveries([result]),
    sweep,
    sweepFinding: sweepFinding([{ impl: { name }, sweep }]),
    startup: shownStartup,
    startupFinding: startupFinding([{ impl: { name }, startup: shownStartup }]),
  };
}
