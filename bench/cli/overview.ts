/** Overview: what can be measured, and how, for a command that was given no implementation. */
import { bold } from "@std/fmt/colors";
import { CommanderError } from "commander";
import { discoverImpl, listImplIds } from "../impl/discover.ts";
import { BenchError } from "../lib/error.ts";
import { planOfProfile } from "../results/plan.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadContracts } from "../scenario/words.ts";
import { estimateFor } from "./announce.ts";
import { alignColumns } from "./columns.ts";
import type { CommandContext } from "./command.ts";
import { rowOf } from "./list.ts";

/**
 * Prints the overview.
 *
 * @throws {CommanderError} always, because a missing argument is a usage error.
 */
export async function showOverview(
  command: string,
  { folders, print }: CommandContext,
): Promise<never> {
  const ids = await listImplIds(folders.impls);
  const impls = await Promise.all(
    ids.map((id) => describe(folders.impls, id)),
  );
  const contracts = await loadContracts();
  const scenarios = contracts.map(({ id, title }) => [
    id,
    id === defaultScenarioId ? `${title} (unless --scenario names another)` : title,
  ]);
  const [a = "<impl>", b = "<impl>"] = ids;
  const contract = contracts.find(({ id }) => id === defaultScenarioId)!;
  const [full, quick, smoke] = (["full", "quick", "smoke"] as const)
    .map((profile) => estimateFor(planOfProfile(profile, contract)));
  const commands = [
    [
      `just bench ${a}`,
      `measure it (about ${full}; quick: ${quick}, smoke: ${smoke}; more with just-in-time compilers)`,
    ],
    [`just verify ${a}`, "check its answers, and measure nothing"],
    [`just compare ${a} ${b}`, "show which of two is faster, with a 95 % confidence interval"],
    [`just noise ${a}`, "compare it with itself, to measure the noise"],
  ];
  print([
    `just ${command}: no implementation is named`,
    ...tableOf("Implementations", impls),
    ...tableOf("Scenarios", scenarios),
    ...tableOf("Commands", commands),
    `\n\`just ${command} --help\` shows its options, \`just\` every command.`,
    "Where just is not installed, `npx rust-just` does the same.",
  ].join("\n"));
  throw new CommanderError(2, "backbench.overview", "no implementation is named");
}

/** Returns its row, or what is wrong with it. */
async function describe(folder: string, id: string): Promise<string[]> {
  try {
    return rowOf(await discoverImpl(folder, id));
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    return [id, error.message];
  }
}

function tableOf(heading: string, rows: string[][]): string[] {
  return [`\n${bold(heading)}`, ...alignColumns(rows).map((line) => `  ${line}`)];
}
