/** Judge the machine: did anything but the roles use it while a load ran? */
import { formatInteger } from "../lib/format_integer.ts";
import type { MachineUse } from "../results/load_schema.ts";
import { isOfMachine } from "../results/outcome.ts";
import type { Repetition } from "../results/result_schema.ts";
import { alwaysAllowed, limits, percent, type Reason, toldFrom } from "./limits.ts";

/** Returns the reasons that lie with the machine, not with the subject. */
export function judgeMachine(machine: MachineUse | undefined): Reason[] {
  if (machine === undefined) return [];
  const { capacityCpuSeconds, foreignCpuSeconds = 0, busiestOther, stealCpuSeconds, swappedBytes } =
    machine;
  const isBeyond = (seconds: number, limit: number, allowed: number) =>
    seconds > Math.max(limit * capacityCpuSeconds, allowed);
  const reasons: Reason[] = [];
  if (isBeyond(foreignCpuSeconds, limits.foreignCpu, alwaysAllowed.foreignCpuSeconds)) {
    reasons.push({
      code: "foreign-load",
      message: `other processes used ${
        toldFrom(limits.foreignCpu, foreignCpuSeconds / capacityCpuSeconds, percent, 1)
      } of the machine's CPU time${
        // A process may call itself anything.
        busiestOther && busiestOther.cpuSeconds > foreignCpuSeconds / 2
          ? `, most of it ${JSON.stringify(busiestOther.name)}`
          : ""}, expected at most ${percent(limits.foreignCpu)}`,
    });
  }
  if (isBeyond(stealCpuSeconds, limits.steal, alwaysAllowed.stealCpuSeconds)) {
    reasons.push({
      code: "steal",
      message: `the hypervisor took ${
        toldFrom(limits.steal, stealCpuSeconds / capacityCpuSeconds, percent, 1)
      } of the machine's CPU time, expected at most ${percent(limits.steal)}`,
    });
  }
  if (swappedBytes > limits.swapping) {
    const [swapped, most] = [swappedBytes, limits.swapping].map(formatInteger);
    reasons.push({
      code: "swapping",
      message: `the machine swapped ${swapped} bytes, expected at most ${most}`,
    });
  }
  return reasons;
}

/** Returns what disturbed the machine, in words; undefined where nothing did. */
export function disturbanceOf(machine: MachineUse | undefined): string | undefined {
  return judgeMachine(machine).map(({ message }) => message).join("; ") || undefined;
}

/**
 * Returns which loads of a disturbed round to measure again: those during which the hypervisor took more than its share, if
 * nothing else disturbed the round; otherwise all, because a server that disturbs the machine could choose otherwise which of
 * its loads count. What is always allowed is for the round, so it excuses no load.
 */
export function loadsToRepeat<Load extends { machine?: MachineUse }>(
  { machine }: { machine?: MachineUse },
  loads: Load[],
): Load[] {
  const isOnlyStolen = judgeMachine(machine).every(({ code }) => code === "steal");
  return isOnlyStolen
    ? loads.filter(({ machine: { stealCpuSeconds = 0, capacityCpuSeconds = 0 } = {} }) =>
      stealCpuSeconds > limits.steal * capacityCpuSeconds
    )
    : loads;
}

/** Returns what to say before measuring on a machine whose host takes its processors; undefined where it does not. */
export function stealWarning(
  machine: MachineUse | undefined,
  during: string,
): string | undefined {
  const steal = judgeMachine(machine).find(({ code }) => code === "steal");
  return steal && `${during}, ${steal.message}: loads that it disturbs are measured again, and ` +
      "may be invalid if it goes on. Another machine or time of day may do better. Idle processors that " +
      'poll may, too, but make it another kind of machine (bench/README.md, "Steal time after idling")';
}

/** Returns why a repetition must be measured again: all its reasons lie with the machine. */
export function reasonToRepeat({ validity }: Repetition): string | undefined {
  if (validity.valid || !validity.reasons.every(isOfMachine)) return undefined;
  return validity.reasons.map(({ message }) => message).join("; ");
}

/** Tells whether all that is wrong with a step lies with the machine: nothing is measured in place of a wrong answer. */
export function isOnlyDisturbed(
  { machine, problem }: { machine?: MachineUse; problem?: string },
): boolean {
  return problem !== undefined && problem === disturbanceOf(machine);
}
