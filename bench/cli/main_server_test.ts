import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { resultPath } from "../results/store.ts";
import { makePlace, startCommandLine } from "../testing/place.ts";
import { addQuick } from "../testing/quick_impl.ts";
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

Deno.test("main() says what is kept of a run that a lost database ends", async () => {
  await using database = await openServer();
  await using place = await makePlace();
  const id = await addQuick(place);
  const counts = ["--levels", "10,20", "--requests", "5000", "--warm-up", "100"];
  const options = { env: { DATABASE_URL: database.url } };
  await using running = startCommandLine(place, ["bench", id, "smoke", ...counts], options);
  await running.until((stderr) => Promise.resolve(/(^stage: measure [^]*){2}/m.test(stderr)));
  await database.outage?.stop();
  const { code, stderr } = await running.ended;
  assertEquals(code, 1, stderr);
  const [result] = await place.readOnlyRun();
  assertEquals(result!.status, "incomplete");
  assertMatch(stderr, /^Cannot use the database: .*, expected the server to live$/m);
  assertStringIncludes(
    stderr,
    `\nKept: 1 of 2 levels of ${id}, in ${resultPath(place.folders.localRuns, result!)}\n` +
      `Continue with \`just bench --resume ${result!.runId}\`\n`,
  );
});
