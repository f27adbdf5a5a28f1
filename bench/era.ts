/**
 * Era: may figures of two runs be held against each other? Only where the job, the profile, the processor and
 * the version of the control are the same.
 */
import type { Result } from "./schema.ts";

/** What figures depend on beside the implementation. */
export interface Era {
  scenario: Result["scenario"];
  profile: Result["plan"]["profile"];
  cpuModel: string;
  cpuCount: number;
  /** Version; absent where nothing was compared with it. */
  control?: string;
}

/** Returns the era of a result. */
export function eraFactsOf({ scenario, plan, machine, control }: Result): Era {
  return {
    scenario,
    profile: plan.profile,
    cpuModel: machine.cpuModel,
    cpuCount: machine.cpuCount,
    ...(control === undefined ? {} : { control: control.version }),
  };
}

/** Returns the era of a result as one text; undefined where there is no control. */
export function eraOf(result: Result): string | undefined {
  const { scenario, profile, cpuModel, cpuCount, control } = eraFactsOf(result);
  if (control === undefined) return undefined;
  return [scenario, profile, cpuModel, cpuCount, control].join(", ");
}

/** Returns what differs from one era to a later one, a sentence without its period for each; none where they are one. */
export function eraChanges(before: Era, after: Era): string[] {
  const facts: [name: string, was: unknown, is: unknown][] = [
    ["scenario", before.scenario, after.scenario],
    ["profile", before.profile, after.profile],
    ["processor", before.cpuModel, after.cpuModel],
    ["number of processors", before.cpuCount, after.cpuCount],
    ["control", before.control ?? "none", after.control ?? "none"],
  ];
  return facts.flatMap(([name, was, is]) => was === is ? [] : [`${name} ${is}, ${was} before`]);
}
