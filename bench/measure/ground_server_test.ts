import { assertEquals, assertRejects } from "@std/assert";
import { connectTo } from "../database/connection.ts";
import { type Startable, StartError } from "../impl/start.ts";
import { noToolchain } from "../impl/toolchains.ts";
import { RunBroken } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { loadScenario } from "../scenario/list.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { until } from "../testing/until.ts";
import { openGround, start } from "./ground.ts";

Deno.test("start()", async (t) => {
  await using folder = await temporaryFolder();
  const needs = ["database", "tokens"] as const;
  await using ground = await openGround({
    scenario: await loadScenario("jwt-mysql"),
    impls: [{ needs: [...needs] }],
    ...{ poolMax: 16, folder: folder.path, report: silent },
    signal: new AbortController().signal,
  });
  const database = ground.database!;
  // A server that never starts.
  const side: Startable = {
    impl: {
      ...{ id: "example", folder: ".", needs: [...needs] },
      manifest: {
        ...{ name: "", language: "", runtime: "", framework: "", website: "" },
        ...{ class: "standard", build: [], start: ["false"], requires: {}, scenarios: [] },
      },
    },
    toolchain: noToolchain,
  };
  const sessionsOf = async (user: string) => {
    await using connection = await database.connect();
    const sql = "SELECT COUNT(*) FROM performance_schema.threads WHERE PROCESSLIST_USER = ?";
    const [[row]] = await connection.query({ sql, values: [user], rowsAsArray: true }) as [
      [[number]],
      unknown,
    ];
    return row[0];
  };

  await t.step("ends what an earlier server of the same side left running", async () => {
    const { subject, reference } = database.accounts;
    const [left, other] = [await connectTo(subject), await connectTo(reference)];
    left.query("SELECT SLEEP(600)").catch(() => {});
    left.on("error", () => {});
    await until(async () => await sessionsOf(subject.user) === 1);
    left.destroy();
    assertEquals(await sessionsOf(subject.user), 1);
    await assertRejects(() => start(side, ground), StartError, 'Cannot start "example"');
    assertEquals([await sessionsOf(subject.user), await sessionsOf(reference.user)], [0, 1]);
    await other.end();
  });

  await t.step("blames no server that does not start without the database", async () => {
    await database.outage!.stop();
    await assertRejects(() => start(side, ground), RunBroken, "Cannot use the database");
    await database.outage!.start();
  });
});
