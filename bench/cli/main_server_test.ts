import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { makePlace, startCommandLine } from "../testing/place.ts";
import { openServer } from "../testing/server.ts";

Deno.test("main() ends with 1 and says that the database of DATABASE_URL is lost", async () => {
  await using database = await openServer();
  await using connection = await database.connect();
  // To set back in the end, which is not possible then.
  await connection.query("SET GLOBAL innodb_flush_log_at_trx_commit = 1");
  await using place = await makePlace();
  await place.add("honest");
  const options = { env: { DATABASE_URL: database.url } };
  await using running = startCommandLine(place, ["verify", "honest"], options);
  await running.until((stderr) => Promise.resolve(stderr.includes("Verifying honest, ")));
  await database.outage?.stop();
  const { code, stdout, stderr } = await running.ended;
  assertEquals([code, stdout], [1, ""], stderr);
  assertStringIncludes(
    stderr,
    "Cannot restore the variables of DATABASE_URL: connect ECONNREFUSED",
  );
  assertMatch(stderr, /^Cannot use the database: .*, expected the server to live$/m);
  assertEquals(stderr.includes("This is a bug"), false, stderr);
  assertEquals(await place.leftovers(), []);
});
