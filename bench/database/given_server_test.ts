import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { connectTo, readServer, urlOf } from "./connection.ts";
import { readCountersAtRest } from "./counters.ts";
import { type Grant, sideNames } from "./database.ts";
import { openDatabase } from "./open.ts";
import { openServer } from "../testing/server.ts";
import { openDatabaseUrl } from "./given.ts";
import { BenchError, RunBroken } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";
import { seedGivenDatabase } from "../scenario/seed_given.ts";
import { allData } from "../scenario/list.ts";

const sql = await allData();
const grants: Grant[] = [{ table: "users", rights: ["SELECT"] }];

const { signal } = new AbortController();

Deno.test("DATABASE_URL", async (t) => {
  await using server = await openServer();
  await using connection = await server.connect();
  const place = `127.0.0.1:${server.address.port}`;
  for (
    const statement of [
      "CREATE DATABASE other",
      "CREATE USER owner@'%' IDENTIFIED BY 'p'",
      "GRANT ALL ON backbench.* TO owner@'%'",
      "GRANT ALL ON other.* TO owner@'%'",
      "CREATE USER admin@'%' IDENTIFIED BY 'p'",
      "GRANT ALL ON *.* TO admin@'%' WITH GRANT OPTION",
    ]
  ) await connection.query(statement);
  const address = { ...server.address, user: "owner", password: "p" };
  const url = urlOf(address);
  const other = { ...address, name: "other" };
  const admin = { ...address, user: "admin" };
  const accountsLeft = async () => {
    const [rows] = await connection.query({
      sql: "SELECT user FROM mysql.user WHERE user LIKE 'backbench-%'",
      rowsAsArray: true,
    });
    return rows;
  };
  const open = (text: string, lines: string[] = [], rights = grants) =>
    openDatabase({
      sql,
      grants: rights,
      report: { ...silent, line: (line) => lines.push(line) },
      signal,
      folder: "/does/not/matter",
      env: { DATABASE_URL: text },
    });

  await t.step("is used before any other provider", async () => {
    const lines: string[] = [];
    await using database = await open(url, lines);
    assertEquals(database.provider, "DATABASE_URL");
    assertEquals([database.pid, database.outage], [undefined, undefined]);
    assertEquals((await seed(database, { signal })).rows, 100_000);
  });

  await t.step("is used by one command at a time", async () => {
    await using _first = await open(url);
    await assertRejects(
      () => open(url),
      BenchError,
      'Cannot use "DATABASE_URL": another command uses its server, expected one at a time',
    );
  });

  await t.step(
    "is used as it is by a user who may not create accounts, who is told so",
    async () => {
      const lines: string[] = [];
      await using database = await open(url, lines);
      assertEquals(database.address, address);
      assertEquals(database.accounts, { subject: address, reference: address });
      assertEquals(database.accountsAreOurs, false);
      assertEquals(database.counting, {
        per: "server",
        reason: "both sides use the user of DATABASE_URL, with all its rights",
      });
      assertEquals(lines, [
        "The user of DATABASE_URL cannot create accounts: Access denied; you need (at least one of) " +
        "the CREATE USER privilege(s) for this operation; servers use that user, with all its rights",
      ]);
      await using ours = await database.connect();
      const before = await readCountersAtRest(ours, database, "reference");
      await ours.query("SELECT 1");
      await using subject = await connectTo(database.accounts.subject);
      await subject.query("SELECT 1");
      const after = await readCountersAtRest(ours, database, "reference");
      assertEquals(after.questions - before.questions, 1);
      assertEquals(after.openConnections - before.openConnections, 1);
    },
  );

  await t.step(
    "has an account for each side, where its user may create them, to the end",
    async () => {
      const lines: string[] = [];
      // An underscore stands for any letter in the name of a schema that rights are given on.
      await connection.query("CREATE DATABASE my_data");
      await connection.query("CREATE TABLE my_data.t AS SELECT 1 AS one");
      await connection.query("CREATE DATABASE my0data");
      {
        await using database = await open(urlOf({ ...admin, name: "my_data" }), lines, [
          { table: "t", rights: ["SELECT"] },
        ]);
        assertEquals([database.accountsAreOurs, database.counting], [true, { per: "account" }]);
        for (const side of sideNames) {
          await using ours = await connectTo(database.accounts[side]);
          assertEquals((await ours.query({ sql: "SELECT one FROM t", rowsAsArray: true }))[0], [[
            1,
          ]]);
          await assertRejects(() => ours.query("DROP TABLE t"), Error, "denied");
          await assertRejects(() => ours.query("USE my0data"), Error, "denied");
        }
        await using ours = await database.connect();
        const before = await readCountersAtRest(ours, database, "subject");
        await using reference = await connectTo(database.accounts.reference);
        await reference.query("SELECT one FROM t");
        assertEquals(await readCountersAtRest(ours, database, "subject"), before);
        assertMatch(database.address.user, /^backbench-subject-[0-9a-f]{10}$/);
        assertEquals(
          await accountsLeft(),
          sideNames.map((s) => [database.accounts[s].user]).sort(),
        );
      }
      assertEquals(await accountsLeft(), []);
      assertEquals(lines, []);
    },
  );

  await t.step("keeps no account that could not be given its rights", async () => {
    await connection.query("CREATE USER creator@'%' IDENTIFIED BY 'p'");
    await connection.query("GRANT ALL ON *.* TO creator@'%'");
    await using database = await open(urlOf({ ...address, user: "creator" }));
    assertEquals(database.accountsAreOurs, false);
    assertEquals(await accountsLeft(), []);
  });

  await t.step("is an error when it refuses the password", async () => {
    const error = await assertRejects(
      () => open(urlOf({ ...address, password: "wrong" })),
      BenchError,
      `Cannot connect to "${place}/backbench" of DATABASE_URL: Access denied for user 'owner'@'127.0.0.1' (using password: YES)`,
    );
    assertEquals(error.message.includes("wrong"), false);
  });

  await t.step("is an error when nothing listens there", async () => {
    await assertRejects(
      () => open("mysql://u:p@127.0.0.1:1/d"),
      BenchError,
      'Cannot connect to "127.0.0.1:1/d" of DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1',
    );
  });

  await t.step("is an error when it lacks the table, which is not made unasked", async () => {
    await using database = await open(urlOf(other));
    const error = await assertRejects(
      () => seed(database, { signal }),
      BenchError,
      'Cannot use database "other": it has no table "users", expected one',
    );
    assertEquals(
      error.help,
      'Run `just seed`: it recreates the table "users" there. ' +
        'By itself, only an empty database named "backbench" is seeded',
    );
  });

  await t.step("is an error when the table lacks columns", async () => {
    await using database = await open(urlOf(other));
    await connection.query("CREATE TABLE other.users (email varchar(255) PRIMARY KEY)");
    await assertRejects(
      () => seed(database, { signal }),
      BenchError,
      'its table "users" has no column first, last, city, county, age, ' +
        "expected email, first, last, city, county, age",
    );
  });

  await t.step("is seeded on request, and then good", async () => {
    await seedGivenDatabase({ report: silent, signal, env: { DATABASE_URL: urlOf(other) } });
    await using database = await open(urlOf(other));
    assertEquals(await seed(database, { signal }), await seed(server, { signal }));
  });

  await t.step("is an error when it has 99,999 rows", async () => {
    await using database = await open(urlOf(other));
    await connection.query("DELETE FROM other.users LIMIT 1");
    await assertRejects(
      () => seed(database, { signal }),
      BenchError,
      'Cannot use database "other": its table "users" has 99,999 rows, expected 100,000',
    );
  });

  await t.step("is an error when email is not the primary key", async () => {
    await using database = await open(urlOf(other));
    await connection.query("ALTER TABLE other.users DROP PRIMARY KEY");
    const refused = (key: string) =>
      assertRejects(
        () => seed(database, { signal }),
        BenchError,
        `Cannot use database "other": the primary key of its table "users" is ${key}, expected email`,
      );
    await refused("absent");
    await connection.query("ALTER TABLE other.users ADD id int AUTO_INCREMENT PRIMARY KEY");
    await refused("id");
  });

  await t.step("is not seeded by a user who may not", async () => {
    await connection.query("CREATE USER reader@'%' IDENTIFIED BY 'p'");
    await connection.query("GRANT SELECT ON other.* TO reader@'%'");
    const env = { DATABASE_URL: urlOf({ ...other, user: "reader", password: "p" }) };
    const error = await assertRejects(
      () => seedGivenDatabase({ report: silent, signal, env }),
      BenchError,
      'Cannot seed "other": DROP command denied to user',
    );
    assertEquals(error.message.endsWith("expected its tables to be recreated"), true);
  });

  await t.step("keeps its variables while it is seeded", async () => {
    // A user without the right to set them would be told so.
    await connection.query("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    const lines: string[] = [];
    const report = { ...silent, line: (text: string) => lines.push(text) };
    await seedGivenDatabase({ report, signal, env: { DATABASE_URL: urlOf(other) } });
    assertEquals(lines, ['Recreated the tables of the scenarios in database "other"']);
  });

  await t.step("says which variables its user may not set", async () => {
    await connection.query("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
    const lines: string[] = [];
    await using database = await open(url, lines);
    assertEquals(lines.slice(0, 1), [
      "The user of DATABASE_URL may not set server variables: innodb_flush_log_at_trx_commit stays 1",
    ]);
    assertEquals(database.variables.innodb_flush_log_at_trx_commit, "1");
  });

  await t.step("has its variables set back in the end", async () => {
    {
      const options = { report: silent, signal, sql, grants };
      await using database = await openDatabaseUrl(urlOf(admin), options);
      assertEquals(database.variables.innodb_flush_log_at_trx_commit, "2");
    }
    await using again = await connectTo(admin);
    const { variables } = await readServer(again);
    assertEquals(variables.innodb_flush_log_at_trx_commit, "1");
  });

  await t.step("that is gone fails the run, and disposal only says what stays", async () => {
    const lines: string[] = [];
    let users: string[] = [];
    {
      await using database = await open(urlOf(admin), lines);
      users = sideNames.map((side) => `'${database.accounts[side].user}'@'%'`);
      await server.outage?.stop();
      await assertRejects(
        () => database.connect(),
        RunBroken,
        `Cannot use the database: connect ECONNREFUSED ${place}, expected the server to live`,
      );
    }
    assertEquals(lines, [
      `Cannot drop the accounts on DATABASE_URL: connect ECONNREFUSED ${place}, ` +
      `expected DROP USER IF EXISTS ${users.join(", ")}`,
      `Cannot restore the variables of DATABASE_URL: connect ECONNREFUSED ${place}, ` +
      "expected innodb_flush_log_at_trx_commit = 1",
    ]);
  });
});
