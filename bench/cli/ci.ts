/**
 * The command `ci`: does on this machine what a workflow's job does. Takes the workflow's name, which is also its
 * job's, and an implementation; reads the steps from the workflow itself, so that the two cannot drift apart, and runs
 * those that are recipes, in order, each with the environment that it has there.
 */
import type { CommandContext } from "./bench.ts";
import { makeMatrix, type MatrixEntry } from "../github/matrix.ts";
import { BenchError } from "../lib/error.ts";
import { readCheckout } from "../lib/git.ts";
import { type Job, readActionSteps, readWorkflow, type Step } from "../github/workflow_file.ts";
import { newRunId } from "../results/store.ts";

/** What is known of a job before it runs. */
export interface JobContext {
  matrix: MatrixEntry;
  inputs: { profile?: string };
  /** What the job that it waits for makes: the id that all jobs of a run share. */
  runId: string;
}

/** One line of shell, with what the workflow adds to its environment. */
export interface Replayed {
  run: string;
  env: Record<string, string>;
}

/**
 * Runs the recipes of a job, and returns whether all of them went well; the first that does not ends it.
 *
 * @throws {BenchError} when there is no such job, or it is not one for each implementation.
 */
export async function replayJob(
  { name, implId, profile }: { name: string; implId: string; profile?: string },
  { folders, report, signal }: CommandContext,
): Promise<boolean> {
  const [matrix] = (await makeMatrix(folders.impls, [implId])).include;
  const { commit } = await readCheckout(folders.root);
  const runId = newRunId(new Date(), commit);
  const inputs = profile === undefined ? {} : { profile };
  const steps = await planJob(folders.root, name, { matrix: matrix!, inputs, runId });
  for (const { run, env } of steps) {
    report.line(`${Object.entries(env).map((pair) => pair.join("=")).join(" ")} ${run}`.trim());
    // As GitHub does it.
    const command = new Deno.Command("bash", {
      args: ["--noprofile", "--norc", "-eo", "pipefail", "-c", run],
      cwd: folders.root,
      env,
      stdin: "null",
      signal,
    });
    const { success } = await command.spawn().status;
    signal.throwIfAborted();
    if (!success) return false;
  }
  return true;
}

/** Returns what a job runs, in order: the recipes of its own steps and of our actions, not those of others. */
export async function planJob(
  root: string,
  name: string,
  context: JobContext,
): Promise<Replayed[]> {
  const workflow = await readWorkflow(root, name);
  const job = workflow.jobs[name];
  if (job?.strategy === undefined) {
    throw new BenchError(
      `Cannot replay "${name}": its workflow has no job of that name for each implementation, expected one`,
    );
  }
  const steps: Step[] = [];
  for (const step of job.steps) {
    steps.push(...step.uses?.startsWith("./") ? await readActionSteps(root, step.uses) : [step]);
  }
  return steps.flatMap(({ run, env }) => {
    if (run === undefined) return [];
    const all = Object.entries({ ...workflow.env, ...job.env, ...env })
      .filter(([, value]) => !namesService(String(value), job))
      .map(([key, value]) => [key, evaluate(String(value), context)] as const);
    return [{ run, env: Object.fromEntries(all) }];
  });
}

/**
 * Tells whether a value leads to a service container, which only GitHub starts: here, the harness takes the
 * database that it finds.
 */
function namesService(value: string, { services }: Job): boolean {
  const ports = Object.values(services).flatMap(({ ports }) => ports.map((p) => p.split(":")[0]));
  return ports.some((port) => value.includes(`127.0.0.1:${port}/`));
}

/** Puts in what is known, such as `matrix.impl` and `inputs.profile || 'full'`. */
export function evaluate(text: string, context: JobContext): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, expression: string) => {
    const values = expression.split("||").map((part) => valueOf(part.trim(), context));
    return values.find((value) => value !== "") ?? "";
  });
}

function valueOf(term: string, context: JobContext): string {
  const literal = /^'([^']*)'$/.exec(term)?.[1];
  if (literal !== undefined) return literal;
  if (term === "needs.list.outputs.run-id") return context.runId;
  const [, root, key] = /^(matrix|inputs)\.([a-z]+)$/.exec(term) ?? [];
  if (root === "matrix") return new Map(Object.entries(context.matrix)).get(key!) ?? "";
  if (root === "inputs") return new Map(Object.entries(context.inputs)).get(key!) ?? "";
  throw new BenchError(
    `Cannot evaluate "${term}": only GitHub knows it, expected matrix.…, inputs.… or 'text'`,
  );
}
