/**
 * Progress: how far has a stage come, in time? Takes what was done so far and what is left; gives what the command
 * line shows. A bar never goes back without a line that says why.
 */
import type { Plan, Result } from "../results/result_schema.ts";

/** Returns how far one implementation has come over all its levels, those that were repeated included. */
export function levelProgress(
  { impl, levels }: {
    impl: { id: string };
    levels: Pick<Result["levels"][number], "repetitions">[];
  },
  now: { connections: number; repetitions: number; requests: number },
  plan: Pick<Plan, "levels" | "requests">,
): [label: string, done: number, total: number] {
  const which = `level ${levels.length + 1} of ${plan.levels.length}`;
  const done = levels.reduce((sum, { repetitions }) => sum + repetitions.length, now.repetitions);
  const repeated = done - levels.length;
  return [
    `${impl.id}, ${now.connections} connections (${which}${now.repetitions > 0 ? ", again" : ""})`,
    done * plan.requests + now.requests,
    (plan.levels.length + repeated) * plan.requests,
  ];
}
