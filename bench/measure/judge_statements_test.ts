import { assertEquals } from "@std/assert";
import type { Queries } from "../results/load_schema.ts";
import { reasonsFor } from "../testing/reasons_for.ts";

Deno.test("judge() rejects more or fewer statements than the requests need", () => {
  assertEquals(
    reasonsFor(({ queries }) => queries!.perRequest = queries!.executesPerRequest = 0.999),
    [],
  );
  // Requests that were joined: 64 of 10,000 may be missing, and no more.
  assertEquals(
    reasonsFor(({ queries }) => queries!.perRequest = queries!.executesPerRequest = 0.99 - 0.0063),
    [],
  );
  assertEquals(
    reasonsFor(({ queries }) => queries!.perRequest = queries!.executesPerRequest = 0.99 - 0.0066),
    ["query-count: the database counted 0.983 queries per request, expected 0.990"],
  );
  assertEquals(reasonsFor(({ queries }) => queries!.perRequest = 2), [
    "query-count: the database counted 2.000 queries per request, expected 0.990",
  ]);
  assertEquals(reasonsFor(({ queries }) => queries!.perRequest = 0.2), [
    "query-count: the database counted 0.200 queries per request, expected 0.990",
  ]);
});

Deno.test("judge() does not hold the statement of a request that failed against anyone", () => {
  const surplus = (failed: number) =>
    reasonsFor((observation) => {
      observation.failures = { timeout: failed };
      const { queries } = observation;
      queries!.perRequest = queries!.executesPerRequest = 0.99 + 0.0105;
    });
  assertEquals(surplus(10), []);
  assertEquals(surplus(0).map((reason) => reason.split(":")[0]), ["query-count"]);
});

Deno.test("judge() rejects statements that read fewer rows than the requests need", () => {
  assertEquals(reasonsFor(({ queries }) => queries!.rowsReadPerRequest = 3), []);
  assertEquals(reasonsFor(({ queries }) => delete queries!.rowsReadPerRequest), []);
  assertEquals(reasonsFor(({ queries }) => queries!.rowsReadPerRequest = 0.5), [
    "query-count: the database read 0.500 rows per request, expected at least 0.990",
  ]);
});

/** Judges what the database counted of requests that each write a row, one thing of it off. */
function reasonsForWriting(change: Partial<Queries>): string[] {
  return reasonsFor(({ queries }) => {
    const writing = { perRequest: 3, aroundPerRequest: 2, executesPerRequest: 1 };
    Object.assign(queries!, writing, {
      transactionsPerRequest: 1,
      rowsReadPerRequest: 1,
      expectedPerRequest: 1,
      ...change,
    });
  });
}

Deno.test("judge() counts statements around a transaction apart from those that requests need", () => {
  assertEquals(reasonsForWriting({}), []);
  assertEquals(reasonsForWriting({ perRequest: 1, aroundPerRequest: 0 }), []);
  assertEquals(reasonsForWriting({ perRequest: 6, aroundPerRequest: 5 }), []);
  assertEquals(reasonsForWriting({ perRequest: 4 }), [
    "query-count: the database counted 2.000 queries per request, expected 1.000",
  ]);
  assertEquals(reasonsForWriting({ perRequest: 7, aroundPerRequest: 6 }), [
    "query-count: the database counted 6.000 statements around transactions per request, expected at most 5",
  ]);
});

Deno.test("judge() rejects a transaction for several requests, and rows that were not written or written twice", () => {
  assertEquals(reasonsForWriting({ transactionsPerRequest: 2 }), []);
  assertEquals(reasonsForWriting({ transactionsPerRequest: 0.5 }), [
    "query-count: the database counted 0.500 transactions per request, expected 1.000: one for each",
  ]);
  for (const rows of [0.5, 2]) {
    assertEquals(reasonsForWriting({ rowsReadPerRequest: rows }), [
      `query-count: the database wrote ${rows.toFixed(3)} rows per request, expected 1.000`,
    ]);
  }
});

Deno.test("judge() rejects statements that are not prepared, or prepared again for each request", () => {
  const message = (executes: string, prepares: string) =>
    `no-prepared-statements: the database counted ${executes} executions of server-side prepared ` +
    `statements per request and ${prepares} prepares, expected 0.990 and one for each connection`;
  assertEquals(reasonsFor(({ queries }) => queries!.executesPerRequest = 0), [
    message("0.000", "16"),
  ]);
  assertEquals(reasonsFor(({ queries }) => queries!.prepares = 10_000), [
    message("0.990", "10,000"),
  ]);
});

Deno.test("judge() rejects statements that are others than the job needs", () => {
  const problem = '"DO 0" is not a plain query';
  assertEquals(reasonsFor(({ queries }) => queries!.problems = [problem]), [
    `statement-text: the prepared statement ${problem}`,
  ]);
  const problems = [problem, '"SELECT 1" is not one either', '"SELECT 2" neither'];
  assertEquals(reasonsFor(({ queries }) => queries!.problems = problems), [
    `statement-text: the prepared statement ${problem}; and 2 more`,
  ]);
});

Deno.test("judge() rejects a pool that is larger than was allowed", () => {
  assertEquals(reasonsFor(({ queries }) => queries!.peakConnections = 17), [
    "pool-exceeded: 17 connections to the database were open at one time, expected at most 16",
  ]);
});
