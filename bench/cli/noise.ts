/**
 * The command `noise`: how much do two measurements of the same program differ? Compares an implementation with
 * itself many times; writes every comparison and a summary.
 */
import { join } from "@std/path";
import type { Command } from "commander";
import { describeMachine } from "../machine/describe.ts";
import { announceNoise } from "./announce.ts";
import {
  comparedIds,
  flagOf,
  profileArgument,
  profileOf,
  runId,
  scenarioOption,
  severalComparisons,
} from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";
import { measureAlone } from "./measure_alone.ts";
import { showOverview } from "./overview.ts";
import { readResumableNoise, withKept } from "./resume.ts";
import { formatNoise } from "./show_comparison.ts";
import { enterSide, openSides, requireSides } from "./sides.ts";
import { lockedVersions } from "../impl/lock_files.ts";
import { BenchError } from "../lib/error.ts";
import { readCheckout } from "../lib/git.ts";
import { writeAtomically } from "../lib/write_atomically.ts";
import { describeImplIn } from "../measure/begin_result.ts";
import { compareWithItself } from "../measure/noise.ts";
import { ensureHelpers } from "../measure/protocols.ts";
import { requireSameFacts } from "../measure/same_facts.ts";
import { controlId } from "../results/environment_schema.ts";
import { type NoiseComparison, type NoiseFile, noiseFileSchema } from "../results/files_schema.ts";
import { summariseNoise } from "../results/noise.ts";
import { noisePlans, type ProfileName } from "../results/profiles.ts";
import { defaultScenarioId } from "../scenario/ids.ts";

const usualComparisons = 20;

/** Adds `noise`. */
export function addNoise(program: Command, context: CommandContext): void {
  program.command("noise")
    .description("compare an implementation with itself, to measure the noise")
    .argument("[impl]", "a folder under impls/")
    .addArgument(profileArgument("quick"))
    .addOption(scenarioOption(defaultScenarioId, comparedIds))
    .option(
      "--comparisons <count>",
      `number of comparisons, each of several rounds (default: ${usualComparisons})`,
      severalComparisons,
    )
    .option("--resume <id>", "continue an interrupted measurement", runId)
    .addHelpText(
      "after",
      examples(
        "noise deno",
        "noise rust smoke --comparisons 5",
        "noise --resume 20261122T101000Z-0123abc",
      ),
    )
    .action(async (implId: string | undefined, word: string | undefined, flags, self) => {
      const { comparisons, scenario, resume } = flags;
      if (resume !== undefined) {
        if ([implId, scenario, comparisons].some((value) => value !== undefined)) {
          self.error(
            "error: an implementation, scenario or count is given with --resume, which takes those of its measurement",
          );
        }
        await using _alone = await measureAlone(context);
        context.print(await resumeNoise(resume, context));
      } else if (implId === undefined) {
        await showOverview("noise", context);
      } else {
        const request: NoiseRequest = {
          implId,
          scenario: scenario ?? defaultScenarioId,
          profile: profileOf(word, "quick", self),
          comparisons: comparisons ?? usualComparisons,
        };
        await requireSides([implId], request.scenario, context.folders.impls);
        await using _alone = await measureAlone(context);
        context.print(await measureNoise(request, context));
      }
    });
}

/** What a person asked for. */
export interface NoiseRequest {
  implId: string;
  /** Its id. */
  scenario: string;
  profile: ProfileName;
  /** Number of comparisons, the earlier ones included. */
  comparisons: number;
  /** The measurement to resume. */
  earlier?: NoiseFile;
}

/** Resumes a measurement, and returns what to print. */
async function resumeNoise(id: string, context: CommandContext): Promise<string> {
  const { folders } = context;
  const { file, profile, plannedComparisons } = await readResumableNoise(id, {
    folders,
    machine: await describeMachine(),
    checkout: await readCheckout(folders.root),
  });
  const { impl: implId, scenario } = file;
  await requireSides([implId], scenario, folders.impls);
  return await measureNoise(
    { implId, scenario, profile, comparisons: plannedComparisons, earlier: file },
    context,
  );
}

/**
 * Measures the noise of an implementation, and returns what to print. The file is written after
 * each comparison, from the second one on.
 *
 * @throws {BenchError} when fewer than two comparisons yielded a ratio of goodput.
 */
async function measureNoise(
  { implId, scenario, profile, comparisons: times, earlier }: NoiseRequest,
  context: CommandContext,
): Promise<string> {
  const { folders, report, signal } = context;
  const plan = noisePlans[profile];
  const checkout = await readCheckout(folders.root);
  const side = await enterSide(implId, folders.impls, checkout.commit, context);
  // The control comes with the harness, whose commit the file has.
  const program = implId === controlId
    ? undefined
    : await describeImplIn(scenario, side, await lockedVersions(side.impl, side.toolchain));
  if (earlier?.program !== undefined) {
    requireSameFacts(earlier.id, "implementation", { was: earlier.program, now: program });
  }
  const helpers = await ensureHelpers({ report, signal });
  const done = earlier?.comparisons ?? [];
  report.line(announceNoise(plan, times - done.length, side.toolchain));
  await using opened = await openSides({ subject: side, reference: side }, {
    scenario,
    profile,
    checkout,
    context,
    plan,
    connections: plan.p99AtRate.connections,
  });
  const { session, upstreamLimit } = opened;
  const now = await opened.circumstances();
  if (earlier !== undefined) {
    requireSameFacts(earlier.id, "database", { was: earlier.database, now: now.database });
  }
  const { id, startedAt, seed } = earlier ?? now;
  const path = join(folders.localNoise, `${id}.json`);
  let file = earlier;
  const measuring = compareWithItself(side, {
    plan,
    seed,
    times,
    upstreamLimit,
    earlier: done,
    session: { ...session, helpers },
    onCompared: async (comparisons) => {
      const summary = summariseNoise(comparisons);
      if (summary === undefined) return;
      const next = noiseFileSchema.parse({
        ...await opened.circumstances(),
        id,
        startedAt,
        seed,
        plan,
        command: `npx rust-just noise ${implId} ${profile} --comparisons ${times}` +
          flagOf(scenario),
        impl: implId,
        program,
        plannedComparisons: times,
        comparisons,
        summary,
      });
      await writeAtomically(path, JSON.stringify(next, null, 2) + "\n");
      file = next;
    },
  });
  const comparisons = await measuring.catch(async (error) => {
    const kept = file &&
      `Kept: ${file.comparisons.length} of ${times} comparisons, in ${path}\n` +
        `Continue with \`just noise --resume ${id}\``;
    // No result has the failure, so the comparisons before it are kept whatever it was.
    throw await withKept(error, signal, () => kept, () => file !== undefined);
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
