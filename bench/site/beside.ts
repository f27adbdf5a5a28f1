/**
 * A run and the one before it side by side, where no earlier run is comparable. In: what both found. Out: for its
 * comparison page, the figures that both have, without a verdict, because nothing tells their difference from chance.
 */
import type { Qualifier } from "../results/compared.ts";
import type { ComparedImpl, ComparedRun } from "../results/compared_run.ts";
import { levelIn } from "../results/series.ts";
import type { RatioInterval } from "../statistics/mod.ts";
import type { ShownBurst, ShownBursts } from "./run/bursts.ts";
import type { ShownDeliveries, ShownDelivery } from "./run/deliveries.ts";
import type { RunSummary } from "./run_summary.ts";

/** Two runs of one scenario side by side; what it has in place of levels, exactly where it has none. */
export interface Beside {
  /** The run before. */
  runId: string;
  /** Kinds of machines of both, in words, and of bursts the kernel's settings that differ; absent where they are the same. */
  machines?: { here: string; there: string };
  /** Those at which both were compared with the control; none where the scenario has no levels. */
  levels: BesideLevel[];
  /** None where machines differ: figures of different machines are not comparable. */
  bursts?: BesideStep<ShownBurst>[];
  /** Likewise. */
  deliveries?: BesideStep<ShownDelivery>[];
  /** What a mark before some times says; absent where none has it. */
  note?: string;
}

/** A level of one class, the highest ratio of this run first. */
export interface BesideLevel {
  connections: number;
  class: ComparedImpl["class"];
  rows: BesideRow[];
}

/** Ratios to the control of one implementation; each interval is of its own run. */
export interface BesideRow {
  name: string;
  here?: BesideRatio;
  there?: BesideRatio;
  /** Why they do not stand beside each other, in a clause; present exactly where there are none. */
  missing?: string;
}

interface BesideRatio extends Pick<RatioInterval, "estimate" | "low" | "high"> {
  /** How to read it; absent where the load generator limited neither of the two. */
  qualifier?: Qualifier;
}

/** A step of both: for each implementation a row of this run, then one of the run before. */
export interface BesideStep<Row> {
  label: string;
  rows: (Row & { run: "this run" | "run before" })[];
}

/** What a run found. */
export interface BesideRun {
  summary: Pick<RunSummary, "id" | "machines">;
  facts: ComparedRun;
  bursts?: Pick<ShownBursts, "steps" | "kernelSettings">;
  deliveries?: Pick<ShownDeliveries, "steps" | "note">;
}

/** Returns a run and the one of its scenario before it side by side. */
export function besideOf(here: BesideRun, there: BesideRun): Beside {
  const hasSameKernel = settingsIn(here) === settingsIn(there);
  const machinesIn = (run: BesideRun) =>
    [...run.summary.machines, ...(hasSameKernel ? [] : [settingsIn(run)])].join("; ");
  const machines = { here: machinesIn(here), there: machinesIn(there) };
  const isSame = machines.here === machines.there;
  const steps = <Row extends { name: string }>(ours?: Steps<Row>, theirs?: Steps<Row>) =>
    ours && (isSame ? stepsBeside(ours.steps, theirs?.steps ?? []) : []);
  return {
    runId: there.summary.id,
    machines: isSame ? undefined : machines,
    levels: levelsBeside(here.facts, there.facts),
    bursts: steps(here.bursts, there.bursts),
    deliveries: steps(here.deliveries, there.deliveries),
    note: here.deliveries?.note ?? there.deliveries?.note,
  };
}

function settingsIn({ bursts }: BesideRun): string {
  return bursts?.kernelSettings.join("; or ") || "settings of the kernel unknown";
}

interface Steps<Row> {
  steps: { label: string; rows: Row[] }[];
}

function stepsBeside<Row extends { name: string }>(
  ours: Steps<Row>["steps"],
  theirs: Steps<Row>["steps"],
): BesideStep<Row>[] {
  return ours.flatMap(({ label, rows }) => {
    const others = theirs.find((step) => step.label === label)?.rows ?? [];
    const both = rows.flatMap((row): BesideStep<Row>["rows"] => {
      const other = others.find(({ name }) => name === row.name);
      return other === undefined
        ? []
        : [{ ...row, run: "this run" }, { ...other, run: "run before" }];
    });
    return both.length === 0 ? [] : [{ label, rows: both }];
  });
}

/** One implementation in both runs. */
interface Both {
  ours: ComparedImpl;
  theirs: ComparedImpl;
}

function levelsBeside(here: ComparedRun, there: ComparedRun): BesideLevel[] {
  const pairs = here.impls.flatMap((ours): Both[] => {
    const theirs = there.impls.find((impl) => impl.id === ours.id && impl.class === ours.class);
    return theirs === undefined ? [] : [{ ours, theirs }];
  });
  const connections = new Set(
    pairs.flatMap(({ ours }) => ours.levels.map((level) => level.connections)),
  );
  return [...connections].sort((a, b) => a - b).flatMap((connections) =>
    (["standard", "tuned"] as const).flatMap((implClass) => {
      const rows = pairs.filter(({ ours }) => ours.class === implClass)
        .flatMap((both) => rowAt(both, connections))
        .sort((a, b) => b.estimate - a.estimate)
        .map(({ row }) => row);
      return rows.length === 0 ? [] : [{ connections, class: implClass, rows }];
    })
  );
}

/** Returns a row and what it is sorted by, the ratio of this run; none unless both runs have a ratio. */
function rowAt(
  { ours, theirs }: Both,
  connections: number,
): { estimate: number; row: BesideRow }[] {
  const [here, there] = [ratioAt(ours, connections), ratioAt(theirs, connections)];
  if (here === undefined || there === undefined) return [];
  const { name } = ours;
  const [control, other] = [ours.conditions.control, theirs.conditions.control];
  const row = control === other ? { name, here, there } : {
    name,
    missing:
      `version ${control} of the control here, ${other} there: the ratios are not comparable`,
  };
  return [{ estimate: here.estimate, row }];
}

function ratioAt(impl: ComparedImpl, connections: number): BesideRatio | undefined {
  const { ratio, qualifier } = levelIn(impl, connections);
  if ("missing" in ratio) return undefined;
  const { estimate, low, high } = ratio.value;
  return { estimate, low, high, qualifier };
}
