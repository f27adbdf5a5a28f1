import { assertEquals, assertRejects } from "@std/assert";
import { readCounters } from "./counters.ts";
import { RunBroken } from "../lib/error.ts";
import { openServer } from "../testing/server.ts";

Deno.test("readCounters() counts each reading, and ends the run when the server is gone", async () => {
  await using database = await openServer();
  const connection = await database.connect();
  const first = await readCounters(connection);
  const second = await readCounters(connection);
  assertEquals(second.questions - first.questions, 1);
  await database.outage?.stop();
  await assertRejects(
    () => readCounters(connection),
    RunBroken,
    "Cannot read the database's counters: ",
  );
  connection.destroy();
});
