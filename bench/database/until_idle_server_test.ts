import { assert, assertEquals } from "@std/assert";
import { connectTo } from "./connection.ts";
import { readCounters } from "./counters.ts";
import { hasUnread } from "../machine/unread.ts";
import { openServer } from "../testing/server.ts";
import { until } from "../testing/until.ts";
import { readWork, untilIdle } from "./until_idle.ts";

Deno.test("untilIdle()", async (t) => {
  await using database = await openServer();
  await using connection = await database.connect();
  const { subject, reference } = database.accounts;
  const wait = (user: string, mostSeconds: number) =>
    untilIdle(connection, user, mostSeconds, (clients) => hasUnread(subject.port, clients));
  const untilRunning = () =>
    until(async () => (await readCounters(connection, database, "subject")).running === 1);
  await using client = await connectTo(subject);

  await t.step("returns soon where nothing is in execution, whatever others do", async () => {
    assertEquals(await wait(subject.user, 60), undefined);
    const sleeping = client.query("SELECT SLEEP(3)");
    await untilRunning();
    assertEquals(await wait(reference.user, 60), undefined);
    assertEquals((await readWork(connection, subject.user)).running, 1);
    await sleeping;
  });

  await t.step("waits for a statement, prepared or not", async () => {
    const sql = "SELECT SLEEP(3)";
    for (const send of [() => client.query(sql), () => client.execute(sql)]) {
      const sleeping = send();
      await untilRunning();
      const startMs = performance.now();
      assertEquals(await wait(subject.user, 60), undefined);
      const seconds = (performance.now() - startMs) / 1000;
      assert(seconds > 0.1, `${seconds} s`);
      await sleeping;
    }
  });

  await t.step("waits for commands that are never in execution, and have no answer", async () => {
    // COM_STMT_CLOSE of a statement that there is not: 5 bytes, the first of a sequence.
    const command = [5, 0, 0, 0, 0x19, 0xff, 0xff, 0xff, 0x7f];
    const commands = new Uint8Array(command.length * 50_000).map((_, at) => command[at % 9]!);
    const before = await readWork(connection, subject.user);
    const { stream } = Reflect.get(client, "connection");
    await new Promise((resolve) => stream.write(commands, resolve));
    assertEquals(await wait(subject.user, 60), undefined);
    const { commands: after } = await readWork(connection, subject.user);
    assertEquals(after - before.commands, 50_000);
  });

  await t.step("says how long it has waited, also for one whose client has gone", async () => {
    const gone = await connectTo(subject);
    gone.query("SELECT BENCHMARK(1000000000, SHA2('', 512))").catch(() => {});
    await untilRunning();
    gone.destroy();
    const seconds = await wait(subject.user, 0.2);
    assert(seconds !== undefined && seconds >= 0.2, `${seconds} s`);
    const [rows] = await connection.query({
      sql:
        "SELECT PROCESSLIST_ID FROM performance_schema.threads WHERE PROCESSLIST_INFO LIKE 'SELECT BENCHMARK%'",
      rowsAsArray: true,
    });
    for (const [id] of rows as number[][]) await connection.query("KILL ?", [id]);
    assertEquals(await wait(subject.user, 60), undefined);
  });
});
