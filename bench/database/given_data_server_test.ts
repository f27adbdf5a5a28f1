import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type Connection, createConnection } from "mysql2/promise";
import { silent } from "../lib/report.ts";
import { BenchError } from "../lib/error.ts";
import { allData } from "../scenario/list.ts";
import { seed } from "../scenario/jwt_mysql/seed.ts";
import { connectTo, urlOf } from "./connection.ts";
import type { Database, DatabaseAddress, Grant } from "./database.ts";
import { openDatabase } from "./open.ts";
import { openEmptyServer } from "../testing/empty_server.ts";

const sql = await allData();
const grants: Grant[] = [{ table: "users", rights: ["SELECT"] }];
const { signal } = new AbortController();

/** What a driver encrypts with that does so wherever the server can; empty without TLS. */
async function cipherOf({ name, ...address }: DatabaseAddress): Promise<string> {
  const connect = (options: { ssl?: { rejectUnauthorized: boolean } }): Promise<Connection> =>
    createConnection({ ...address, database: name, ...options });
  const connection = await connect({ ssl: { rejectUnauthorized: false } })
    .catch(() => connect({}));
  try {
    const [rows] = await connection.query({
      sql: "SHOW SESSION STATUS LIKE 'Ssl_cipher'",
      rowsAsArray: true,
    });
    return (rows as [string, string][])[0]![1];
  } finally {
    await connection.end();
  }
}

Deno.test("a server that starts empty, as a service container does", async (t) => {
  const folder = await Deno.makeTempDir();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const server = stack.use(await openEmptyServer(folder, signal));
  const { address } = server;
  const lines: string[] = [];
  const open = (given: DatabaseAddress): Promise<Database> => {
    lines.length = 0;
    return openDatabase({
      ...{ sql, signal, folder, grants },
      report: { ...silent, line: (line) => lines.push(line) },
      env: { DATABASE_URL: urlOf(given) },
    });
  };
  const tablesIn = async (name: string) => {
    await using connection = await connectTo(address);
    const [rows] = await connection.query({
      sql: `SHOW TABLES FROM ${name}`,
      rowsAsArray: true,
    });
    return (rows as string[][]).flat();
  };
  const run = async (...statements: string[]) => {
    await using connection = await connectTo(address);
    for (const statement of statements) await connection.query(statement);
  };

  await t.step("is left alone where its database has another name", async () => {
    await run("CREATE DATABASE other");
    await using database = await open({ ...address, name: "other" });
    const error = await assertRejects(() => seed(database, { signal }), BenchError);
    assertMatch(error.help ?? "", /^Run `just seed`.*only an empty database named "backbench"/);
    assertEquals([lines, await tablesIn("other")], [[], []]);
  });

  await t.step("is left alone where its database has a table or a view of others", async () => {
    for (const kind of ["TABLE", "VIEW"]) {
      await run(`CREATE ${kind} backbench.theirs AS SELECT 1 AS one`);
      {
        await using _database = await open(address);
        assertEquals([lines, await tablesIn("backbench")], [[], ["theirs"]]);
      }
      await run(`DROP ${kind} backbench.theirs`);
    }
  });

  await t.step("is not seeded by a user who may not create tables", async () => {
    await run("CREATE USER reader@'%' IDENTIFIED BY 'p'", "GRANT SELECT ON *.* TO reader@'%'");
    await assertRejects(
      () => open({ ...address, user: "reader", password: "p" }),
      BenchError,
      'Cannot seed "backbench": DROP command denied to user',
    );
  });

  await t.step("is seeded where it is named for us, once, and that is said", async () => {
    for (const said of [['Seeding database "backbench" of DATABASE_URL, which is empty'], []]) {
      await using database = await open(address);
      assertEquals(lines, said);
      assertEquals((await seed(database, { signal })).rows, 100_000);
    }
  });

  await t.step("has no TLS while it is used, and afterwards again", async () => {
    assertMatch(await cipherOf(address), /^TLS_/);
    {
      await using database = await open(address);
      assertEquals(database.variables.tls_version, "");
      assertEquals(await cipherOf(database.address), "");
    }
    assertMatch(await cipherOf(address), /^TLS_/);
  });

  await t.step("keeps TLS where its user may not turn it off, who is told so", async () => {
    const setter = { ...address, user: "setter", password: "p" };
    await run(
      "CREATE USER setter@'%' IDENTIFIED BY 'p'",
      "GRANT SELECT, CREATE USER, SYSTEM_VARIABLES_ADMIN ON *.* TO setter@'%'",
    );
    await using database = await open(setter);
    assertMatch(
      lines.find((line) => line.startsWith("TLS stays on")) ?? "",
      /Access denied.*; drivers that prefer it are measured with it$/,
    );
    assertMatch(database.variables.tls_version ?? "", /^TLSv1/);
    assertMatch(await cipherOf(address), /^TLS_/);
  });
});
