import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { join } from "@std/path";
import { authPlugins } from "mysql2";
import { createConnection } from "mysql2/promise";
import { cacheFolder } from "../lib/cache.ts";
import { connectTo } from "./connection.ts";
import { openDatabase } from "./open.ts";
import { type Database, type DatabaseAddress, type Grant, sideNames } from "./database.ts";
import { logTail } from "../lib/log_lines.ts";
import { startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { allData } from "../scenario/list.ts";
import { packagesOnly } from "../testing/server.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";
import { until } from "../testing/until.ts";

const sql = await allData();
const grants: Grant[] = [{ table: "users", rights: ["SELECT"] }];

const { signal } = new AbortController();

async function openFromPackages(folder: string): Promise<Database> {
  return await openDatabase({ report: silent, signal, sql, grants, folder, env: packagesOnly() });
}

function isRunning(pid: number | undefined): boolean {
  if (pid === undefined) return false;
  try {
    Deno.kill(pid, "SIGCONT");
    return true;
  } catch {
    return false;
  }
}

Deno.test("openDatabase() starts a private server and leaves nothing of it", async () => {
  await using folder = await temporaryFolder();
  let pid: number | undefined;
  {
    await using database = await openFromPackages(folder.path);
    pid = database.pid;
    assertEquals(database.provider, "packages");
    assertEquals(database.engine, "MySQL");
    assertEquals(database.variables.innodb_buffer_pool_size, String(256 * 1024 ** 2));
    assertEquals(database.variables.innodb_flush_log_at_trx_commit, "2");
    assertEquals(database.variables.log_bin, "OFF");
    assertEquals(database.variables.max_connections, "1000");
    assert(isRunning(pid));
    await using connection = await database.connect();
    await connection.query("FLUSH STATUS");
    const [rows] = await connection.query("SELECT COUNT(*) AS n FROM users");
    assertEquals(rows, [{ n: 100_000 }]);
  }
  assert(!isRunning(pid));
  assertEquals([...Deno.readDirSync(folder.path)], []);
});

Deno.test("openDatabase() gives each side an account with the rights that were asked for", async () => {
  await using folder = await temporaryFolder();
  await using database = await openFromPackages(folder.path);
  assertEquals([database.accountsAreOurs, database.counting], [true, { per: "account" }]);
  assertEquals(database.address, database.accounts.subject);
  await using harness = await database.connect();
  for (const side of sideNames) {
    await using connection = await connectTo(database.accounts[side]);
    const ask = (sql: string) => connection.query({ sql, rowsAsArray: true });
    const [schemas] = await ask("SHOW DATABASES");
    assertEquals(schemas, [["backbench"], ["information_schema"], ["performance_schema"]]);
    const [rows] = await ask("SELECT email FROM users WHERE email = 'ada.adams@example.com'");
    assertEquals(rows, [["ada.adams@example.com"]]);
    for (const statement of forbidden) {
      await assertRejects(() => connection.query(statement), Error, "denied", statement);
    }
  }
  // The one who may shows that they are refused for lack of a right, not because they are wrong.
  for (const statement of forbidden.filter((statement) => statement.includes("users"))) {
    await harness.query(statement);
    if (statement.startsWith("LOCK")) await harness.query("UNLOCK TABLES");
  }
  await assertRejects(() => connectTo({ ...database.address, user: "root", password: "" }));
});

/** What a server could do to its table, or to what it is measured by; in an order in which each can succeed. */
const forbidden = [
  "UPDATE users SET age = 1 WHERE email = 'ada.adams@example.com'",
  "INSERT INTO users (email) VALUES ('new@example.com')",
  "REPLACE INTO users (email) VALUES ('new@example.com')",
  "DELETE FROM users WHERE email = 'new@example.com'",
  "CREATE INDEX by_city ON users (city)",
  "ALTER TABLE users ADD record json",
  "CREATE TABLE copy_of_users AS SELECT * FROM users",
  "CREATE VIEW view_of_users AS SELECT * FROM users",
  "CREATE TRIGGER of_users BEFORE UPDATE ON users FOR EACH ROW SET NEW.age = 1",
  "LOCK TABLES users WRITE",
  "TRUNCATE users",
  "DROP TABLE users",
  "CREATE TEMPORARY TABLE mine (email int)",
  "SET GLOBAL max_connections = 10",
  "CREATE USER third@'%'",
  "SHUTDOWN",
];

Deno.test("openDatabase() copies a template that a link in the cache leads to, and leaves it as it is", async () => {
  await using folder = await temporaryFolder();
  {
    await using _database = await openFromPackages(folder.path);
  }
  // A cache of its own whose entries are links to the other's.
  const [cache, linked] = [cacheFolder(Deno.env.toObject()), join(folder.path, "cache")];
  await Deno.mkdir(linked);
  for await (const { name } of Deno.readDir(cache)) {
    if (name.startsWith("mysql-")) await Deno.symlink(join(cache, name), join(linked, name));
  }
  const env = { ...packagesOnly(), BACKBENCH_CACHE: linked };
  const options = { report: silent, signal, sql, grants, folder: folder.path, env };
  {
    await using database = await openDatabase(options);
    await using connection = await database.connect();
    await connection.query("TRUNCATE users");
  }
  await using database = await openDatabase(options);
  await using connection = await database.connect();
  const [rows] = await connection.query("SELECT COUNT(*) AS n FROM users");
  assertEquals(rows, [{ n: 100_000 }]);
});

Deno.test("openDatabase() gives no rights but those of the scenario, also none", async () => {
  await using folder = await temporaryFolder();
  const options = { report: silent, signal, sql, folder: folder.path, env: packagesOnly() };
  {
    await using database = await openDatabase({
      ...options,
      grants: [{ table: "users", rights: ["SELECT", "INSERT"] }],
    });
    await using connection = await connectTo(database.accounts.reference);
    await connection.query("INSERT INTO users (email) VALUES ('new@example.com')");
    await assertRejects(() => connection.query("DELETE FROM users"), Error, "denied");
  }
  await using database = await openDatabase({ ...options, grants });
  await using connection = await connectTo(database.accounts.reference);
  await assertRejects(
    () => connection.query("INSERT INTO users (email) VALUES ('new@example.com')"),
    Error,
    "denied",
  );
});

Deno.test("openDatabase() brings the server back with its data on the same port", async () => {
  await using folder = await temporaryFolder();
  await using database = await openFromPackages(folder.path);
  const pid = database.pid;
  {
    await using connection = await database.connect();
    await connection.query("UPDATE users SET city = 'Paris' WHERE email = 'ada.adams@example.com'");
  }
  await database.outage?.stop();
  assertEquals(database.pid, undefined);
  await assertRejects(() => database.connect(), Error, "ECONNREFUSED");
  await database.outage?.start();
  assert(database.pid !== undefined && database.pid !== pid);
  await using connection = await database.connect();
  const [rows] = await connection.query(
    "SELECT city FROM users WHERE email = 'ada.adams@example.com'",
  );
  assertEquals(rows, [{ city: "Paris" }]);
});

Deno.test("openDatabase() lets drivers log in without TLS that do not encrypt the password", async () => {
  await using folder = await temporaryFolder();
  await using database = await openFromPackages(folder.path);
  await logInByCacheAlone(database.address);
  await database.outage?.stop();
  await database.outage?.start();
  await logInByCacheAlone(database.address);
});

/** The server refuses the plain password that is sent where it does not have the account in its cache. */
async function logInByCacheAlone(address: DatabaseAddress): Promise<void> {
  const { name, ...rest } = address;
  const connection = await createConnection({
    ...rest,
    database: name,
    authPlugins: {
      caching_sha2_password: authPlugins.caching_sha2_password({ overrideIsSecure: true }),
    },
  });
  await connection.end();
}

Deno.test("openDatabase() stops the server when its signal aborts", async () => {
  await using folder = await temporaryFolder();
  const controller = new AbortController();
  const env = packagesOnly();
  const database = await openDatabase({
    sql,
    grants,
    report: silent,
    signal: controller.signal,
    folder: folder.path,
    env,
  });
  controller.abort();
  await database[Symbol.asyncDispose]();
  assertEquals(database.pid, undefined);
  await assertRejects(
    () =>
      openDatabase({
        report: silent,
        signal: controller.signal,
        sql,
        grants,
        folder: folder.path,
        env,
      }),
    DOMException,
  );
  assertEquals([...Deno.readDirSync(folder.path)], []);
});

Deno.test("openDatabase() leaves no server behind where the harness is killed", async () => {
  await using folder = await temporaryFolder();
  const env = JSON.stringify(packagesOnly());
  const code = `
    import { openDatabase } from "${new URL("open.ts", import.meta.url)}";
    import { allData } from "${new URL("../scenario/list.ts", import.meta.url)}";
    const { signal } = new AbortController();
    const report = { line() {}, progress() {} };
    const sql = await allData();
    const options = { report, signal, sql, grants: [], folder: "${folder.path}", env: ${env} };
    const { pid } = await openDatabase(options);
    console.log("server " + pid);
    await new Promise((resolve) => setTimeout(resolve, 600_000));`;
  const logPath = join(folder.path, "harness");
  const harness = startProcess([Deno.execPath(), "eval", code], { logPath });
  let pid: number | undefined;
  while (pid === undefined) {
    assertEquals(harness.exited(), undefined, await logTail(logPath));
    await delay(20);
    const [, said] = /^server (\d+)$/m.exec(await logTail(logPath)) ?? [];
    if (said !== undefined) pid = Number(said);
  }
  assertEquals(isRunning(pid), true);
  Deno.kill(harness.pid, "SIGKILL");
  await harness.status;
  await until(() => !isRunning(pid));
});
