import { assertEquals, assertRejects } from "@std/assert";
import { readCounters } from "./counters.ts";
import { openDatabase } from "./open.ts";
import { RunBroken } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { allData } from "../scenario/list.ts";

const sql = await allData();

Deno.test("readCounters() counts each reading, and ends the run when the server is gone", async () => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  try {
    const { signal } = new AbortController();
    await using database = await openDatabase({ report: silent, signal, sql, folder });
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
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
