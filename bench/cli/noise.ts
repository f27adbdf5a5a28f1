/**
 * The command `noise`: how much do two measurements of the same program differ? Compares an implementation with
 * itself many times; writes every comparison and a summary.
 */
import { join } from "@std/path";
import type { Command } from "commander";
import { positive, profileArgument, profileOf, scenarioOption } from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";
import { enterSide, flagOf, measureSides, requireSides } from "./compare.ts";
import { BenchError } from "../lib/error.ts";
import type { ProfileName } from "../results/plan.ts";
import { readCheckout } from "../lib/git.ts";
import type { ComparedLevel } from "../results/comparison_schema.ts";
import { summariseNoise } from "../results/noise.ts";
import { type NoiseFile, noiseFileSchema } from "../results/files_schema.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { formatNoise } from "./show_comparison.ts";
import { writeAtomically } from "../lib/write_atomically.ts";

/** Adds `noise`. */
export function addNoise(program: Command, context: CommandContext): void {
  program.command("noise")
    .description("compare an implementation with itself, to measure the noise")
    .argument("<impl>", "a folder under impls/")
    .addArgument(profileArgument("quick"))
    .addOption(scenarioOption())
    .option("--rounds <count>", "number of comparisons", positive, 20)
    .addHelpText("after", examples("noise deno", "noise rust smoke --rounds 5"))
    .action(async (implId: string, word: string | undefined, flags, self: Command) => {
      const profile = profileOf(word, "quick", self);
      const { rounds: comparisons, scenario = defaultScenarioId } = flags;
      context.print(await measureNoise({ implId, scenario, profile, comparisons }, context));
    });
}

/** What a person asked for. */
export interface NoiseRequest {
  implId: string;
  /** Its id. */
  scenario: string;
  profile: ProfileName;
  comparisons: number;
}

/** Measures the noise of the comparison, and returns what to print. */
export async function measureNoise(
  { implId, scenario, profile, comparisons: times }: NoiseRequest,
  context: CommandContext,
): Promise<string> {
  const { folders } = context;
  const checkout = await readCheckout(folders.root);
  await requireSides([implId], scenario, folders.impls);
  const side = await enterSide(implId, folders.impls, checkout.commit, context);
  const measured = await measureSides(
    { subject: side, reference: side },
    { scenario, profile, checkout, context, times },
  );
  const comparisons = measured.comparisons.flat();
  const file: NoiseFile = {
    ...measured.circumstances,
    command: `npx rust-just noise ${implId} ${profile} --rounds ${times}${flagOf(scenario)}`,
    impl: implId,
    comparisons,
    summary: requireSummary(comparisons),
  };
  const path = join(folders.localNoise, `${file.id}.json`);
  await writeAtomically(path, JSON.stringify(noiseFileSchema.parse(file), null, 2) + "\n");
  return `${formatNoise(file)}\n\n${path}`;
}

/**
 * Summarises comparisons of an implementation with itself.
 *
 * @throws {BenchError} when fewer than two of them yielded a ratio of goodput.
 */
function requireSummary(comparisons: ComparedLevel[]): NoiseFile["summary"] {
  const summary = summariseNoise(comparisons);
  if (summary !== undefined) return summary;
  const measured = comparisons.filter(({ goodput }) => goodput !== undefined).length;
  throw new BenchError(
    `Cannot tell noise from ${measured} of ${comparisons.length} comparisons, expected at least two with a ratio`,
    { help: comparisons.map(({ problem }) => problem).filter((text) => text).join("\n") },
  );
}
