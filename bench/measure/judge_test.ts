import { assertAlmostEquals, assertEquals } from "@std/assert";
import { sum } from "../lib/sum.ts";
import type { LoadFacts } from "../results/load_schema.ts";
import type { Observation } from "../results/result_schema.ts";
import { exampleObservation, latencyOfEqual } from "../testing/example_result.ts";
import { exampleContext as context, reasonsFor } from "../testing/reasons_for.ts";
import { judge, judgeLoad } from "./judge.ts";
import { factsOf } from "./load.ts";

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
  const failed = sum(Object.values(failures));
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
    `latency-gap: mean latency was ${mean} ms, expected 2.00 ms of 10 connections with 5,000 ` +
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

Deno.test("judge() allows a load of few requests for each connection to await its last answers", () => {
  // 300 connections, 10 requests each, for 20 s: by Little's law each took 2 s.
  const isValid = (microseconds: number) => {
    const observation = observationOf({ microseconds, requests: 3_000 });
    return judge(observation, { ...context, connections: 300, requests: 3_000 }).validity.valid;
  };
  assertEquals([isValid(1_790_000), isValid(1_810_000)], [false, true]);
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
        "no answer came in 1.25 s of 20.0 s, for 0.50 s at a stretch, expected at most 1.0 % of the load or 1 s, whichever is longer",
    }],
  });
  // In a longer load, the share allows more than the second.
  const long = observationOf({ microseconds: 2_000, requests: 1_000_000, durationSeconds: 200 });
  const isValidWith = (count: number) => {
    long.series.correct.fill(1, 0, 20).fill(0, 0, count);
    return judge(long, { ...context, requests: 1_000_000 }).validity.valid;
  };
  assertEquals([8, 9].map(isValidWith), [true, false]);
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
    "failures: 11 of 10,000 requests failed (status-500: 11), expected at most 0.1 %",
  ]);
});

Deno.test("judge() rejects a load that attempted less than was asked", () => {
  assertEquals(
    reasonsFor((observation) => {
      observation.attempted = observation.correct = 9_999;
    }),
    ["unattempted: 9,999 requests were attempted, expected 10,000"],
  );
});

Deno.test("judge() rejects silent reconnects", () => {
  assertEquals(reasonsFor((observation) => observation.reconnects = 10), []);
  assertEquals(reasonsFor((observation) => observation.reconnects = 11), [
    "reconnects: 11 connections were opened beyond the level's 10, expected at most 0.1 % of 10,000 requests",
  ]);
});

Deno.test("judge() does not count reconnects where the system does not tell", () => {
  assertEquals(reasonsFor((observation) => delete observation.reconnects), []);
});

Deno.test("judge() rejects a subject that logs its requests", () => {
  assertEquals(reasonsFor(({ log }) => log.lines = 10_000), [
    "request-log: 10,000 lines were logged for 10,000 requests, expected no line per request",
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
  const said = "1 of 10,000 answers were wrong (stale-record), expected none; the first: " +
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

Deno.test("judge() rejects a load beside which the scheduling of a process was changed", () => {
  const changed = ["the load generator had nice value 10, expected 0"];
  assertEquals(
    reasonsFor((observation) => observation.schedulingChanges = changed),
    [`scheduling: ${changed[0]}`],
  );
});

Deno.test("judge() rejects a subject that breaks the contract after the load", () => {
  const verificationFailures = ['Cannot verify "no token": status is 200, expected 401'];
  assertEquals(reasonsFor(() => {}, { verificationFailures }), [
    'verification: Cannot verify "no token": status is 200, expected 401',
  ]);
});

Deno.test("judge() rejects a load while which rows were locked, and one after such a warm-up", () => {
  const said = (changes: string, when = "under load") =>
    `row-locks: ${when}, ${changes} waited for a lock of the server's, expected none: it locks ` +
    "what it only reads";
  const reasons = (rowLocks?: number) => reasonsFor((load) => load.rowLocks = rowLocks);
  assertEquals(reasons(), []);
  assertEquals(reasons(1), [said("1 change of a row")]);
  assertEquals(reasons(1_200), [said("1,200 changes of rows")]);
  const warmUp = { ...exampleObservation(), rowLocks: 2 };
  assertEquals(reasonsFor(() => {}, { warmUp }), [
    said("2 changes of rows", "while it was warmed up"),
  ]);
});

Deno.test("judge() rejects a load in which no row changed for long", () => {
  const reasons = (seconds?: number) => reasonsFor((load) => load.rowsStillSeconds = seconds);
  assertEquals([undefined, 0.4, 3].flatMap(reasons), []);
  assertEquals(reasons(3.21), [
    "row-locks: under load, no row changed for 3.2 s, expected at most 3 s: a cached row cannot become stale meanwhile",
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

Deno.test("judgeLoad() goes by the share of a long load, and the allowance of a short one", () => {
  const without = (count: number, attempted: number) => 0.99 - (count - 0.5) / attempted;
  const cases: [
    code: string,
    long: number,
    short: number,
    set: (load: LoadFacts, n: number) => void,
  ][] = [
    ["reconnects", 500, 10, (load, n) => load.reconnects = n],
    ["reconnects", 505, 15, (load, n) => {
      load.reconnects = n;
      load.failures = { timeout: 5 };
    }],
    ["request-log", 5_000, 10, (load, n) => load.log = { lines: n }],
    ["upstream-calls", 500, 10, (load, n) => {
      const received = load.attempted - n;
      load.calls = { received, answered: 0, connectionsOpened: 0, peakConnections: 1, peakOpen: 1 };
    }],
    ["no-prepared-statements", 5_000, 64, (load, n) => load.queries!.prepares = n],
    [
      "no-prepared-statements",
      500,
      64,
      (load, n) => load.queries!.executesPerRequest = without(n, load.attempted),
    ],
    ["query-count", 500, 64, (load, n) => load.queries!.perRequest = without(n, load.attempted)],
    ["query-count", 500, 64, (load, n) =>
      Object.assign(load.queries!, {
        aroundPerRequest: 0,
        rowsReadPerRequest: without(n, load.attempted),
      })],
  ];
  for (const [code, long, short, set] of cases) {
    for (const [attempted, most] of [[500_000, long], [100, short]] as const) {
      const isFound = [most, most + 1].map((n) => {
        const load = { ...factsOf(exampleObservation()), attempted, correct: attempted };
        set(load, n);
        return judgeLoad(load, context).some((reason) => reason.code === code);
      });
      assertEquals(isFound, [false, true], `${code} of ${attempted}`);
    }
  }
});
