import { assertAlmostEquals, assertEquals } from "@std/assert";
import { exampleObservation, exampleResult, latencyOfEqual } from "../testing/example_result.ts";
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
  assertAlmostEquals(figures?.latencySeconds.p50 ?? 0, 0.0025, 0.00001);
  assertEquals(figures?.silence, { intervals: 0, longestSeconds: 0 });
});

Deno.test("judge() counts requests without an answer in latency, as at least their time-out", () => {
  const observation = exampleObservation();
  observation.attempted += 10;
  observation.failures = { "timeout": 6, "connection-closed": 3, "status-500": 1 };
  const { figures } = judge(observation, context);
  const { p50, p99, p999, max, atLeast } = figures!.latencySeconds;
  assertEquals([p50 < 0.003, p99 < 0.003, p999 < 0.003], [true, true, true]);
  assertEquals([max, atLeast], [10, ["max"]]);
});

/** Makes a load of 20 s, unless told, whose answers all took as long. */
function observationOf({ microseconds, requests, durationSeconds = 20, failures = {} }: {
  microseconds: number;
  requests: number;
  durationSeconds?: number;
  failures?: Record<string, number>;
}): Observation {
  const observation = exampleObservation();
  const intervals = Math.ceil(4 * durationSeconds);
  const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
  Object.assign(observation, { durationSeconds, correct: requests, failures });
  observation.attempted = requests + failed;
  observation.series.correct = new Array(intervals).fill(Math.round(requests / intervals));
  observation.series.failed = new Array(intervals).fill(0);
  observation.latency = latencyOfEqual(requests, microseconds);
  delete observation.resources;
  return observation;
}

Deno.test("judge() rejects a mean latency that does not fit connections and throughput", () => {
  const reasons = (facts: Parameters<typeof observationOf>[0]) => {
    const { validity } = judge(observationOf(facts), context);
    return validity.valid ? [] : validity.reasons.map(({ code, message }) => `${code}: ${message}`);
  };
  // Ten connections, each with a request open all the time, for 20 s: 200 s of waiting.
  const requests = 100_000;
  assertEquals(reasons({ microseconds: 2_000, requests }), []);
  assertEquals(reasons({ microseconds: 1_910, requests }), []);
  const rejected = (mean: string) => [
    `latency-gap: mean latency was ${mean} ms, expected 2.00 ms of 10 connections with 5000 ` +
    "requests per second, within 5.0 %",
  ];
  assertEquals(reasons({ microseconds: 1_890, requests }), rejected("1.89"));
  assertEquals(reasons({ microseconds: 2_110, requests }), rejected("2.11"));
  // A fifth of the time of the connections went into four requests that were never answered.
  assertEquals(
    reasons({ microseconds: 1_600, requests, failures: { timeout: 4 } })
      .map((reason) => reason.split(":")[0]),
    ["latency-gap"],
  );
});

Deno.test("judge() allows a short load to open its connections", () => {
  // 2,000 requests of 2.5 ms take 10 connections 0.5 s, and a quarter of a second may go beside.
  const isValid = (durationSeconds: number) => {
    const observation = observationOf({ microseconds: 2_500, requests: 2_000, durationSeconds });
    return judge(observation, { ...context, requests: 2_000 }).validity.valid;
  };
  assertEquals([0.5, 0.74, 0.76].map(isValid), [true, true, false]);
});

Deno.test("judge() reports a short silence, and rejects a long one", () => {
  const silent = (intervals: number[]) => {
    const observation = observationOf({ microseconds: 2_000, requests: 100_000 });
    for (const index of intervals) observation.series.correct[index] = 0;
    return judge(observation, context);
  };
  const pause = silent([40, 41]);
  assertEquals(pause.validity, { valid: true });
  assertEquals(pause.figures?.silence, { intervals: 2, longestSeconds: 0.5 });
  assertEquals(silent([10, 20, 30, 40]).validity.valid, true);
  assertEquals(silent([10, 20, 21, 30, 40]).validity, {
    valid: false,
    reasons: [{
      code: "silence",
      message:
        "no answer came in 1.25 s of 20.0 s, for 0.50 s at a stretch, expected at most 1.0 % and 1 s",
    }],
  });
});

Deno.test("judge() finds no silence where only errors are answered", () => {
  const observation = observationOf({ microseconds: 2_000, requests: 100_000 });
  for (let index = 10; index < 20; index++) {
    observation.series.correct[index] = 0;
    observation.series.failed[index] = 1;
  }
  assertEquals(judge(observation, context).figures?.silence?.intervals, 0);
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

Deno.test("judge() counts one call of the upstream for each request, over connections that are kept", () => {
  const reasons = (changes: Partial<Observation["calls"]>, failures: Record<string, number> = {}) =>
    reasonsFor((observation) => {
      const { attempted } = observation;
      const open = { peakConnections: 10, peakOpen: 10, connectionsOpened: 10 };
      observation.calls = { received: attempted, answered: attempted, ...open, ...changes };
      observation.failures = failures;
    });
  assertEquals(reasons({}), []);
  assertEquals(reasons({ received: 9_990 }), []);
  assertEquals(reasons({ received: 9_989 }), [
    "upstream-calls: the upstream received 9989 calls for 10000 requests, expected one for each " +
    "(within 10): answers came from a cache, were shared by requests that were joined, or were made up",
  ]);
  assertEquals(reasons({ received: 10_011 }), [
    "upstream-calls: the upstream received 10011 calls for 10000 requests, expected one for each " +
    "(within 10): calls were repeated",
  ]);
  // Nobody knows whether the call of a request was made that failed.
  assertEquals(reasons({ received: 9_981 }, { "status-502": 9 }), []);
  assertEquals(reasons({ connectionsOpened: 110 }), []);
  assertEquals(reasons({ connectionsOpened: 111 }), [
    "upstream-connections: 111 connections to the upstream were opened for 10000 requests, " +
    "expected at most 110: they were not kept alive",
  ]);
});

Deno.test("judge() rejects a load that comes near what the upstream can do", () => {
  const reasons = (callsPerSecond: number, openCalls: number) =>
    reasonsFor((observation) => {
      const { attempted } = observation;
      const open = { peakConnections: 10, peakOpen: 10, connectionsOpened: 10 };
      observation.calls = { received: attempted, answered: attempted, ...open };
    }, { upstreamLimit: { callsPerSecond, openCalls } });
  assertEquals(reasons(6_000, 15), []);
  assertEquals(reasons(5_000, 12), [
    "upstream-limit: the upstream had 4000 calls per second, expected at most 70.0 % of the 5000 " +
    "up to which it is in time by itself: it may have been what was measured",
    "upstream-limit: the upstream had 10 calls in progress at one time, expected at most 70.0 % of " +
    "the 12 up to which it is in time by itself: it may have been what was measured",
  ]);
});
