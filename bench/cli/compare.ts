/**
 * The command `compare`: which of two implementations is faster, or of two commits of one? Builds, verifies and
 * compares both sides, writes a file and prints the result.
 */
import { join } from "@std/path";
import type { Command } from "commander";
import { checkOutBase } from "../lib/base_checkout.ts";
import { readCheckout } from "../lib/git.ts";
import { writeAtomically } from "../lib/write_atomically.ts";
import { compare } from "../measure/compare.ts";
import { controlId } from "../results/environment_schema.ts";
import { type ComparisonFile, comparisonFileSchema } from "../results/files_schema.ts";
import { comparisonPlans, isProfileName, type ProfileName } from "../results/profiles.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { announceComparison } from "./announce.ts";
import { comparedIds, flagOf, profileArgument, profileOf, scenarioOption } from "./arguments.ts";
import { type CommandContext, examples } from "./command.ts";
import { measureAlone } from "./measure_alone.ts";
import { showOverview } from "./overview.ts";
import { formatComparison } from "./show_comparison.ts";
import { enterSide, openSides, requireSides } from "./sides.ts";

/** Adds `compare`. */
export function addCompare(program: Command, context: CommandContext): void {
  program.command("compare")
    .description("show which of two is faster, with a 95 % confidence interval")
    .argument("[subject]", "an implementation")
    .argument("[reference]", "another one, or control")
    .addArgument(profileArgument("full"))
    .addOption(scenarioOption(defaultScenarioId, comparedIds))
    .option("--base <commit>", "compare with the same implementation at a branch, tag or commit")
    .addHelpText(
      "after",
      examples(
        "compare deno rust",
        "compare go rust quick --scenario hello",
        "compare deno --base main quick",
      ),
    )
    .action(
      async (subjectId: string | undefined, second: string | undefined, third, flags, self) => {
        if (subjectId === undefined) return await showOverview("compare", context);
        const { base, scenario = defaultScenarioId } = flags;
        // `compare deno --base main quick`: the second word is the profile.
        const [referenceId, word] = base === undefined ? [second, third] : [undefined, second];
        // `compare deno quick`: the reference was forgotten.
        if (base === undefined && (referenceId === undefined || isProfileName(referenceId))) {
          self.error(
            "error: no reference is given, expected another implementation, control, or --base <commit>",
          );
        }
        if (base !== undefined && third !== undefined) {
          self.error(`error: "${second}" and --base are given, expected one of them`);
        }
        if (base !== undefined && subjectId === controlId) {
          self.error(
            "error: control and --base are given, but the control is built from this checkout only",
          );
        }
        if (referenceId === subjectId) {
          self.error(
            `error: both sides are ${subjectId}, expected two; \`just noise ${subjectId}\` compares it with itself`,
          );
        }
        const profile = profileOf(word, "full", self);
        context.print(
          await compareTwo({ subjectId, referenceId, scenario, base, profile }, context),
        );
      },
    );
}

/** Two implementations, or one and the commit of its base. */
export interface CompareRequest {
  subjectId: string;
  referenceId?: string;
  /** Its id. */
  scenario: string;
  /** A branch, tag or commit whose sources of the same implementation are the reference. */
  base?: string;
  profile: ProfileName;
}

/**
 * Compares two sides, and returns what to print.
 *
 * @throws {BenchError} when a side cannot be built or does not meet the contract.
 */
async function compareTwo(
  request: CompareRequest,
  context: CommandContext,
): Promise<string> {
  const { folders, scratch } = context;
  const { subjectId, referenceId, scenario, base, profile } = request;
  await requireSides([subjectId, referenceId ?? subjectId], scenario, folders.impls);
  await using _alone = await measureAlone(context);
  const checkout = await readCheckout(folders.root);
  await using baseCheckout = base === undefined
    ? undefined
    : await checkOutBase(folders.root, base, { folder: scratch });
  const subject = await enterSide(subjectId, folders.impls, checkout.commit, context);
  const reference = baseCheckout === undefined
    ? await enterSide(referenceId!, folders.impls, checkout.commit, context)
    : await enterSide(subjectId, join(baseCheckout.folder, "impls"), baseCheckout.commit, context);
  const plan = comparisonPlans[profile];
  const sides = { subject, reference };
  context.report.line(announceComparison(plan, [subject.toolchain, reference.toolchain]));
  await using opened = await openSides(sides, { scenario, profile, checkout, context, plan });
  const { levels } = await compare(sides, { ...opened, plan, title: "Comparing" });
  const against = baseCheckout === undefined ? referenceId : `--base ${baseCheckout.commit}`;
  const command = `npx rust-just compare ${subjectId} ${against} ${profile}${flagOf(scenario)}`;
  const file: ComparisonFile = {
    ...await opened.circumstances(),
    plan,
    command,
    subject: { id: subject.impl.id, commit: subject.commit },
    reference: { id: reference.impl.id, commit: reference.commit },
    levels,
  };
  const path = join(folders.comparisons, `${file.id}.json`);
  const text = JSON.stringify(comparisonFileSchema.parse(file), null, 2) + "\n";
  await writeAtomically(path, text).catch((error) => {
    // What took minutes is not lost with its file.
    context.print(formatComparison(file), false);
    throw error;
  });
  return `${formatComparison(file)}\n\n${path}`;
}
