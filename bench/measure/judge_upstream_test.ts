import { assertEquals } from "@std/assert";
import type { Observation } from "../results/result_schema.ts";
import { reasonsFor } from "../testing/reasons_for.ts";

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
    "upstream-calls: the upstream received 9,989 calls for 10,000 requests, expected one for each " +
    "(within 10): answers came from a cache, were shared by requests that were joined, or were made up",
  ]);
  assertEquals(reasons({ received: 10_011 }), [
    "upstream-calls: the upstream received 10,011 calls for 10,000 requests, expected one for each " +
    "(within 10): calls were repeated",
  ]);
  // Nobody knows whether the call of a request was made that failed.
  assertEquals(reasons({ received: 9_981 }, { "status-502": 9 }), []);
  assertEquals(reasons({ connectionsOpened: 5_010 }), []);
  assertEquals(reasons({ connectionsOpened: 5_011 }), [
    "upstream-connections: 5,011 connections to the upstream were opened for 10,000 requests, " +
    "expected at most 5,010: they were not kept alive",
  ]);
  const told = (often: string) => [
    `upstream-faults: the upstream was told ${often} to answer wrongly while the load ran, expected ` +
    "never: something other than the harness did it",
  ];
  assertEquals(reasons({ faults: 1 }), told("once"));
  assertEquals(reasons({ faults: 1_000 }), told("1,000 times"));
});

Deno.test("judge() rejects a load that comes near what the upstream can do", () => {
  const reasons = (callsPerSecond: number, lateSeconds?: number) =>
    reasonsFor((observation) => {
      const { attempted } = observation;
      const open = { peakConnections: 10, peakOpen: 10, connectionsOpened: 10 };
      observation.calls = { received: attempted, answered: attempted, ...open, lateSeconds };
    }, { upstreamLimit: { callsPerSecond } });
  assertEquals(reasons(6_000), []);
  assertEquals(reasons(6_000, 50), []);
  assertEquals(reasons(5_000), [
    "upstream-limit: the upstream had 4,000 calls per second, expected at most 70.0 % of the 5,000 " +
    "that it can answer by itself: the load may have measured the upstream",
  ]);
  assertEquals(reasons(6_000, 51), [
    "upstream-limit: the upstream answered 5.10 ms late on average, expected at most 5.00 ms: " +
    "the load may have measured the upstream",
  ]);
});
