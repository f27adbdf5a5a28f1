/**
 * Are figures of two runs comparable? Only where the scenario, the profile, the processor, whether it polls
 * when idle, and the version of the control are the same; those of bursts also depend on settings of the kernel.
 */
import type { Result } from "./result_schema.ts";

/** What figures depend on besides the implementation. */
export interface Conditions {
  scenario: Result["scenario"];
  profile: Result["plan"]["profile"];
  cpuModel: string;
  cpuCount: number;
  /** Absent if idle processors are not known to poll. */
  idle?: Result["machine"]["idle"];
  /** Version; absent if nothing was compared with it; "none" where a scenario has no levels to compare. */
  control?: string;
  /** By the kernel's own names: what decides about connections that wait; absent without bursts. */
  kernelSettings?: Record<string, string>;
}

/** Returns the conditions of a result. */
export function conditionsOf(
  { scenario, plan, machine, control, bursts }: Result,
): Conditions {
  return {
    scenario,
    profile: plan.profile,
    cpuModel: machine.cpuModel,
    cpuCount: machine.cpuCount,
    idle: machine.idle,
    control: control?.version ?? (plan.levels.length === 0 ? "none" : undefined),
    kernelSettings: bursts?.kernelSettings,
  };
}

/** Returns conditions as one text, equal for comparable results; undefined without a control. */
export function comparableKeyOf(conditions: Conditions): string | undefined {
  const { scenario, profile, control, kernelSettings = {} } = conditions;
  if (control === undefined) return undefined;
  const settings = Object.entries(kernelSettings).map((setting) => setting.join(" ")).sort();
  return [scenario, profile, machineOf(conditions), control, ...settings].join(", ");
}

/** Returns a kind of machine in words: what rates must share to be ranked. */
export function machineOf(
  { cpuModel, cpuCount, idle }: Pick<Conditions, "cpuModel" | "cpuCount" | "idle">,
): string {
  return `${cpuModel}, ${cpuCount} processors${idle === undefined ? "" : ", polling when idle"}`;
}

/** One condition that changed between two results. */
export interface ConditionChange {
  what:
    | "profile"
    | "processor"
    | "number of processors"
    | "idle processors"
    | "control"
    | `kernel setting ${string}`;
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
    ...change("idle processors", idleOf(before), idleOf(now)),
    ...change("control", before.control ?? "none", now.control ?? "none"),
    ...settingNames(before, now).flatMap((name) => {
      const [was, is] = [before, now].map(({ kernelSettings }) => kernelSettings?.[name]);
      return change(`kernel setting ${name}`, was ?? "unknown", is ?? "unknown");
    }),
  ];
}

function idleOf({ idle }: Conditions): string {
  return idle === undefined ? "not known to poll" : "poll";
}

function settingNames(...both: Conditions[]): string[] {
  return [...new Set(both.flatMap(({ kernelSettings = {} }) => Object.keys(kernelSettings)))]
    .sort();
}
