/**
 * Reproductions: what came out with an article's counts? Takes the articles and the runs that reproduce them; returns a
 * table for each article. They have cold loads only, one of each implementation after the other, without a control: a rate
 * has no interval, and no rate is divided by another, because nothing says that the processor was as fast for both.
 */
import { coldGoodputAt } from "../../results/goodput.ts";
import { machineOf } from "../../results/comparable.ts";
import type { Result } from "../../results/result_schema.ts";
import { proseNames } from "../../results/words.ts";
import { formatInteger } from "../../lib/format_integer.ts";
import { threeDigits } from "../three_digits.ts";
import { type ClaimsFile, commandToReproduce } from "./file.ts";

/** What of an article's setting can be measured here, and was. */
export interface Reproduction {
  /** Of the article. */
  title: string;
  /** What measures it, one command for each implementation. */
  commands: string[];
  /** The newest result of each implementation, in the order of the commands; none where nothing was measured. */
  sides: ReproducedSide[];
  levels: {
    connections: string;
    /**
     * Cold goodput of each side, or why there is none: `Deno 4,110 per second; Rust 9,270 per second`.
     */
    text: string;
  }[];
}

interface ReproducedSide {
  name: string;
  run: string;
  /** `500,000 requests at each level, 1 connection to the database, AMD EPYC, 2 processors`. */
  setting: string;
}

/** Returns the reproductions of all articles that have counts; takes the results of their runs, the newest first. */
export function reproductionsOf(
  { articles }: Pick<ClaimsFile, "articles">,
  results: readonly Result[],
): Reproduction[] {
  return Object.entries(articles).flatMap(([id, { title, reproductions }]) => {
    if (reproductions === undefined) return [];
    const commands = reproductions.map((reproduction) => commandToReproduce(id, reproduction));
    const measured = reproductions.flatMap(({ impl, scenario }) =>
      results.find((result) =>
        result.plan.reproduces === id && result.impl.id === impl && result.scenario === scenario
      ) ?? []
    );
    const names = proseNames(measured.map(({ impl }) => impl.name));
    const levels = [...new Set(measured.flatMap(({ plan }) => plan.levels))].sort((a, b) => a - b);
    return [{
      title,
      commands,
      sides: measured.map((result) => ({
        name: names.get(result.impl.name)!,
        run: result.runId,
        setting: settingOf(result),
      })),
      levels: levels.map((connections) => levelOf(measured, connections, names)),
    }];
  });
}

function levelOf(
  measured: readonly Result[],
  connections: number,
  names: ReadonlyMap<string, string>,
): Reproduction["levels"][number] {
  const parts = measured.map((result) => {
    const name = names.get(result.impl.name)!;
    const rate = coldGoodputAt(result, connections);
    return "value" in rate
      ? `${name} ${threeDigits(rate.value)} per second`
      : `${name}: ${rate.missing}`;
  });
  return { connections: formatInteger(connections), text: parts.join("; ") };
}

function settingOf({ plan, machine }: Result): string {
  const { requests, poolMax } = plan;
  const connections = poolMax === 1 ? "1 connection" : `${formatInteger(poolMax)} connections`;
  return `${formatInteger(requests)} requests at each level, ${connections} to the database, ${
    machineOf(machine)
  }`;
}
