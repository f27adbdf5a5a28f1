/**
 * Are figures of two runs comparable? Only where the scenario, the profile, the processor and the version of the
 * control are the same.
 */
import type { Result } from "./result_schema.ts";

/** What figures depend on besides the implementation. */
export interface Conditions {
  scenario: Result["scenario"];
  profile: Result["plan"]["profile"];
  cpuModel: string;
  cpuCount: number;
  /** Version; absent if nothing was compared with it; "none" where a scenario has no levels to compare. */
  control?: string;
}

/** Returns the conditions of a result. */
export function conditionsOf({ scenario, plan, machine, control }: Result): Conditions {
  return {
    scenario,
    profile: plan.profile,
    cpuModel: machine.cpuModel,
    cpuCount: machine.cpuCount,
    control: control?.version ?? (plan.levels.length === 0 ? "none" : undefined),
  };
}

/** Returns conditions as one text, equal for comparable results; undefined without a control. */
export function comparableKeyOf(conditions: Conditions): string | undefined {
  const { scenario, profile, cpuModel, cpuCount, control } = conditions;
  if (control === undefined) return undefined;
  return [scenario, profile, cpuModel, cpuCount, control].join(", ");
}

/** Returns a kind of machine in words: what rates must share to be ranked. */
export function machineOf(
  { cpuModel, cpuCount }: Pick<Conditions, "cpuModel" | "cpuCount">,
): string {
  return `${cpuModel}, ${cpuCount} processors`;
}

/** One condition that changed between two results. */
export interface ConditionChange {
  what: "profile" | "processor" | "number of processors" | "control";
  before: string;
  now: string;
}

/** Returns which conditions changed between two results of a scenario; none where they are comparable. */
export function conditionChanges(before: Conditions, now: Conditions): ConditionChange[] {
  const change = (what: ConditionChange["what"], was: string | number, is: string | number) =>
    was === is ? [] : [{ what, before: String(was), now: String(is) }];
  return [
    ...change("profile", before.profile, now.profile),
    ...change("processor", before.cpuModel, now.cpuModel),
    ...change("number of processors", before.cpuCount, now.cpuCount),
    ...change("control", before.control ?? "none", now.control ?? "none"),
  ];
}
