import { assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleObservation, exampleResult } from "../testing/example_result.ts";
import { judge, type JudgeContext, reasonToRepeat } from "./judge.ts";
import type { Observation } from "../results/result_schema.ts";

const { poolMax, requests } = exampleResult().plan;
const context: JudgeContext = { connections: 10, poolMax, requests };

/** Judges an observation in which one thing is off, and returns its reasons. */
function reasonsFor(change: (observation: Observation) => void, more: Partial<JudgeContext> = {}) {
  const observation = exampleObservation();
  change(observation);
  const { validity, figures } = judge(observation, { ...context, ...more });
  assertEquals(figures !== undefined, validity.valid);
  return validity.valid ? [] : validity.reasons.map(({ code, message }) => `${code}: ${message}`);
}

Deno.test("judge() computes the figures of an observation in which all is well", () => {
  const { validity, figures } = judge(exampleObservation(), context);
  assertEquals(validity, { valid: true });
  assertEquals(figures?.goodputPerSecond, 4_000);
  assertEquals(figures?.firstSecondPerSecond, 4_000);
  assertEquals(figures?.secondsToSteady, 0);
  assertAlmostEquals(figures?.latencySeconds.p50 ?? 0, 0.00125, 0.00001);
});

Deno.test("judge() allows one failure in a thousand and no more", () => {
  const withFailures = (count: number) =>
    reasonsFor((observation) => {
      observation.correct = 10_000 - count;
      observation.failures = { "status-500": count };
    });
  assertEquals(withFailures(10), []);
  assertEquals(withFailures(11), [
    "failures: 11 of 10000 requests failed (status-500: 11), expected at most 0.1 %",
  ]);
});

Deno.test("judge() rejects a load that attempted less than was asked", () => {
  assertEquals(
    reasonsFor((observation) => {
      observation.attempted = observation.correct = 9_999;
    }),
    ["unattempted: 9999 requests were attempted, expected 10000"],
  );
});

Deno.test("judge() rejects silent reconnects", () => {
  assertEquals(reasonsFor((observation) => observation.reconnects = 10), []);
  assertEquals(reasonsFor((observation) => observation.reconnects = 11), [
    "reconnects: 11 connections were opened beyond the level's 10, expected at most 0.1 % of 10000 requests",
  ]);
});

Deno.test("judge() does not count reconnects where the system does not tell", () => {
  assertEquals(reasonsFor((observation) => delete observation.reconnects), []);
});

Deno.test("judge() rejects more or fewer statements than the requests need", () => {
  assertEquals(
    reasonsFor(({ queries }) => queries!.perRequest = queries!.executesPerRequest = 0.999),
    [],
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

Deno.test("judge() rejects statements that are not prepared, or prepared again for each request", () => {
  const message = (executes: string, prepares: number) =>
    `no-prepared-statements: the database counted ${executes} executions of server-side prepared ` +
    `statements per request and ${prepares} prepares, expected 0.990 and one for each connection`;
  assertEquals(reasonsFor(({ queries }) => queries!.executesPerRequest = 0), [
    message("0.000", 16),
  ]);
  assertEquals(reasonsFor(({ queries }) => queries!.prepares = 10_000), [message("0.990", 10_000)]);
});

Deno.test("judge() rejects a pool that is larger than was allowed", () => {
  assertEquals(reasonsFor(({ queries }) => queries!.peakConnections = 17), [
    "pool-exceeded: 17 connections to the database were open at one time, expected at most 16",
  ]);
});

Deno.test("judge() rejects a subject that logs its requests", () => {
  assertEquals(reasonsFor(({ log }) => log.lines = 10_000), [
    "request-log: 10000 lines were logged for 10000 requests, expected no line per request",
  ]);
});

Deno.test("judge() rejects a load with a single wrong answer, and says which", () => {
  const problem = {
    check: "stale-record",
    sent: "GET / with the token of line 7",
    came: "the record as it was 900 ms before",
    expected: "the record with the new city",
  };
  const wrong = { wrong: { "stale-record": 1 }, problems: [problem] };
  const said = "1 of 10000 answers were wrong (stale-record), expected none; the first: " +
    "GET / with the token of line 7 was answered with the record as it was 900 ms before, " +
    "expected the record with the new city";
  assertEquals(reasonsFor((observation) => Object.assign(observation, wrong)), [
    `wrong-answer: under load, ${said}`,
  ]);
  const warmUp = { ...exampleObservation(), ...wrong };
  assertEquals(reasonsFor(() => {}, { warmUp }), [
    `wrong-answer: while it was warmed up, ${said}`,
  ]);
});

Deno.test("judge() rejects a load beside which a process of the subject was out of its group", () => {
  assertEquals(reasonsFor((observation) => observation.leftGroup = ["setsid node helper.js"]), [
    "left-group: a process left the group of the server, expected all to stay in it: setsid node helper.js",
  ]);
});

Deno.test("judge() rejects a subject that breaks the contract after the load", () => {
  const verificationFailures = ['Cannot verify "no token": status is 200, expected 401'];
  assertEquals(reasonsFor(() => {}, { verificationFailures }), [
    'verification: Cannot verify "no token": status is 200, expected 401',
  ]);
});

Deno.test("judge() rejects a load beside which other processes worked, or the machine swapped", () => {
  assertEquals(reasonsFor(({ resources }) => resources!.machine.foreignCpuSeconds = 1), [
    "foreign-load: other processes used 20.0 % of the machine's CPU time, expected at most 5.0 %",
  ]);
  assertEquals(reasonsFor(({ resources }) => resources!.machine.stealCpuSeconds = 0.03), []);
  assertEquals(reasonsFor(({ resources }) => resources!.machine.stealCpuSeconds = 0.04), [
    "steal: the hypervisor took 0.8 % of the machine's CPU time, expected at most 0.5 %",
  ]);
  assertEquals(reasonsFor(({ resources }) => resources!.machine.swappedBytes = 2 ** 21), [
    "swapping: the machine swapped 2097152 bytes, expected at most 1048576",
  ]);
});

Deno.test("judge() gives every reason at once", () => {
  const reasons = reasonsFor(({ queries, log }) => {
    queries!.perRequest = 2;
    queries!.peakConnections = 40;
    log.lines = 10_000;
  });
  assertEquals(reasons.map((reason) => reason.split(":")[0]), [
    "query-count",
    "pool-exceeded",
    "request-log",
  ]);
});

Deno.test("reasonToRepeat() has the messages where nothing but the machine is to blame", () => {
  const startedAt = "2026-01-01T00:00:00.000Z";
  const retry = (codes: ("foreign-load" | "steal" | "swapping" | "failures")[]) =>
    reasonToRepeat({
      startedAt,
      validity: {
        valid: false,
        reasons: codes.map((code) => ({ code, message: `because of ${code}` })),
      },
    });
  assertEquals(retry(["foreign-load"]), "because of foreign-load");
  assertEquals(retry(["steal"]), "because of steal");
  assertEquals(retry(["swapping", "foreign-load"]), "because of swapping; because of foreign-load");
  assertEquals(retry(["failures"]), undefined);
  assertEquals(retry(["foreign-load", "failures"]), undefined);
  assertEquals(reasonToRepeat({ startedAt, validity: { valid: true } }), undefined);
});
