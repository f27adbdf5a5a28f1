import type { Command } from "commander";
import { urlOf } from "../database/connection.ts";
import { openEmptyServer } from "../database/open.ts";
import { BenchError } from "../lib/error.ts";
import { type CommandContext, examples } from "./command.ts";

/** The recipes that workflows run beside a service container. */
export const recipesWithService: readonly string[] = ["bench", "compare"];

/** Adds `ci`. */
export function addCi(program: Command, context: CommandContext): void {
  program.command("ci")
    .description("run a recipe as a workflow's job does: with the database that the job has")
    .argument("<just>", "the program just")
    .argument("<recipe...>", "a recipe with its arguments")
    // Options after the recipe are the recipe's.
    .passThroughOptions()
    .addHelpText("after", examples("ci bench deno quick"))
    .action((just: string, recipe: string[]) => runAsJob(just, recipe, context));
}

/**
 * Runs a recipe with what a job has as DATABASE_URL: a server whose database is empty, beside recipes that measure, and
 * nothing beside others.
 *
 * @throws {BenchError} when the recipe fails.
 */
export async function runAsJob(
  just: string,
  recipe: string[],
  { report, signal, scratch }: CommandContext,
): Promise<void> {
  const { DATABASE_URL: _, ...env } = Deno.env.toObject();
  await using stack = new AsyncDisposableStack();
  if (recipesWithService.includes(recipe[0] ?? "")) {
    const server = stack.use(await openEmptyServer({ report, signal, folder: scratch }));
    env.DATABASE_URL = urlOf(server.address);
  }
  // A Ctrl-C reaches the recipe, too: it ends by itself, and its database after it.
  const child = new Deno.Command(just, { args: recipe, env, clearEnv: true }).spawn();
  const { code } = await child.status;
  signal.throwIfAborted();
  if (code === 0) return;
  throw new BenchError(`Recipe "${recipe.join(" ")}" ended with exit code ${code}, expected 0`);
}
