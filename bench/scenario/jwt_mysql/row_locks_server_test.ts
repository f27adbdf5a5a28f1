import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { z } from "zod";
import { connectTo } from "../../database/connection.ts";
import type { DatabaseAddress } from "../../database/database.ts";
import { parseDatabaseUrl } from "../../database/given.ts";
import { queryRows } from "../../database/query_rows.ts";
import { RunBroken } from "../../lib/error.ts";
import { prepareRowChanges } from "../../testing/row_changes.ts";
import { openServer } from "../../testing/server.ts";
import { until } from "../../testing/until.ts";
import { createRowChanger } from "./changes.ts";
import { digestOf, parseUser } from "./known_users.ts";
import { seed } from "./seed.ts";
import { readUserRow } from "./user_rows.ts";

const { signal } = new AbortController();

/** Locks rows with no right but SELECT, until the connection is destroyed. */
async function lock(address: DatabaseAddress, where = "", email = ""): Promise<Connection> {
  const connection = await connectTo(address);
  await connection.beginTransaction();
  await connection.query(`SELECT COUNT(*) FROM users ${where} FOR SHARE`, [email]);
  return connection;
}

Deno.test("createRowChanger(), where rows are locked", async (t) => {
  await using database = await openServer();
  await using connection = await database.connect();
  const { facts, options } = await prepareRowChanges(database, connection);
  const { users, history, oftenAsked } = options;
  const changer = createRowChanger({ ...options, database });
  const { subject, reference } = database.accounts;
  const always = { fromMs: -Infinity, toMs: Infinity };
  const counts = (time = always) => [
    changer.rowLocks("subject", time),
    changer.rowLocks("reference", time),
  ];
  const changed = async () => {
    const sql = "SHOW GLOBAL STATUS LIKE 'Innodb_rows_updated'";
    const [row] = await queryRows(connection, z.tuple([z.string(), z.coerce.number()]), sql);
    return row![1];
  };

  await t.step("knows whose lock each change waited for, and when; then goes on", async () => {
    await using changes = await changer.start({ signal });
    const before = await changed();
    await until(async () => await changed() > before + 5);
    assertEquals(counts(), [0, 0]);
    const sides = [[subject, [1, 0], [1, 0]], [reference, [0, 1], [1, 1]]] as const;
    for (const [address, alone, expected] of sides) {
      // Neither the lock before, nor a change that is under way, reaches back so far.
      await delay(1_500);
      const pastMs = performance.now() - 1_000;
      const locking = await lock(address);
      const startMs = performance.now();
      // One change is pending meanwhile, longer than a statement waits.
      await delay(2_500);
      assertEquals(counts(), expected);
      assertEquals(counts({ fromMs: startMs + 1_000, toMs: startMs + 1_100 }), alone);
      const locked = await changed();
      locking.destroy();
      await until(async () => await changed() > locked + 5);
      const nowMs = performance.now();
      assertEquals(counts({ fromMs: nowMs, toMs: nowMs }), [0, 0]);
      assertEquals(counts({ fromMs: pastMs, toMs: pastMs }), [0, 0]);
    }
    assertEquals(counts(), [1, 1]);
    await changes[Symbol.asyncDispose]();
  });

  await t.step("forgets what was before it was started", async () => {
    await using _changes = await changer.start({ signal });
    assertEquals(counts(), [0, 0]);
  });

  await t.step(
    "ends while a lock is held, with what the table has, and restores it later",
    async () => {
      const locking = await lock(subject);
      const changes = await changer.start({ signal });
      await until(() => counts()[0] === 1);
      await changes[Symbol.asyncDispose]();
      for (const [number, email] of users.emails.entries()) {
        const latest = history.latest(number);
        const isFirst = latest.crc32 === users.crc32s[number] &&
          latest.bytes === users.lengths[number];
        if (isFirst && !oftenAsked.includes(number)) continue;
        const { crc32, bytes } = digestOf(parseUser((await readUserRow(connection, email))!));
        assertEquals([latest.crc32, latest.bytes], [crc32, bytes], email);
      }
      const restoring = changer.restore();
      await delay(200);
      locking.destroy();
      await restoring;
      assertEquals(await seed(database, { signal }), facts);
    },
  );

  await t.step("goes on from what the table has with a row that it could not change", async () => {
    const [user] = oftenAsked;
    const email = users.emails[user!]!;
    const latest = () => history.latest(user!).crc32;
    for (let turn = 0; turn < 3; turn++) {
      const locking = await lock(subject, "WHERE email = ?", email);
      const before = latest();
      const stuck = await changer.start({ signal });
      await until(() => counts()[0] === 1);
      await stuck[Symbol.asyncDispose]();
      assertEquals(latest(), before);
      locking.destroy();
      const changes = await changer.start({ signal });
      await until(() => latest() !== before);
      await changes[Symbol.asyncDispose]();
      const { crc32 } = digestOf(parseUser((await readUserRow(connection, email))!));
      assertEquals(latest(), crc32);
    }
    await changer.restore();
  });

  await t.step("takes no slow server for one that locks", async () => {
    await using _changes = await changer.start({ signal });
    for (let turn = 0; turn < 5; turn++) {
      Deno.kill(database.pid!, "SIGSTOP");
      await delay(300);
      Deno.kill(database.pid!, "SIGCONT");
      await delay(100);
    }
    assertEquals(counts(), [0, 0]);
  });

  await t.step("says so of another program that locks", async () => {
    const locking = await lock(parseDatabaseUrl(database.url));
    const changes = await changer.start({ signal });
    await delay(10_000);
    const error = await assertRejects(() => changes[Symbol.asyncDispose](), RunBroken);
    assertMatch(error.message, /^Cannot change the row of ".+": it stays locked by "given", /);
    assertEquals(counts(), [0, 0]);
    locking.destroy();
    await changer.restore();
  });

  await t.step("says so where the server does not tell who locks", async () => {
    await connection.query("CREATE USER blind IDENTIFIED BY 'blind-Aa1'");
    await connection.query("GRANT SELECT, UPDATE ON backbench.users TO blind");
    const blind = { ...subject, user: "blind", password: "blind-Aa1" };
    const { accounts } = database;
    const unseeing = { accounts, connect: () => connectTo(blind) };
    const changer = createRowChanger({ ...options, database: unseeing });
    const locking = await lock(subject);
    const changes = await changer.start({ signal });
    await delay(10_000);
    const error = await assertRejects(() => changes[Symbol.asyncDispose](), RunBroken);
    assertMatch(error.message, /: it stays locked, expected no lock$/);
    assertMatch(error.help ?? "", /cannot be told here: SELECT command denied/);
    locking.destroy();
  });
});
