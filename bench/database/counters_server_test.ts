import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { connectTo } from "./connection.ts";
import {
  adminCommands,
  type Counters,
  findCounting,
  readCounters,
  readCountersAtRest,
} from "./counters.ts";
import type { Database, SideName } from "./database.ts";
import { countOwn, noStatements } from "./own_statements.ts";
import { RunBroken } from "../lib/error.ts";
import { openServer } from "../testing/server.ts";
import { until } from "../testing/until.ts";

const select = "SELECT age FROM users WHERE email = ?";
const known = ["ada.adams@example.com"];

/** Returns by how much the counters of one side grow during some work. */
async function growth(
  connection: Connection,
  database: Pick<Database, "accounts" | "counting">,
  work: () => Promise<void>,
  side: SideName = "subject",
): Promise<Counters> {
  const before = await readCountersAtRest(connection, database, side);
  await work();
  const after = await readCountersAtRest(connection, database, side);
  return {
    questions: after.questions - before.questions,
    executes: after.executes - before.executes,
    prepares: after.prepares - before.prepares,
    adminCommands: after.adminCommands - before.adminCommands,
    rowsRead: after.rowsRead === undefined ? undefined : after.rowsRead - before.rowsRead!,
    around: after.around - before.around,
    openConnections: after.openConnections - before.openConnections,
    openedConnections: after.openedConnections - before.openedConnections,
    running: after.running,
  };
}

const nothing: Counters = {
  questions: 0,
  executes: 0,
  prepares: 0,
  adminCommands: 0,
  rowsRead: 0,
  around: 0,
  openConnections: 0,
  openedConnections: 0,
  running: 0,
};

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done++) await work();
}

Deno.test("readCounters() of an account", async (t) => {
  await using database = await openServer();
  assertEquals(database.counting, { per: "account" });
  await using connection = await database.connect();
  const subject = await connectTo(database.accounts.subject);
  const during = (work: () => Promise<void>) => growth(connection, database, work);

  await t.step("is found where a busy server counts a statement after its answer", async () => {
    const readings: ReturnType<Connection["query"]>[] = [];
    const query = (...args: Parameters<Connection["query"]>) => {
      const isLate = readings.length > 0 && readings.length < 5;
      readings.push(isLate ? readings[0]! : connection.query(...args));
      return readings.at(-1)!;
    };
    const late: Connection = Object.assign(Object.create(connection), { query });
    assertEquals(await findCounting(late, database.accounts.subject), { per: "account" });
    // The last asks what the server is set to count.
    assertEquals(readings.length, 7);
  });

  await t.step("is not found where the server is set not to count rows", async () => {
    const set = (enabled: string) =>
      connection.query(
        "UPDATE performance_schema.setup_instruments SET ENABLED = ? WHERE NAME = ?",
        [enabled, "wait/io/table/sql/handler"],
      );
    await set("NO");
    const reason = "the server is set not to count: wait/io/table/sql/handler";
    const counting = await findCounting(connection, database.accounts.subject);
    assertEquals(counting, { per: "server", reason });
    await set("YES");
    assertEquals(await findCounting(connection, database.accounts.subject), { per: "account" });
  });

  await t.step("counts commands by names that the server knows", async () => {
    const sql =
      "SELECT NAME FROM performance_schema.setup_instruments WHERE NAME IN (?) ORDER BY NAME";
    const [known] = await connection.query({ sql, values: [adminCommands], rowsAsArray: true });
    assertEquals(known, adminCommands.toSorted().map((name) => [name]));
  });

  await t.step("counts what a living connection sent, and the rows that it read", async () => {
    const executed = await during(() => times(20, () => subject.execute(select, known)));
    assertEquals(executed, { ...nothing, questions: 20, executes: 20, prepares: 1, rowsRead: 20 });
    const missed = await during(() => times(20, () => subject.execute(select, ["nobody"])));
    assertEquals(missed, { ...nothing, questions: 20, executes: 20, rowsRead: 20 });
    const asked = await during(() => times(20, () => subject.query(select, known)));
    assertEquals(asked, { ...nothing, questions: 20, rowsRead: 20 });
    assertEquals(
      await during(() => times(7, () => subject.ping())),
      { ...nothing, adminCommands: 7 },
    );
  });

  await t.step(
    "tells a statement that reads no row, or many, from one that reads its own",
    async () => {
      const dummy = await during(() => times(20, () => subject.query("SELECT ? IS NULL", known)));
      assertEquals(dummy, { ...nothing, questions: 20 });
      const joined = await during(async () => {
        await subject.query("SELECT age FROM users WHERE email IN (?)", [[
          ...known,
          "b",
          "c",
          "d",
        ]]);
      });
      assert(joined.questions === 1 && joined.rowsRead! >= 4, `${joined.rowsRead} rows`);
      const snapshot = await during(async () => void await subject.query("SELECT * FROM users"));
      assert(snapshot.rowsRead! >= 100_000, `${snapshot.rowsRead} rows`);
    },
  );

  await t.step("is moved neither by the harness nor by the other side", async () => {
    const elsewhere = async () => {
      const reference = await connectTo(database.accounts.reference);
      await times(50, () => reference.execute(select, known));
      await times(50, () => connection.execute(select, known));
      await reference.end();
    };
    assertEquals(await during(elsewhere), nothing);
    const { questions, executes, rowsRead, openedConnections } = await growth(
      connection,
      database,
      elsewhere,
      "reference",
    );
    assertEquals([questions, executes, rowsRead, openedConnections], [50, 50, 50, 1]);
  });

  await t.step(
    "keeps what connections did that ended, were lost, or reset themselves",
    async () => {
      const { openConnections: before } = await readCounters(connection, database, "subject");
      const ended = await during(async () => {
        const others = await Promise.all(
          Array.from({ length: 5 }, () => connectTo(database.accounts.subject)),
        );
        await Promise.all(others.map((other) => times(40, () => other.execute(select, known))));
        for (const [index, other] of others.entries()) {
          if (index % 2 === 0) await other.end();
          else other.destroy();
        }
        await until(async () => {
          const now = await readCounters(connection, database, "subject");
          return now.openConnections === before;
        });
      });
      const { questions, executes, rowsRead, openConnections, openedConnections } = ended;
      assertEquals([questions, executes, rowsRead], [200, 200, 200]);
      assertEquals([openConnections, openedConnections], [0, 5]);
      const reset = await during(async () => {
        await times(20, () => subject.execute(select, known));
        await subject.reset();
        await times(20, () => subject.execute(select, known));
        await subject.changeUser({});
        await times(20, () => subject.query(select, known));
      });
      assertEquals([reset.questions, reset.executes, reset.rowsRead], [60, 40, 60]);
      assertEquals(reset.adminCommands, 2);
    },
  );

  await t.step("is complete while many connections are at work", async () => {
    const others = await Promise.all(
      Array.from({ length: 16 }, () => connectTo(database.accounts.subject)),
    );
    let isDone = false;
    const seen: number[] = [];
    const read = async () => {
      while (!isDone) {
        seen.push((await readCounters(connection, database, "subject")).questions);
        await delay(5);
      }
    };
    const before = (await readCountersAtRest(connection, database, "subject")).questions;
    const reading = read();
    await Promise.all(others.map((other) => times(250, () => other.execute(select, known))));
    isDone = true;
    await reading;
    const after = (await readCountersAtRest(connection, database, "subject")).questions;
    assertEquals(after - before, 16 * 250);
    assertEquals(seen, seen.toSorted((a, b) => a - b));
    await Promise.all(others.map((other) => other.end()));
  });

  await t.step("tells how many statements are in execution", async () => {
    const sleeping = subject.query("SELECT SLEEP(3)");
    let during = await readCounters(connection, database, "subject");
    await until(async () => {
      during = await readCounters(connection, database, "subject");
      return during.running === 1;
    });
    assertEquals((await readCounters(connection, database, "reference")).running, 0);
    const after = await readCountersAtRest(connection, database, "subject");
    assertEquals([after.running, after.questions], [0, during.questions + 1]);
    await sleeping;
  });

  await t.step("cannot be moved back by the account", async () => {
    for (
      const statement of [
        "FLUSH STATUS",
        "FLUSH USER_RESOURCES",
        "TRUNCATE performance_schema.status_by_user",
        "TRUNCATE performance_schema.status_by_account",
        "TRUNCATE performance_schema.users",
        "UPDATE performance_schema.setup_instruments SET ENABLED = 'NO'",
      ]
    ) {
      await assertRejects(() => subject.query(statement), Error, "denied", statement);
    }
  });

  await t.step("ends the run when the server is gone", async () => {
    subject.destroy();
    const lost = await database.connect();
    lost.on("error", () => {});
    await database.outage?.stop();
    await assertRejects(
      () => readCounters(lost, database, "subject"),
      RunBroken,
      "Cannot use the database: ",
    );
    lost.destroy();
    await database.outage?.start();
  });
});

Deno.test("readCounters() of a whole server leaves out what the harness itself did", async () => {
  await using database = await openServer();
  const both: Pick<Database, "accounts" | "counting"> = {
    accounts: database.accounts,
    counting: { per: "server", reason: "this test asks for it" },
  };
  const own = noStatements();
  await using connection = countOwn(await database.connect(), own);
  await using other = countOwn(await database.connect(), own);
  await using subject = await connectTo(database.accounts.subject);
  const used = await growth(connection, both, async () => {
    await times(20, () => subject.execute(select, known));
    await times(30, () => other.execute(select, known));
    await times(30, () => connection.query("SELECT 1"));
    await countOwn(await database.connect(), own).end();
    await subject.ping();
  });
  const { questions, executes, prepares, adminCommands, openConnections, openedConnections } = used;
  assertEquals([questions, executes, prepares, adminCommands], [20, 20, 1, 1]);
  assertEquals([openConnections, openedConnections, used.rowsRead], [0, 0, undefined]);
});
