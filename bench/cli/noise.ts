/**
 * The command `noise`: how much do two measurements of the same program differ? Compares an implementation with
 * itself many times; writes every comparison and a summary.
 */
import { join } from "@std/path";
import type { Command } from "commander";
import { announceNoise } from "./announce.ts";
import { flagOf, positive, profileArgument, profileOf, scenarioOption } from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";
import { enterSide, openSides, requireSides } from "./sides.ts";
import { BenchError } from "../lib/error.ts";
import { readCheckout } from "../lib/git.ts";
import { writeAtomically } from "../lib/write_atomically.ts";
import { compareWithItself } from "../measure/noise.ts";
import { ensureHelpers } from "../measure/protocols.ts";
import { type NoiseComparison, type NoiseFile, noiseFileSchema } from "../results/files_schema.ts";
import { summariseNoise } from "../results/noise.ts";
import { noisePlans, type ProfileName } from "../results/plan.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { formatNoise } from "./show_comparison.ts";

/** Adds `noise`. */
export function addNoise(program: Command, context: CommandContext): void {
  program.command("noise")
    .description("compare an implementation with itself, to measure the noise")
    .argument("<impl>", "a folder under impls/")
    .addArgument(profileArgument("quick"))
    .addOption(scenarioOption())
    .option("--comparisons <count>", "number of comparisons, each of several rounds", positive, 20)
    .addHelpText("after", examples("noise deno", "noise rust smoke --comparisons 5"))
    .action(async (implId: string, word: string | undefined, flags, self: Command) => {
      const profile = profileOf(word, "quick", self);
      const { comparisons, scenario = defaultScenarioId } = flags;
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

/**
 * Measures the noise of an implementation, and returns what to print. The file is written after
 * each comparison, from the second one on.
 *
 * @throws {BenchError} when fewer than two comparisons yielded a ratio of goodput.
 */
async function measureNoise(
  { implId, scenario, profile, comparisons: times }: NoiseRequest,
  context: CommandContext,
): Promise<string> {
  const { folders, report, signal } = context;
  const plan = noisePlans[profile];
  const checkout = await readCheckout(folders.root);
  await requireSides([implId], scenario, folders.impls);
  const side = await enterSide(implId, folders.impls, checkout.commit, context);
  const helpers = await ensureHelpers({ report, signal });
  report.line(announceNoise(plan, times));
  await using opened = await openSides({ subject: side, reference: side }, {
    ...{ scenario, profile, checkout, context, plan },
    connections: plan.p99AtRate.connections,
  });
  const { seed, session } = opened;
  const path = join(folders.localNoise, `${session.facts.runId}.json`);
  let file: NoiseFile | undefined;
  const comparisons = await compareWithItself(side, {
    ...{ plan, seed, times, session: { ...session, helpers } },
    onCompared: async (comparisons) => {
      const summary = summariseNoise(comparisons);
      if (summary === undefined) return;
      file = noiseFileSchema.parse({
        ...await opened.circumstances(),
        plan,
        command: `npx rust-just noise ${implId} ${profile} --comparisons ${times}` +
          flagOf(scenario),
        impl: implId,
        comparisons,
        summary,
      });
      await writeAtomically(path, JSON.stringify(file, null, 2) + "\n");
    },
  });
  if (file === undefined) throw tooFew(comparisons);
  return `${formatNoise(file)}\n\n${path}`;
}

function tooFew(comparisons: readonly NoiseComparison[]): BenchError {
  const measured = comparisons.filter(({ goodput }) => goodput !== undefined).length;
  return new BenchError(
    `Cannot compute the noise: ${measured} of ${comparisons.length} comparisons gave a ratio, expected at least two`,
    { help: comparisons.map(({ problem }) => problem).filter((text) => text).join("\n") },
  );
}
