/** Servers that call an upstream, verified two at a time, as there are two upstreams: most of it is waiting. */
import { assert, assertEquals } from "@std/assert";
import { findToolchain } from "../impl/toolchains.ts";
import { type Ground, start } from "../measure/ground.ts";
import type { Problem } from "../results/load_schema.ts";
import { allEnded } from "../scenario/checks.ts";
import { redTeamCaller } from "./red_team.ts";

/** What must be found of each of the red team: checks, and what they must say; nothing else of whom nothing is. */
export type Expected = Record<string, [check: string, came: string][]>;

/** A step of a test: two of the red team, and how they are verified. */
export interface Step {
  name: string;
  fn: () => Promise<void>;
}

/** Returns steps that verify each of the red team, and assert what is found. */
export function stepsOf(
  expected: Expected,
  verify: "verifyAnswers" | "verifyFaults",
  ground: Ground,
): Step[] {
  const ids = Object.keys(expected);
  const steps: Step[] = [];
  for (let first = 0; first < ids.length; first += 2) {
    const pair = ids.slice(first, first + 2);
    steps.push({
      name: `${verify} finds what is wrong with ${pair.join(" and ")}`,
      fn: async () => {
        const found = await verifyBoth(pair, verify, ground);
        for (const [index, id] of pair.entries()) assertFound(found[index]!, expected[id]!);
      },
    });
  }
  return steps;
}

async function verifyBoth(
  ids: string[],
  verify: "verifyAnswers" | "verifyFaults",
  ground: Ground,
): Promise<Problem[][]> {
  await using stack = new AsyncDisposableStack();
  const verifications: (() => Promise<Problem[]>)[] = [];
  for (const [index, id] of ids.entries()) {
    const side = index === 0 ? "subject" : "reference";
    const impl = await redTeamCaller(id, ground.scenario.id);
    const toolchain = await findToolchain(impl);
    const subject = stack.use(await start({ impl, toolchain }, ground, side));
    verifications.push(() => ground.scenario[verify]!(subject, { ...ground, side }));
  }
  return await allEnded(verifications.map((run) => run()));
}

function assertFound(found: Problem[], expected: Expected[string]): void {
  if (expected.length === 0) assertEquals(found, []);
  for (const [check, came] of expected) {
    const problem = found.find((problem) => problem.check === check);
    assert(problem?.came.includes(came), `${check}: ${came}\n${JSON.stringify(found)}`);
  }
}
