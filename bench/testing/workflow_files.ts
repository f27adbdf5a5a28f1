/** The workflows and actions of this repository, as far as tests look at them. */
import { join } from "@std/path";
import { parse as parseYaml } from "@std/yaml";
import { z } from "zod";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const scalars = z.record(z.string(), scalar).default({});
const rights = z.record(z.string(), z.string());
const cacheMode = z.enum(["none", "read", "write"]).optional();
// GitHub refuses a queue of runs that are cancelled.
const concurrency = z.union([
  z.strictObject({ group: z.string(), "cancel-in-progress": z.literal(true) }),
  z.strictObject({
    group: z.string(),
    "cancel-in-progress": z.literal(false),
    queue: z.literal("max").optional(),
  }),
]).optional();
const stepSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  if: scalar.optional(),
  "timeout-minutes": z.number().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: scalars,
  env: scalars,
});
const jobSchema = z.object({
  "timeout-minutes": z.number().optional(),
  permissions: rights,
  "cache-mode": cacheMode,
  concurrency,
  needs: z.union([z.string().transform((need) => [need]), z.array(z.string())]).default([]),
  if: scalar.optional(),
  environment: z.union([z.string(), z.object({ name: z.string() })]).optional(),
  "runs-on": z.string().optional(),
  strategy: z.object({ "fail-fast": z.boolean().optional() }).optional(),
  uses: z.string().optional(),
  with: scalars,
  env: scalars,
  outputs: scalars,
  steps: z.array(stepSchema).default([]),
});
const workflowSchema = z.object({
  permissions: rights,
  "cache-mode": cacheMode,
  concurrency,
  jobs: z.record(z.string(), jobSchema),
});
const actionSchema = z.object({ runs: z.object({ steps: z.array(stepSchema) }) });

/** One job. */
export type Job = z.infer<typeof jobSchema>;
/** One step of a job or of an action. */
export type Step = z.infer<typeof stepSchema>;

/** All of them, sorted: workflows go by their file's name, `bench.yml`, actions by their path. */
export interface WorkflowFiles {
  texts: Map<string, string>;
  workflows: Map<string, z.infer<typeof workflowSchema>>;
  /** `where` is for messages. */
  jobs: { where: string; file: string; id: string; job: Job }[];
  /** Of jobs, then of actions. */
  steps: { where: string; step: Step }[];
  /** Returns a job that there is. */
  jobOf(file: string, id: string): Job;
}

/** Reads them below `root`. */
export async function readWorkflowFiles(root: string): Promise<WorkflowFiles> {
  const namesIn = async (folder: string) =>
    (await Array.fromAsync(Deno.readDir(join(root, folder)), ({ name }) => name)).sort();
  const texts = new Map<string, string>();
  const workflows: WorkflowFiles["workflows"] = new Map();
  for (const name of await namesIn(".github/workflows")) {
    const text = await Deno.readTextFile(join(root, ".github/workflows", name));
    texts.set(name, text);
    workflows.set(name, workflowSchema.parse(parseYaml(text)));
  }
  const jobs = [...workflows].flatMap(([file, workflow]) =>
    Object.entries(workflow.jobs).map(([id, job]) => ({
      where: `${file}, job ${id}`,
      file,
      id,
      job,
    }))
  );
  const steps = jobs.flatMap(({ where, job }) => job.steps.map((step) => ({ where, step })));
  for (const name of await namesIn(".github/actions")) {
    const where = `.github/actions/${name}/action.yml`;
    const text = await Deno.readTextFile(join(root, where));
    texts.set(where, text);
    steps.push(
      ...actionSchema.parse(parseYaml(text)).runs.steps.map((step) => ({ where, step })),
    );
  }
  const jobOf = (file: string, id: string) => workflows.get(file)!.jobs[id]!;
  return { texts, workflows, jobs, steps, jobOf };
}

/** Returns the recipe that a step runs; undefined where it runs none. */
export function recipeOf({ run = "" }: Step): string | undefined {
  return /^npx --yes rust-just@\S+ ([a-z-]+)/.exec(run)?.[1];
}

/** The condition by which a job of a fork runs only where its owner wants it. */
export const notInFork = "!github.event.repository.fork || vars.MEASURE_IN_FORK == 'true'";
