import { assertEquals } from "@std/assert";
import { exampleRun } from "../../testing/example_run.ts";
import { showRun } from "./page.ts";
import { loadGroups, loadsFinding, loadsOf, type ShownLoad } from "./loads.ts";

const [example] = loadsOf(exampleRun("20260105T000000Z-0000005")[0]!, 0);

function load(name: string, connections: number, goodputPerSecond?: number): ShownLoad {
  const figures = goodputPerSecond === undefined
    ? undefined
    : { ...example!.figures!, goodputPerSecond };
  return { ...example!, id: name, name, connections, figures };
}

Deno.test("loadsFinding() names one as first only where it leads everywhere", () => {
  const named = (name: string) => (connections: number, perSecond: number) =>
    load(name, connections, perSecond);
  const [a, b, c] = [named("A"), named("B"), named("C")];
  assertEquals(
    loadsFinding([a(10, 30), b(10, 20), a(50, 30), b(50, 10)]),
    "A reached 1.5 to 3.0 times the cold goodput of B",
  );
  assertEquals(
    loadsFinding([a(10, 30), b(10, 20), a(50, 30), c(50, 10)]),
    "A had the highest cold goodput wherever two or more were measured",
  );
  assertEquals(
    loadsFinding([a(10, 30), b(10, 20), a(50, 10), b(50, 30)]),
    "No implementation had the highest cold goodput at every level",
  );
  assertEquals(
    loadsFinding([a(10, 1_000)]),
    "A reached 1,000 correct answers per second at 10 connections, cold",
  );
  assertEquals(
    loadsFinding([a(10, 1_000), a(300, 900)]),
    "A reached 900 to 1,000 correct answers per second at 10 to 300 connections, cold",
  );
  assertEquals(loadsFinding([load("A", 10)]), "No level was valid");
  const bound = (it: ShownLoad) => ({ ...it, isGeneratorBound: true });
  assertEquals(
    loadsFinding([bound(a(10, 30)), b(10, 20)]),
    "A reached at least 1.5 times the cold goodput of B",
  );
  assertEquals(
    loadsFinding([bound(a(10, 1_000))]),
    "A reached at least 1,000 correct answers per second at 10 connections, cold",
  );
  assertEquals(
    loadsFinding([a(10, 30), bound(b(10, 20))]),
    "The load generator limited some cold loads, so which of them is highest is not known",
  );
});

Deno.test("loadGroups() orders by level, what is tuned apart, then by cold goodput, what is invalid last", () => {
  const tuned = { ...load("D", 10, 90), class: "tuned" as const };
  const groups = loadGroups([
    load("A", 50, 30),
    tuned,
    load("C", 10),
    load("A", 10, 20),
    load("B", 10, 40),
  ]);
  assertEquals(groups.map(({ label, loads }) => [label, ...loads.map(({ name }) => name)]), [
    ["10 connections", "B", "A", "C"],
    ["10 connections (tuned)", "D"],
    ["50 connections", "A"],
  ]);
});

Deno.test("loadGroups() puts rates of different machines in no order", () => {
  const groups = loadGroups([load("A", 10, 20), { ...load("B", 10, 40), machine: "Other CPU" }]);
  assertEquals(groups.map(({ label }) => label), [
    "10 connections, on Other CPU",
    "10 connections, on Example CPU, 2 processors",
  ]);
});

Deno.test("loadsOf() has the reasons in place of figures, and how requests failed", () => {
  const [result] = exampleRun("20260105T000000Z-0000005");
  const [level] = result!.levels;
  const { startedAt, observation } = level!.repetitions[0]!;
  const failing = {
    ...observation!,
    correct: 9_000,
    failures: { timeout: 900, "status 500": 100 },
  };
  const repetition = { ...level!.repetitions[0]!, observation: failing };
  const [failed] = loadsOf({ ...result!, levels: [{ ...level!, repetitions: [repetition] }] }, 0);
  assertEquals([failed!.failed, failed!.failures], [1_000, "900 timeout, 100 status 500"]);
  const reasons = [{ code: "swapping" as const, message: "the machine swapped" }];
  const invalid = { startedAt, validity: { valid: false as const, reasons } };
  const [load] = loadsOf({ ...result!, levels: [{ connections: 10, repetitions: [invalid] }] }, 0);
  assertEquals([load!.missing, load!.figures], ["the machine swapped", undefined]);
  assertEquals(loadsOf({ ...result!, levels: [] }, 0).map(({ missing }) => missing), [
    "not measured",
  ]);
});

Deno.test("loadsOf() has how many connections each request opened to the upstream, where there is one", () => {
  const [result] = structuredClone(exampleRun("20260105T000000Z-0000005"));
  const { observation } = result!.levels[0]!.repetitions[0]!;
  const { attempted } = observation!;
  const calls = { received: attempted, answered: attempted, peakConnections: 10, peakOpen: 10 };
  observation!.calls = { ...calls, connectionsOpened: attempted / 4 };
  assertEquals(
    loadsOf(result!, 1).flatMap((load) => load.upstreamConnectionsPerRequest ?? []),
    [0.25],
  );
  assertEquals(showRun([result!]).results[0]!.hasCalls, true);
});

Deno.test("loadsOf() says how long no answer came, and nothing where some always came", () => {
  const silences = exampleRun("20260105T000000Z-0000005")
    .map((result) => loadsOf(result, 0)[0]!.silence);
  assertEquals(silences, [
    undefined,
    undefined,
    "no answer came in 1 interval of 250 ms, for 0.25 s at a stretch",
    undefined,
  ]);
});

Deno.test("loadsOf() counts pings and resets among the round trips to the database", () => {
  const [result] = structuredClone(exampleRun("20260105T000000Z-0000005"));
  const { queries } = result!.levels[0]!.repetitions[0]!.observation!;
  Object.assign(queries!, { perRequest: 1, pingsPerRequest: 2 });
  const [load] = loadsOf(result!, 0);
  assertEquals(load!.roundTripsPerRequest, 3);
});
