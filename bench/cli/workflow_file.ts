import { join } from "@std/path";
import { parse as parseYaml } from "yaml";
import { z } from "zod";
import { BenchError, messageOf } from "../lib/error.ts";

const scalar = z.union([z.string(), z.number(), z.boolean()]);
const environment = z.record(z.string(), scalar).default({});

const stepSchema = z.object({
  id: z.string().optional(),
  name: z.string().optional(),
  if: scalar.optional(),
  "timeout-minutes": z.number().optional(),
  uses: z.string().optional(),
  run: z.string().optional(),
  with: z.record(z.string(), scalar).default({}),
  env: environment,
});
const jobSchema = z.object({
  "timeout-minutes": z.number().optional(),
  permissions: z.record(z.string(), z.string()).optional(),
  needs: z.union([z.string().transform((need) => [need]), z.array(z.string())]).default([]),
  if: scalar.optional(),
  environment: z.union([z.string(), z.object({ name: z.string() })]).optional(),
  "runs-on": z.string(),
  env: environment,
  strategy: z.object({ "fail-fast": z.boolean().optional(), matrix: z.unknown() }).optional(),
  services: z.record(z.string(), z.object({ ports: z.array(z.string()).default([]) }).loose())
    .default({}),
  steps: z.array(stepSchema),
});
const workflowSchema = z.object({
  permissions: z.record(z.string(), z.string()).optional(),
  env: environment,
  jobs: z.record(z.string(), jobSchema),
});
const actionSchema = z.object({ runs: z.object({ steps: z.array(stepSchema) }) });

/** One step of a job or of an action. */
export type Step = z.infer<typeof stepSchema>;
/** One job, as far as we look at it. */
export type Job = z.infer<typeof jobSchema>;
/** A workflow, as far as we look at it. */
export type Workflow = z.infer<typeof workflowSchema>;

/** @throws {BenchError} when the file is missing or no workflow. */
export function readWorkflow(root: string, name: string): Promise<Workflow> {
  return readYaml(join(root, ".github", "workflows", `${name}.yml`), workflowSchema);
}

/**
 * Returns the steps of a composite action of this repository, given as `uses` has it: `./.github/actions/setup`.
 *
 * @throws {BenchError} when the file is missing or no composite action.
 */
export async function readActionSteps(root: string, uses: string): Promise<Step[]> {
  return (await readYaml(join(root, uses, "action.yml"), actionSchema)).runs.steps;
}

async function readYaml<T>(path: string, schema: z.ZodType<T>): Promise<T> {
  try {
    return schema.parse(parseYaml(await Deno.readTextFile(path)));
  } catch (cause) {
    const what = cause instanceof Deno.errors.NotFound
      ? "file does not exist"
      : cause instanceof z.ZodError
      ? z.prettifyError(cause)
      : messageOf(cause);
    throw new BenchError(`Cannot read "${path}": ${what}`, { cause });
  }
}
