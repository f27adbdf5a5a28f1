/** What tests of the contract share: a real database and real servers. */
import { openDatabase } from "../database/open.ts";
import type { Database } from "../database/database.ts";
import { createRandom } from "../lib/random.ts";
import { silent } from "../lib/report.ts";
import type { PreparedScenario } from "../scenario/scenario.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";
import { startSubject, type Subject } from "../impl/start.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { prepareJwtMysql } from "../scenario/jwt_mysql/mod.ts";
import { redTeamImpl } from "./red_team.ts";

/** A seeded database with its scenario. */
export interface Ground extends AsyncDisposable {
  database: Database;
  scenario: PreparedScenario;
  secret: string;
  /** Options of every check. */
  options: { poolMax: number; report: typeof silent; signal: AbortSignal };
  /** Starts an implementation of the red team. */
  start(id: string): Promise<Subject>;
}

export async function prepareGround(): Promise<Ground> {
  const { signal } = new AbortController();
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const database = await openDatabase({ report: silent, signal, folder });
  await seed(database, { signal });
  const secret = "secret of this test";
  const options = { poolMax: 16, report: silent, signal };
  return {
    database,
    scenario: await prepareJwtMysql({ database, secret, random: createRandom(1) }),
    secret,
    options,
    start: async (id) => {
      const impl = await redTeamImpl(id);
      const toolchain = await findToolchain(impl);
      const surroundings = { address: database.address, poolMax: options.poolMax, secret };
      return await startSubject(impl, { toolchain, surroundings, folder, signal });
    },
    [Symbol.asyncDispose]: async () => {
      await database[Symbol.asyncDispose]();
      await Deno.remove(folder, { recursive: true });
    },
  };
}
