import { defaultScenarioId } from "../scenario/ids.ts";
import type { Plan } from "./result_schema.ts";

/**
 * Returns the command that repeats a plan. Publishing compares with it: after a change here, results of workflows that began
 * before are refused.
 */
export function repeatCommand(implId: string, scenarioId: string, plan: Plan): string {
  const command = ["npx rust-just bench", implId];
  if (scenarioId !== defaultScenarioId) command.push("--scenario", scenarioId);
  if (plan.profile !== "custom") return [...command, plan.profile].join(" ");
  const levels = plan.levels.toSorted((a, b) => a - b).join(",");
  return [
    ...command,
    ...["--levels", levels, "--requests", plan.requests],
    ...["--warm-up", plan.warmUpRequests, "--pool", plan.poolMax],
    ...plan.reproduces === undefined ? [] : ["--reproduces", plan.reproduces],
  ].join(" ");
}
