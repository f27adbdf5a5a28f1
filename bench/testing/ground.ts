/** What tests of the contract share: a real database and real servers. */
import type { Database } from "../database/database.ts";
import type { Subject } from "../impl/start.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { silent } from "../lib/report.ts";
import { type OpenGround, openGround, start } from "../measure/session.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadScenario } from "../scenario/list.ts";
import type { CheckOptions, DatabasePart, PreparedScenario } from "../scenario/scenario.ts";
import { redTeamImpl } from "./red_team.ts";

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

export async function prepareGround(): Promise<Ground> {
  const { signal } = new AbortController();
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const options = { poolMax: 16, report: silent, signal };
  const ground = await openGround({
    scenario: await loadScenario(defaultScenarioId),
    impls: [],
    seed: 1,
    folder,
    ...options,
  });
  const { database, scenario, scenario: { database: part, startChanges } } = ground;
  if (database === undefined || part === undefined || startChanges === undefined) {
    throw new Error(`${defaultScenarioId} has no database or no changes`);
  }
  return {
    ...ground,
    database,
    scenario: { ...scenario, database: part, startChanges },
    options,
    start: async (id) => {
      const impl = await redTeamImpl(id);
      return await start({ impl, toolchain: await findToolchain(impl) }, ground);
    },
    [Symbol.asyncDispose]: async () => {
      await ground[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
