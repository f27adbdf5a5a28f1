/** What tests of scenarios share: real servers, and what they need around them. */
import type { Database } from "../database/database.ts";
import type { Subject } from "../impl/start.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { silent } from "../lib/report.ts";
import { type GroundOptions, type OpenGround, openGround, start } from "../measure/ground.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadScenario } from "../scenario/list.ts";
import type {
  CheckOptions,
  DatabasePart,
  PreparedScenario,
  Scenario,
} from "../scenario/scenario.ts";
import { redTeamImpl } from "./red_team.ts";
import { temporaryFolder } from "./temporary_folder.ts";

/** Opens what servers of a scenario need, in a folder that goes with it. */
export async function groundOf(
  scenario: Scenario,
  options: Partial<Pick<GroundOptions, "impls" | "poolMax" | "mostRepeats">> = {},
): Promise<OpenGround> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await temporaryFolder());
  const { signal } = new AbortController();
  const ground = stack.use(
    await openGround({
      ...{ scenario, impls: [], poolMax: 16, folder, report: silent, signal },
      ...options,
    }),
  );
  const opened = stack.move();
  return { ...ground, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** A seeded database with its scenario. */
export interface Ground extends OpenGround {
  database: Database;
  scenario: PreparedScenario & {
    database: DatabasePart;
    startChanges: NonNullable<PreparedScenario["startChanges"]>;
  };
  /** Options of every check. */
  options: CheckOptions;
  /** Starts an implementation of the red team. */
  start(id: string): Promise<Subject>;
}

/** Opens the default scenario. */
export async function prepareGround(): Promise<Ground> {
  const ground = await groundOf(await loadScenario(defaultScenarioId));
  const { poolMax, report, signal, database, scenario } = ground;
  const { database: part, startChanges } = scenario;
  if (database === undefined || part === undefined || startChanges === undefined) {
    throw new Error(`${defaultScenarioId} has no database or no changes`);
  }
  return {
    ...ground,
    database,
    scenario: { ...scenario, database: part, startChanges },
    options: { poolMax, report, signal },
    start: async (id) => {
      const impl = await redTeamImpl(id);
      return await start({ impl, toolchain: await findToolchain(impl) }, ground);
    },
  };
}
