/** Parses command-line arguments; a wrong one is a usage error that says what is expected. */
import { Argument, type Command, InvalidArgumentError, Option } from "commander";
import { suggestion } from "../lib/nearest.ts";
import { isProfileName, type ProfileName, profiles } from "../results/profiles.ts";
import { defaultScenarioId, scenarioIds } from "../scenario/ids.ts";
import { loadContracts } from "../scenario/words.ts";
import { runIdSchema } from "../results/result_schema.ts";

/** The profile of a measurement. */
export function profileArgument(standard: ProfileName): Argument {
  const names = Object.keys(profiles).join(", ");
  return new Argument("[profile]", `one of ${names} (default: ${standard})`);
}

/** Parses the name of a profile; commander cannot, because the argument before it is optional. */
export function profileOf(
  word: string | undefined,
  standard: ProfileName,
  command: Command,
): ProfileName {
  if (word === undefined) return standard;
  if (isProfileName(word)) return word;
  return command.error(
    `error: profile is "${word}", expected one of ${Object.keys(profiles).join(", ")}`,
  );
}

/** The scenarios that have comparisons. */
export const comparedIds = (await loadContracts())
  .filter(({ protocols }) => protocols.includes("comparison"))
  .map(({ id }) => id);

/** The scenario of a measurement; others than the offered ones are refused later, with the reason. */
export function scenarioOption(
  standard = defaultScenarioId,
  offered: readonly string[] = scenarioIds,
): Option {
  const ids = offered.join(", ");
  return new Option("--scenario <id>", `one of ${ids} (default: ${standard})`)
    .argParser((text: string) => {
      if (scenarioIds.includes(text)) return text;
      throw new InvalidArgumentError(
        `It is "${text}", expected one of ${ids}${suggestion(text, offered)}`,
      );
    });
}

/** Returns the `--scenario` flag of a command that has been run; empty for the default scenario. */
export function flagOf(scenario: string): string {
  return scenario === defaultScenarioId ? "" : ` --scenario ${scenario}`;
}

/** Parses the id of a run. */
export function runId(text: string): string {
  const parsed = runIdSchema.safeParse(text);
  if (!parsed.success) {
    throw new InvalidArgumentError(`It is "${text}", ${parsed.error.issues[0]?.message}.`);
  }
  return parsed.data;
}

/** Parses a whole number from 1. */
export function positive(text: string): number {
  const value = natural(text);
  if (value === 0) throw new InvalidArgumentError(`It is 0, expected a whole number from 1.`);
  return value;
}

/** Parses a whole number from 0. */
export function natural(text: string): number {
  if (!/^\d+$/.test(text)) {
    throw new InvalidArgumentError(`It is "${text}", expected a whole number, like 500.`);
  }
  return atMost(999_999_999, Number(text));
}

/** Parses how many comparisons of a program with itself there are to be. */
export function severalComparisons(text: string): number {
  const value = natural(text);
  if (value < 2) {
    throw new InvalidArgumentError(
      `It is ${value}, expected at least 2: noise is how much comparisons differ.`,
    );
  }
  return value;
}

/** Parses a TCP port. */
export function port(text: string): number {
  return atMost(65_535, positive(text));
}

function atMost(limit: number, value: number): number {
  if (value > limit) throw new InvalidArgumentError(`It is ${value}, expected at most ${limit}.`);
  return value;
}

/** Parses whole numbers from 1, separated by commas. */
export function positiveList(text: string): number[] {
  return text.split(",").map((part) => positive(part.trim()));
}
