import { assertEquals, assertMatch } from "@std/assert";
import { connectTo, urlOf } from "../database/connection.ts";
import { silent } from "../lib/report.ts";
import { seedGivenDatabase } from "../scenario/seed_given.ts";
import { openEmptyServer } from "../testing/empty_server.ts";
import { makePlace, startCommandLine } from "../testing/place.ts";
import { addQuick } from "../testing/quick_impl.ts";
import { temporaryFolder } from "../testing/temporary_folder.ts";

/** What a measurement changes on a given server. */
const changed = [
  "SELECT @@GLOBAL.innodb_flush_log_at_trx_commit, @@GLOBAL.tls_version",
  "SELECT user FROM mysql.user WHERE user LIKE 'backbench-%'",
  "CHECKSUM TABLE users",
  "SELECT COUNT(*) FROM visits",
];

Deno.test("bench() leaves the server of DATABASE_URL as it was when Ctrl-C is pressed", async (t) => {
  const { signal } = new AbortController();
  await using folder = await temporaryFolder();
  await using server = await openEmptyServer(folder.path, signal);
  const env = { DATABASE_URL: urlOf(server.address) };
  await seedGivenDatabase({ report: silent, signal, env });
  await using connection = await connectTo(server.address);
  const read = async (sql: string) => (await connection.query({ sql, rowsAsArray: true }))[0];
  const readAll = async () => {
    const all = [];
    for (const sql of changed) all.push(await read(sql));
    return all;
  };
  await using place = await makePlace();
  const id = await addQuick(place);
  const before = await readAll();
  // TLS is on, and every commit waits for the disk: else nothing would be seen to be restored.
  assertMatch(JSON.stringify(before[0]), /^\[\[1,"TLSv1/);

  for (const [scenario, table] of [["jwt-mysql", "users"], ["insert", "visits"]] as const) {
    await t.step(`while ${scenario} is measured`, async () => {
      const checksum = async () => JSON.stringify(await read(`CHECKSUM TABLE ${table}`));
      const untouched = await checksum();
      const counts = ["--levels", "10", "--requests", "50000", "--warm-up", "100"];
      const args = ["bench", id, "smoke", "--scenario", scenario, ...counts];
      await using running = startCommandLine(place, args, { env });
      await running.until(async (stderr) =>
        /^stage: measure /m.test(stderr) && await checksum() !== untouched
      );
      running.interrupt();
      const { code, stderr } = await running.ended;
      assertEquals(code, 130, stderr);
      assertEquals(await readAll(), before, stderr);
      assertEquals(await place.leftovers(), []);
    });
  }
});
