/**
 * Era: may figures of two runs be held against each other? Only where the job, the profile, the processor and
 * the version of the control are the same.
 */
import type { Result } from "./result_schema.ts";

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
    control: control?.version,
  };
}

/** Returns the era of a result as one text; undefined where there is no control. */
export function eraOf(result: Result): string | undefined {
  const { scenario, profile, cpuModel, cpuCount, control } = eraFactsOf(result);
  if (control === undefined) return undefined;
  return [scenario, profile, cpuModel, cpuCount, control].join(", ");
}

/** One thing that differs between two eras. */
export interface EraChange {
  what: "profile" | "processor" | "number of processors" | "control";
  before: string;
  now: string;
}

/** Returns what differs from one era of a scenario to a later one; nothing where they are the same. */
export function eraChanges(before: Era, now: Era): EraChange[] {
  const change = (what: EraChange["what"], was: string | number, is: string | number) =>
    was === is ? [] : [{ what, before: String(was), now: String(is) }];
  return [
    ...change("profile", before.profile, now.profile),
    ...change("processor", before.cpuModel, now.cpuModel),
    ...change("number of processors", before.cpuCount, now.cpuCount),
    ...change("control", before.control ?? "none", now.control ?? "none"),
  ];
}
