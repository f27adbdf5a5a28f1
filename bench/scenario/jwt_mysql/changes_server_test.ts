import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import type { Connection } from "mysql2/promise";
import { readCountersAtRest } from "../../database/counters.ts";
import { RunBroken } from "../../lib/error.ts";
import { prepareRowChanges } from "../../testing/row_changes.ts";
import { openServer } from "../../testing/server.ts";
import { until } from "../../testing/until.ts";
import { createRowChanger } from "./changes.ts";
import { digestOf, parseUser, type User } from "./known_users.ts";
import { seed } from "./seed.ts";
import { readUserRow, userBatches } from "./user_rows.ts";

const { signal } = new AbortController();

/** Returns every row that differs from what it was, by the number of its user. */
async function changedRows(connection: Connection, before: Map<string, string>) {
  const changed = new Map<number, { before: User; after: User }>();
  let number = 0;
  for await (const rows of userBatches(connection)) {
    for (const row of rows) {
      const text = before.get(row[0])!;
      if (text !== JSON.stringify(row)) {
        changed.set(number, { before: parseUser(JSON.parse(text)), after: parseUser(row) });
      }
      number++;
    }
  }
  return changed;
}

Deno.test("createRowChanger()", async (t) => {
  await using database = await openServer();
  await using connection = await database.connect();
  const { facts, options } = await prepareRowChanges(database, connection);
  const { users, history, oftenAsked } = options;
  let statements = 0;
  const connect = async () => {
    const connection = await database.connect();
    const query = connection.query.bind(connection) as (...values: unknown[]) => unknown;
    const counted = (...values: unknown[]) => {
      statements++;
      return query(...values);
    };
    return Object.assign(connection, { query: counted });
  };
  const counting = { ...database, connect };
  const changer = createRowChanger({ ...options, database: counting });
  const before = new Map<string, string>();
  for await (const rows of userBatches(connection)) {
    for (const row of rows) before.set(row[0], JSON.stringify(row));
  }
  const isAsNow = (number: number, user: User) =>
    history.compare(number, digestOf(user), performance.now(), performance.now()).kind;

  await t.step("changes rows in every column, to NULL and back, and knows each", async () => {
    const start = performance.now();
    const changes = await changer.start({ signal });
    await until(() => statements >= 700);
    await changes[Symbol.asyncDispose]();
    const seconds = (performance.now() - start) / 1_000;
    const rows = await changedRows(connection, before);
    for (const [number, { before, after }] of rows) {
      assertEquals(isAsNow(number, after), "right", after.email);
      assertEquals(isAsNow(number, before), "stale", before.email);
      assert(!users.fixed.has(number), after.email);
    }
    // Half of some 400 changes go to rows that hardly come twice, half to sixteen.
    assert(rows.size > 100, `${rows.size} rows`);
    assert(oftenAsked.filter((number) => rows.has(number)).length >= 14);
    const column = (name: keyof User) =>
      [...rows.values()].filter((it) => it.before[name] !== it.after[name]);
    for (const name of ["first", "last", "city", "county", "age"] as const) {
      assert(column(name).length > 10, `${column(name).length} rows have another ${name}`);
      assert(column(name).some(({ after }) => after[name] === null), `no ${name} became NULL`);
      assert(column(name).some(({ after }) => after[name] !== null), `each ${name} became NULL`);
    }
    assertEquals(column("email"), []);
    const perSecond = statements / seconds;
    assert(perSecond < 110, `${perSecond} statements per second`);
  });

  await t.step("is in no side's counters", async () => {
    const read = () => readCountersAtRest(connection, database, "subject");
    const first = await read();
    const before = statements;
    const changes = await changer.start({ signal });
    await until(() => statements > before + 5);
    await changes[Symbol.asyncDispose]();
    assertEquals((await read()).questions, first.questions);
  });

  await t.step("goes on with the rows as it left them, and forgets how they were", async () => {
    const rows = await changedRows(connection, before);
    await using _changes = await changer.start({ signal });
    for (const [number, { before, after }] of rows) {
      if (oftenAsked.includes(number)) continue;
      assertEquals(isAsNow(number, after), "right", after.email);
      assertEquals(isAsNow(number, before), "none", before.email);
    }
  });

  await t.step("finds that a reader sees what the history says, at every moment", async () => {
    await using _changes = await changer.start({ signal });
    const wrong: string[] = [];
    const endMs = performance.now() + 4_000;
    let reads = 0;
    while (performance.now() < endMs || reads <= 500) {
      const number = oftenAsked[reads++ % oftenAsked.length]!;
      const fromMs = performance.now();
      const user = parseUser((await readUserRow(connection, users.emails[number]!))!);
      const { kind } = history.compare(number, digestOf(user), fromMs, performance.now());
      if (kind !== "right") wrong.push(`${user.email}: ${kind}`);
    }
    assertEquals(wrong, []);
  });

  await t.step("changes a row that no list has, and knows it", async () => {
    const user = await changer.changeAny();
    const number = users.emails.indexOf(user.email);
    assertEquals([isAsNow(number, user), users.fixed.has(number)], ["right", false]);
    assertEquals(parseUser((await readUserRow(connection, user.email))!), user);
  });

  await t.step("restores every row", async () => {
    await changer.restore();
    assertEquals(await seed(database, { signal }), facts);
    assertEquals((await changedRows(connection, before)).size, 0);
    assertEquals(
      isAsNow(oftenAsked[0]!, parseUser(JSON.parse(before.get(users.emails[oftenAsked[0]!]!)!))),
      "right",
    );
  });

  await t.step("does not judge by a row that another program has changed", async () => {
    const emails = oftenAsked.map((number) => users.emails[number]!);
    await connection.query("UPDATE users SET age = 1 WHERE email IN (?)", [emails]);
    const changes = await changer.start({ signal });
    await delay(1_000);
    await assertRejects(
      () => changes[Symbol.asyncDispose](),
      RunBroken,
      '"age":1}, expected it as it was before',
    );
  });

  await t.step("ends with its signal, and says when the database has gone", async () => {
    const controller = new AbortController();
    const aborted = await changer.start({ signal: controller.signal });
    controller.abort();
    await aborted[Symbol.asyncDispose]();

    const lost = await changer.start({ signal });
    await database.outage?.stop();
    await delay(500);
    await assertRejects(
      () => lost[Symbol.asyncDispose](),
      RunBroken,
      "expected the server to live",
    );
    await database.outage?.start();
  });
});
