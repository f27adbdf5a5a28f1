/** Which steps of the workflows ran in a rehearsal, for how long, and which never did? */
import { basename } from "@std/path";
import { sumOf } from "../../lib/sum.ts";
import type { Job, Step, WorkflowFiles } from "../workflow_files.ts";
import type { StepRan } from "./act.ts";

/** The name of the setup action's file among {@linkcode WorkflowFiles}. */
const setupAction = ".github/actions/setup/action.yml";

/** What the log calls a step. */
function labelOf({ name, uses, run }: Step): string {
  return name ?? uses ?? run ?? "";
}

/**
 * Returns a line for each step, in the order of the files: `ran`, with how long that took in all, `failed` or
 * `never ran`. A step counts as failed where it did once.
 *
 * @param ran The steps that ran, by the file of the workflow that was started.
 */
export function listSteps(
  { workflows, jobs, steps }: Pick<WorkflowFiles, "workflows" | "jobs" | "steps">,
  ran: ReadonlyMap<string, readonly StepRan[]>,
): string[] {
  const inside = (file: string): StepRan[] =>
    [...ran].filter(([started]) =>
      started === file || Object.values(workflows.get(started)?.jobs ?? {}).some(calls(file))
    ).flatMap(([, found]) => found);
  const lines = jobs.flatMap(({ where, file, id, job }) =>
    job.steps.map((step) => {
      const found = inside(file).filter(({ jobId }) => jobId === id);
      return `${outcome(found, labelOf(step))}  ${where}: ${labelOf(step)}`;
    })
  );
  const all = [...ran.values()].flat();
  const inner = steps.filter(({ where }) => where === setupAction)
    .map(({ step }) => `${outcome(all, labelOf(step))}  ${setupAction}: ${labelOf(step)}`);
  return [...lines, ...inner];
}

const calls = (file: string) => ({ uses = "" }: Job) => basename(uses) === file;

function outcome(ran: readonly StepRan[], label: string): string {
  const found = ran.filter(({ step }) => step === label);
  if (found.length === 0) return "never ran";
  const took = `${sumOf(found, ({ seconds }) => seconds).toFixed(0)} s`;
  return `${found.every(({ isGood }) => isGood) ? "ran" : "failed"} ${took}`;
}
