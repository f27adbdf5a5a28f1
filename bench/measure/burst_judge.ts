/**
 * Judge of bursts: does a round count? Users without an answer are a result. Wrong answers, too much logging, a bad warm-up
 * and swapping make a round invalid. What else the machine or the load generator broke makes it disturbed.
 */
import { formatInteger } from "../lib/format_integer.ts";
import { sum } from "../lib/sum.ts";
import type { Held } from "../results/burst_schema.ts";
import type { MachineUse } from "../results/load_schema.ts";
import type { ObservedBurst } from "./burst_observe.ts";
import { judgeMachine } from "./judge_machine.ts";
import type { Reason } from "./limits.ts";

/** Failures that lie with the load generator's machine. */
const ofGenerator = ["out-of-descriptors", "out-of-ports"];

/** Logged lines that are allowed, and per user besides. */
const allowedLines = 10;
const allowedLinesPerUser = 0.01;

/** Why a round is invalid, or how the machine disturbed it if nothing else is wrong. */
export interface JudgedBurst {
  invalidBecause?: string[];
  /** Present where nothing else is wrong, whatever became of the users: the round is to be measured again. */
  disturbed?: string;
}

/** Returns every reason why a round does not count. */
export function judgeBurst(
  burst: Pick<ObservedBurst, "answered" | "failures" | "wrong" | "problems" | "log">,
  users: number,
  machine: MachineUse | undefined,
  warmUp: readonly Reason[],
): JudgedBurst {
  const own = [
    ...warmUp.map(({ message }) => message),
    ...judgeAnswers(burst, users),
    ...judgeLog(burst, users),
  ];
  const ofMachine = judgeMachine(machine);
  const machines = [...judgeGenerator(burst, users), ...ofMachine.map(({ message }) => message)];
  // A server that takes too much memory makes a machine swap.
  if (own.length > 0 || ofMachine.some(({ code }) => code === "swapping")) {
    return { invalidBecause: [...own, ...machines] };
  }
  return { disturbed: machines.join("; ") || undefined };
}

function judgeAnswers(
  { wrong, problems }: Pick<ObservedBurst, "wrong" | "problems">,
  users: number,
): string[] {
  return problems.map(({ check, sent, came, expected }) => {
    const [some, all] = [wrong[check] ?? 0, users].map(formatInteger);
    return `${some} of ${all} users had a wrong answer (${check}); the first: ${sent} got ` +
      `${came}, expected ${expected}`;
  });
}

/** Where users fail, what a server logs of them is its affair. */
function judgeLog(
  { answered, log: { lines } }: Pick<ObservedBurst, "answered" | "log">,
  users: number,
): string[] {
  const most = allowedLines + allowedLinesPerUser * users;
  if (answered < users || lines <= most) return [];
  const [grown, all, allowed] = [lines, users, Math.floor(most)].map(formatInteger);
  return [`the log grew by ${grown} lines for ${all} users, expected at most ${allowed}`];
}

function judgeGenerator(
  { answered, failures, wrong }: Pick<ObservedBurst, "answered" | "failures" | "wrong">,
  users: number,
): string[] {
  const reasons = ofGenerator.flatMap((kind) => {
    const count = failures[kind] ?? 0;
    if (count === 0) return [];
    const [some, all] = [count, users].map(formatInteger);
    return [`the load generator was ${kind.replaceAll("-", " ")} for ${some} of ${all} users`];
  });
  const came = answered + sum([failures, wrong].flatMap((counts) => Object.values(counts)));
  if (came !== users) {
    reasons.push(`${formatInteger(came)} users came, expected ${formatInteger(users)}`);
  }
  return reasons;
}

/** Says why a step cannot be measured here; undefined if the null server held all users at the same time. */
export function notHeld(users: number, { users: answered, peakOpen }: Held): string | undefined {
  if (answered === users && peakOpen === users) return undefined;
  const [held, came, asked] = [peakOpen, answered, users].map(formatInteger);
  return `the null server held ${held} users at the same time and answered ${came}, ` +
    `expected ${asked}: the machine or the load generator cannot have so many`;
}
