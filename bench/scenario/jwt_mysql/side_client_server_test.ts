import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { readCounters } from "../../database/counters.ts";
import type { Database } from "../../database/database.ts";
import { RunBroken } from "../../lib/error.ts";
import { prepareGround } from "../../testing/ground.ts";

const kinds = [
  "changed row",
  "expired token",
  "expiring token",
  "refused token",
  "unknown user",
  "user",
];

async function sumOfAges(database: Database): Promise<unknown> {
  const connection = await database.connect();
  const [rows] = await connection.query("SELECT SUM(age) AS ages FROM users");
  await connection.end();
  return rows;
}

Deno.test("startSideClient()", async (t) => {
  await using ground = await prepareGround();
  const { scenario, database, options } = ground;
  const agesBefore = await sumOfAges(database);

  await t.step(
    "asks each kind once, though it is stopped at once, and restores the row",
    async () => {
      await using subject = await ground.start("honest");
      await using client = await scenario.startSideClient(subject, options);
      const { checks, problems } = await client.stop();
      assertEquals(problems, []);
      assertEquals(checks, Object.fromEntries(kinds.map((kind) => [kind, 1])));
      assertEquals(await sumOfAges(database), agesBefore);
    },
  );
  await t.step(
    "knows how many queries its requests cause, and how many it sends itself",
    async () => {
      await using subject = await ground.start("honest");
      const connection = await database.connect();
      const before = await readCounters(connection);
      await using client = await scenario.startSideClient(subject, options);
      await delay(6_000);
      const { queries, statements, requests, connections, checks } = await client.stop();
      const after = await readCounters(connection);
      await connection.end();
      // The second reading counts itself.
      assertEquals(after.questions - before.questions - 1, queries + statements);
      assertEquals(after.executes - before.executes, queries);
      assertEquals(connections, requests);
      assert(requests >= 12, `${requests} requests`);
      assert((checks["expiring token"] ?? 0) >= 2, JSON.stringify(checks));
    },
  );
  const caught = {
    "cached-rows": "row just changed",
    "cached-verification": "token that has just expired",
    "wrong-bytes": "random user",
  };
  for (const [id, check] of Object.entries(caught)) {
    await t.step(`catches ${id}: ${check}`, async () => {
      await using subject = await ground.start(id);
      await using client = await scenario.startSideClient(subject, options);
      const { problems } = await client.stop();
      assert(problems.some((problem) => problem.check === check), JSON.stringify(problems));
    });
  }
  await t.step("says once that the server has gone", async () => {
    await using subject = await ground.start("honest");
    await using client = await scenario.startSideClient(subject, options);
    await subject.process.stop({ signal: "SIGKILL" });
    const { problems } = await client.stop();
    assertEquals(problems.at(-1)?.check, "server listens");
    assert(problems.length <= 2, JSON.stringify(problems));
  });
  await t.step("ends at once and restores the row when its signal aborts", async () => {
    await using subject = await ground.start("honest");
    const controller = new AbortController();
    {
      await using client = await scenario.startSideClient(subject, { signal: controller.signal });
      await delay(1_500);
      controller.abort(new Error("enough"));
      await assertRejects(() => client.stop(), Error, "enough");
    }
    assertEquals(await sumOfAges(database), agesBefore);
  });
  await t.step("ends the run when the database has gone, and is nobody's result", async () => {
    await using subject = await ground.start("honest");
    await using client = await scenario.startSideClient(subject, options);
    await database.outage?.stop();
    await assertRejects(() => client.stop(), RunBroken, "expected the server to live");
    await assertRejects(() => scenario.verifyAnswers(subject, options), RunBroken);
    await database.outage?.start();
  });
});
