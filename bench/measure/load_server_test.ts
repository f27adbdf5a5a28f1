/** A load of a server whose database does not count by account: its user is the only one, and may create none. */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { urlOf } from "../database/connection.ts";
import { openDatabaseUrl } from "../database/given.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { createRandom } from "../lib/random.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { loadScenario } from "../scenario/list.ts";
import { prepareGround } from "../testing/ground.ts";
import { loadSessionOf } from "../testing/load_session.ts";
import { redTeamImpl } from "../testing/red_team.ts";
import { openWorkload } from "./workload.ts";
import { beginLoad } from "./load.ts";
import { start } from "./ground.ts";

Deno.test("a load says what a database did not count that does not count by account", async () => {
  await using ground = await prepareGround();
  const owner = { ...ground.database.address, user: "owner", password: "p" };
  {
    await using connection = await ground.database.connect();
    await connection.query("CREATE USER owner@'%' IDENTIFIED BY 'p'");
    await connection.query(`GRANT ALL ON ${owner.name}.* TO owner@'%'`);
  }
  const { report, signal, secret, folder } = ground;
  const given = { report, signal, sql: "", grants: [] };
  await using database = await openDatabaseUrl(urlOf(owner), given);
  const { prepare } = await loadScenario(defaultScenarioId);
  const random = createRandom(1);
  const scenario = await prepare({ database, secret, random, folder, signal });
  const session = await loadSessionOf({ ...ground, scenario, database });
  const impl = await redTeamImpl("honest");
  await using subject = await start({ impl, toolchain: await findToolchain(impl) }, session);
  await using workload = await openWorkload(session);
  const observe = async (isOneOfTwo: boolean) => {
    const amount = { requests: 1_000 };
    const facts = { session, workload, connections: 10, amount, isOneOfTwo };
    await using load = await beginLoad(subject, facts);
    return (await load.finish()).observation;
  };
  const reason = "both sides use the user of DATABASE_URL, with all its rights";

  const alone = await observe(false);
  assertEquals(alone.notCounted, [
    `rows read, transactions, and the texts of prepared statements: ${reason}`,
  ]);
  const { perRequest, expectedPerRequest, rowsReadPerRequest } = alone.queries!;
  // What a pool sends as it opens its connections, too: the harness's own statements are not among them.
  assertAlmostEquals(perRequest, expectedPerRequest!, 0.064);
  assert(expectedPerRequest! > 0.9);
  assertEquals(rowsReadPerRequest, undefined);

  const beside = await observe(true);
  assertEquals(beside.notCounted, [`statements of each side: ${reason}`]);
  assertEquals([beside.queries, beside.correct], [undefined, 1_000]);
});
