/**
 * What do slices cost? In a comparison, each side is frozen while the other runs. Measures the ratio of warm processes to
 * the control in turns as short as those of comparisons, and in turns eight times as long: if freezing costs an
 * implementation more than it costs the control, the first ratio is smaller. Intervals are over pairs of one load each;
 * pairs of a round share two processes, so what differs from process to process is not in them.
 */
import type { Command } from "commander";
import { positive, scenarioOption } from "../../cli/arguments.ts";
import { type CommandContext, examples } from "../../cli/command.ts";
import { measureAlone } from "../../cli/measure_alone.ts";
import { enterSide, openSides, requireSides } from "../../cli/sides.ts";
import { sideNames } from "../../database/database.ts";
import { BenchError } from "../../lib/error.ts";
import { readCheckout } from "../../lib/git.ts";
import { createRandom, shuffle } from "../../lib/random.ts";
import { compare } from "../../measure/compare.ts";
import { hasDoneWrong } from "../../measure/judge.ts";
import { judgeMachine } from "../../measure/judge_machine.ts";
import { measureSlices } from "../../measure/slices.ts";
import {
  type ComparedRound,
  type ComparisonPlan,
  goodputOf,
} from "../../results/comparison_schema.ts";
import { controlId } from "../../results/environment_schema.ts";
import { comparedLevel, comparisonPlans } from "../../results/profiles.ts";
import { defaultScenarioId } from "../../scenario/ids.ts";
import { ratioInterval } from "../../statistics/mod.ts";

/** Adds `slices-cost`. */
export function addSlicesCost(program: Command, context: CommandContext): void {
  program.command("slices-cost")
    .description("measure whether being frozen between turns changes the ratio to the control")
    .argument("<impl>", "a folder under impls/")
    .addOption(scenarioOption())
    .option("--rounds <count>", "rounds, each of two fresh processes", positive, 5)
    .option(
      "--pairs <count>",
      "pairs in each round: one load in slices, one in long turns",
      positive,
      12,
    )
    .addHelpText("after", examples("slices-cost node", "slices-cost spring-mvc --scenario gateway"))
    .action(async (implId: string, { scenario = defaultScenarioId, rounds, pairs }) =>
      context.print(await measureSlicesCost({ implId, scenario, rounds, pairs }, context))
    );
}

interface SlicesCostRequest {
  implId: string;
  /** Its id. */
  scenario: string;
  rounds: number;
  pairs: number;
}

const { sliceSeconds } = comparisonPlans.quick;

/** Both give each side as much time. */
const turns = {
  short: { slices: 16, sliceSeconds },
  long: { slices: 1, sliceSeconds: 16 * sliceSeconds },
};

/** What a side's goodput, or the ratio of both, was in slices, divided by what it was in long turns: a log-ratio each. */
interface Pair {
  subject: number;
  control: number;
  ratio: number;
}

/** Measures, and returns one line for each figure. */
async function measureSlicesCost(
  { implId, scenario, rounds, pairs: pairsEach }: SlicesCostRequest,
  context: CommandContext,
): Promise<string> {
  const { folders, report } = context;
  await requireSides([implId, controlId], scenario, folders.impls);
  await using _alone = await measureAlone(context);
  const checkout = await readCheckout(folders.root);
  const subject = await enterSide(implId, folders.impls, checkout.commit, context);
  const reference = await enterSide(controlId, folders.impls, checkout.commit, context);
  // The comparison only starts processes and warms them up: it has one short load.
  const plan: ComparisonPlan = {
    ...comparisonPlans.quick,
    ...{ budgetSeconds: 0, minRounds: rounds, loads: 1, slices: 1 },
  };
  const sides = { subject, reference };
  await using opened = await openSides(sides, {
    scenario,
    profile: "full",
    checkout,
    context,
    plan,
  });
  const { seed, session } = opened;
  const random = createRandom(-1 - seed);
  const pairs: Pair[] = [];
  let disturbed = 0;
  await compare(sides, {
    ...{ plan, seed, session, title: `${implId} in slices` },
    afterLoads: async (round, warm, workload) => {
      for (let pair = 1; pair <= pairsEach; pair++) {
        const [first] = shuffle(sideNames, random);
        const measured = {} as Record<keyof typeof turns, ComparedRound>;
        for (const name of shuffle(["short", "long"] as const, random)) {
          measured[name] = await measureSlices(warm, {
            ...{ session, workload, first: first! },
            plan: { ...plan, ...turns[name] },
            connections: comparedLevel,
          });
        }
        const all = Object.values(measured);
        for (const measurement of all) requireRight(measurement);
        if (all.some(({ machine }) => judgeMachine(machine).length > 0)) disturbed++;
        else pairs.push(compareTurns(measured));
        report.progress(
          `${implId} in slices and in long turns, round ${round + 1} of ${rounds}`,
          pair,
          pairsEach,
        );
      }
    },
  });
  return [
    `${scenario}, ${comparedLevel} connections, ${pairs.length} of ${rounds * pairsEach} pairs ` +
    `(the machine disturbed ${disturbed}; a round whose compilers were not quiet has none): ` +
    `in turns of up to ${2 * sliceSeconds} s, divided by in turns of ${turns.long.sliceSeconds} s`,
    `goodput of ${implId}: ${formatRatio(pairs.map((pair) => pair.subject))}`,
    `goodput of the control: ${formatRatio(pairs.map((pair) => pair.control))}`,
    `ratio of both: ${formatRatio(pairs.map((pair) => pair.ratio))}`,
  ].join("\n");
}

/** @throws {BenchError} when an answer was wrong, or rows were locked: then a rate means nothing. */
function requireRight({ subject, reference }: ComparedRound): void {
  if ([subject, reference].some(({ load }) => load !== undefined && hasDoneWrong(load))) {
    throw new BenchError("Cannot measure slices: answers were wrong or rows locked, expected none");
  }
}

function compareTurns({ short, long }: Record<keyof typeof turns, ComparedRound>): Pair {
  const subject = Math.log(goodputOf(short.subject) / goodputOf(long.subject));
  const control = Math.log(goodputOf(short.reference) / goodputOf(long.reference));
  return { subject, control, ratio: subject - control };
}

function formatRatio(logRatios: readonly number[]): string {
  const interval = ratioInterval(logRatios);
  if (interval === undefined) return "too few pairs";
  const [estimate, low, high] = [interval.estimate, interval.low, interval.high]
    .map((value) => value.toFixed(3));
  return `${estimate} (95 %: ${low}–${high})`;
}
