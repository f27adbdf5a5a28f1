/**
 * Bursts of a result, `bursts` in its file: many users at once. Out: what pages show of them, a row for each
 * implementation in a group for each step, and a summary in words.
 */
import { formatInteger } from "../../lib/format_integer.ts";
import {
  countedRounds,
  failuresOf,
  inOrder,
  isSameStep,
  meanIsOfAll,
  missingBecause,
} from "../../results/burst.ts";
import type {
  BurstEstimate,
  BurstFigures,
  BurstPlan,
  BurstStep,
} from "../../results/burst_schema.ts";
import type { Result } from "../../results/result_schema.ts";
import { type BurstTexts, burstTexts } from "../../results/step_texts.ts";
import { list, proseNames } from "../../results/words.ts";
import { mean } from "../../statistics/mod.ts";
import { burstLabel, digitsText, shareText } from "../../../site/assets/step_text.js";

/** The bursts of a run as pages show them. */
export interface ShownBursts {
  plan: Omit<BurstPlan, "steps">;
  /** By delay, then by users. */
  steps: ShownBurstStep[];
  /** Of the systems measured on, each distinct list once: `net.core.somaxconn 4096, …`. */
  kernelSettings: string[];
  finding: string;
}

/** One number of users with one delay. */
export interface ShownBurstStep {
  label: string;
  /** How late the null server was with as many users: `mean 0.12–0.14 s, p99 0.36–0.42 s`; absent without it. */
  floor?: string;
  /** In the order of the results. */
  rows: ShownBurst[];
}

/** What one implementation did with them. */
export interface ShownBurst extends Partial<BurstTexts> {
  name: string;
  /** Present exactly where there are no figures. */
  missing?: string;
  /** By kind, over the rounds that count: `5,124 reset, 12 timed-out`, `none (3 of 5 rounds)`. */
  failures?: string;
  /** How often a handshake found an accept queue full, a mean over rounds; absent where the system does not say. */
  queueOverflows?: string;
}

/** Returns what pages show of the bursts of a run; undefined where it has none. */
export function showBursts(results: readonly Result[]): ShownBursts | undefined {
  const measured = results.flatMap(({ impl: { name }, plan, bursts }) =>
    plan.bursts === undefined ? [] : [{ name, plan: plan.bursts, steps: bursts?.steps ?? [] }]
  );
  const [first] = measured;
  if (first === undefined) return undefined;
  const { steps, ...plan } = first.plan;
  return {
    plan,
    steps: inOrder(steps).map((step) => ({
      label: burstLabel(step),
      floor: floorOf(measured.flatMap(({ steps }) => steps.filter((it) => isSameStep(it, step)))),
      rows: measured.map(({ name, steps }) =>
        showBurst(name, steps.find((it) => isSameStep(it, step)))
      ),
    })),
    kernelSettings: [
      ...new Set(results.flatMap(({ bursts }) => {
        const settings = Object.entries(bursts?.kernelSettings ?? {});
        return settings.length === 0 ? [] : [settings.map((it) => it.join(" ")).join(", ")];
      })),
    ],
    finding: burstsFinding(measured),
  };
}

function showBurst(name: string, step: BurstStep | undefined): ShownBurst {
  if (step === undefined) return { name, missing: "not measured" };
  const texts = burstTexts(step);
  if (texts === undefined) return { name, missing: missingBecause(step) };
  const rounds = countedRounds(step);
  // A process that ended is told of, whichever round it was.
  const ended = new Set(step.rounds.flatMap(({ ended }) => ended ?? []));
  const failures = [
    ...failuresOf(step).map(([kind, count]) => `${formatInteger(count)} ${kind}`),
    ...ended,
  ];
  const overflows = rounds.flatMap(({ dropped }) => dropped?.queueOverflows ?? []);
  return {
    name,
    ...texts,
    failures: (failures.length === 0 ? "none" : failures.join(", ")) +
      (rounds.length === step.rounds.length
        ? ""
        : ` (${rounds.length} of ${step.rounds.length} rounds)`),
    queueOverflows: overflows.length === 0 ? undefined : formatInteger(mean(overflows)),
  };
}

/** Returns how late the null server was before the rounds of one step, undisturbed, from the least to the most. */
function floorOf(steps: readonly BurstStep[]): string | undefined {
  const held = steps.flatMap(({ nullServer }) => nullServer ?? [])
    .filter(({ disturbed }) => disturbed === undefined);
  const texts = [
    ["mean", held.flatMap(({ lateMeanSeconds }) => lateMeanSeconds ?? [])] as const,
    ["p99", held.map(({ lateP99Seconds }) => lateP99Seconds)] as const,
  ].flatMap(([name, late]) => late.length === 0 ? [] : [`${name} ${rangeText(late)} s`]);
  return texts.length === 0 ? undefined : texts.join(", ");
}

function rangeText(values: readonly number[]): string {
  return [...new Set([Math.min(...values), Math.max(...values)].map((value) => digitsText(value)))]
    .join("–");
}

/** Servers that leave a share below this are named together: a single user of 50,000 is no difference to none. */
const leastShare = 0.0001;

/**
 * Returns who answered everybody and who did not, in a sentence without its period, of the most users that anybody has
 * figures for; the shortest delay where several have as many. Whoever answered nearly everybody there, and left more
 * than one in a thousand of another burst, is named again.
 */
function burstsFinding(measured: readonly { name: string; steps: BurstStep[] }[]): string {
  const names = proseNames(measured.map(({ name }) => name));
  const [largest] = measured.flatMap(({ steps }) => steps)
    .filter(({ figures }) => figures !== undefined)
    .sort((a, b) => b.users - a.users || a.delaySeconds - b.delaySeconds);
  if (largest === undefined) return "No burst was valid";
  const known = measured.flatMap(({ name, steps }) => {
    const figures = steps.find((step) => isSameStep(step, largest))?.figures;
    return figures === undefined ? [] : [{ name: names.get(name)!, steps, figures }];
  });
  const shareOf = ({ figures }: { figures: BurstFigures }) => figures.failedShare.mean;
  const nearlyAll = known.filter((it) => shareOf(it) < leastShare);
  const howMany = nearlyAll.every((it) => shareOf(it) === 0)
    ? "answered every one"
    : `answered all but less than ${shareText(leastShare)}`;
  const some = known.filter((it) => shareOf(it) >= leastShare)
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  const elsewhere = nearlyAll.flatMap(({ name, steps }) => {
    const missed = steps.flatMap(({ figures }) =>
      figures === undefined || meanIsOfAll(figures) ? [] : [figures.failedShare.mean]
    );
    return missed.length === 0 ? [] : [{ name, share: Math.max(...missed) }];
  }).sort((a, b) => b.share - a.share);
  const said = [
    ...(nearlyAll.length === 0 ? [] : [`${list(nearlyAll.map(({ name }) => name))} ${howMany}`]),
    ...some.map(({ name, figures }) =>
      `${name} left ${estimatedShare(figures.failedShare)} without an answer`
    ),
    ...(elsewhere.length === 0 ? [] : [
      `in other bursts, ${
        list(elsewhere.map(({ name, share }) => `${name} left up to ${shareText(share)}`))
      }`,
    ]),
  ];
  return `Of ${formatInteger(largest.users)} users who came at once and asked for a delay of ` +
    `${largest.delaySeconds} s, ${said.join("; ")}`;
}

function estimatedShare({ mean, low, high }: BurstEstimate): string {
  const share = shareText(mean);
  if (low === undefined || high === undefined || shareText(low) === shareText(high)) return share;
  return `${share} (95 %: ${shareText(low)}–${shareText(high)})`;
}
