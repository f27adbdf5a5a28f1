import { assert, assertEquals, assertThrows } from "@std/assert";
import { join } from "@std/path";
import { DatabaseSync } from "node:sqlite";
import { BenchError } from "../lib/error.ts";
import { dueTimes, failureClass, parseSummary, readResponses } from "./oha_output.ts";

Deno.test("parseSummary() reads a load without failures", async () => {
  const { durationSeconds, ...counts } = parseSummary(await captured("answered"));
  assert(durationSeconds > 0);
  assertEquals(counts, { answered: 2000, errors: {} });
});

Deno.test("parseSummary() reads a load of a closed port, where many keys are null", async () => {
  const { answered, errors } = parseSummary(await captured("closed_port"));
  assertEquals({ answered, errors }, { answered: 0, errors: { "connection-refused": 100 } });
});

Deno.test("parseSummary() reads a load of a server that died", async () => {
  const { answered, errors } = parseSummary(await captured("server_died"));
  assertEquals(Object.keys(errors).sort(), ["connection-closed", "connection-refused"]);
  assertEquals(answered + errors["connection-closed"]! + errors["connection-refused"]!, 2000);
});

Deno.test("parseSummary() reads a load that timed out", async () => {
  const { answered, errors } = parseSummary(await captured("timeout"));
  assertEquals({ answered, errors }, { answered: 0, errors: { timeout: 10 } });
});

Deno.test("parseSummary() lists each key that is missing or of another type", () => {
  assertThrows(
    () => parseSummary('{"summary": {"total": "1 s"}, "errorDistribution": {}}'),
    BenchError,
    "Cannot parse the summary of oha: summary.total: Invalid input: expected number, received string; " +
      "statusCodeDistribution: Invalid input: expected record, received undefined, " +
      "expected that of oha 1.16",
  );
  assertThrows(() => parseSummary(""), BenchError, "expected JSON");
});

Deno.test("failureClass() keeps a message that it does not know", () => {
  assertEquals(failureClass("Too many open files (os error 24)"), "too-many-open-files");
  assertEquals(failureClass("Connection reset by peer (os error 104)"), "connection-closed");
  assertEquals(failureClass("invalid HTTP version parsed"), "other: invalid HTTP version parsed");
});

Deno.test("parseSummary() leaves out what was aborted when the time was over", async () => {
  const { answered, errors } = parseSummary(await captured("deadline"));
  assert(answered > 0);
  assertEquals(errors, {});
});

Deno.test("dueTimes() hides nothing of how late the generator was", () => {
  // Ten a second; the timer stood still from 0.1 s to 0.45 s and then caught up. Rows are in another order.
  const queued = Float64Array.of(0.451, 0, 0.1, 0.4501, 0.4502, 0.501);
  assertEquals(dueTimes(queued, 10, 0), Float64Array.of(0.4, 0, 0.1, 0.2, 0.3, 0.5));
});

Deno.test("dueTimes() finds the places of those that were not answered", () => {
  // The second, third and sixth have no row.
  const queued = Float64Array.of(0.001, 0.301, 0.401, 0.601);
  assertEquals(dueTimes(queued, 10, 3), Float64Array.of(0, 0.3, 0.4, 0.6));
  // Where the timer is late as well, no request is taken for one that became due after it was put in.
  assertEquals(dueTimes(Float64Array.of(0.001, 0.15, 0.25), 10, 3), Float64Array.of(0, 0.1, 0.2));
});

Deno.test("readResponses() gives a column for each fact, in order of end", async () => {
  const rows = [
    // start, queued, end, status, len_bytes, request_line, body_crc32
    [0.25, 0.2, 0.75, 200, 5, 499_999, 0xffff_ffff],
    [0.1, 0.1, 0.5, 401, 0, 0, 0],
  ];
  await withDatabase(rows, (path) => {
    const columns = {
      startSeconds: Float64Array.of(0.1, 0.25),
      endSeconds: Float64Array.of(0.5, 0.75),
      status: Uint16Array.of(401, 200),
      bodyBytes: Uint32Array.of(0, 5),
      bodyCrc32: Uint32Array.of(0, 0xffff_ffff),
      line: Uint32Array.of(0, 499_999),
    };
    assertEquals(readResponses(path, { answered: 2, errors: {} }), columns);
    assertEquals(readResponses(path, { answered: 2, errors: { timeout: 1 } }, 10), {
      ...columns,
      dueSeconds: Float64Array.of(0.1, 0.2),
    });
    assertThrows(
      () => readResponses(path, { answered: 3, errors: {} }),
      BenchError,
      `Cannot read "${path}": it holds 2 answers, expected 3 as in the summary`,
    );
  });
});

/** Gives `test` the path of a database with the columns that are read of oha's. */
async function withDatabase(rows: number[][], test: (path: string) => void): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "oha.db");
    {
      using database = new DatabaseSync(path);
      database.exec(
        `CREATE TABLE oha (start REAL, start_latency_correction REAL, end REAL, status INTEGER,
          len_bytes INTEGER, request_line INTEGER, body_crc32 INTEGER)`,
      );
      const insert = database.prepare("INSERT INTO oha VALUES (?, ?, ?, ?, ?, ?, ?)");
      for (const row of rows) insert.run(...row);
    }
    test(path);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function captured(name: string): Promise<string> {
  const url = new URL(`testdata/oha-1.16.0/${name}.json`, import.meta.url);
  return await Deno.readTextFile(url);
}
