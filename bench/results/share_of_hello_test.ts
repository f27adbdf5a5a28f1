import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import {
  exampleComparedLevel,
  exampleHelloRun,
  exampleRun,
  withSlowGenerator,
} from "../testing/example_run.ts";
import type { ComparedRound } from "./comparison_schema.ts";
import { warmGoodputAt } from "./goodput.ts";
import { missingOf, valueOf } from "./known.ts";
import type { Result } from "./result_schema.ts";
import { shareOfHello } from "./share_of_hello.ts";

const [job] = exampleRun("20260105T000000Z-0000005");

/** The run of `hello`, of about so many times the job's goodput, and no ceiling that it could reach. */
function helloOf(times: number): Result {
  const [example] = exampleHelloRun("20260104T000000Z-0000004");
  const { ceilings: _, ...hello } = example!;
  const levels = [exampleComparedLevel({ ratio: 1.02 * times, seed: 7, connections: 10 })];
  return { ...hello, comparison: { ...hello.comparison!, levels } };
}

Deno.test("shareOfHello() is the warm goodput of the job as a share, in an interval of both runs' rounds", () => {
  const hello = helloOf(4);
  const share = valueOf(shareOfHello(job!, hello, 10, []))!;
  const rate = (result: Result) => valueOf(warmGoodputAt(result, 10))!.estimate;
  assertAlmostEquals(share.estimate, rate(job!) / rate(hello), 0.01);
  assert(share.low < 0.25 && 0.25 < share.high, JSON.stringify(share));
  assertEquals(share.qualifier, undefined);
});

Deno.test("shareOfHello() covers the drift of rates, which the control shows beside others on the same machine", () => {
  const hello = helloOf(4);
  const alone = valueOf(shareOfHello(job!, hello, 10, [job!, hello]))!;
  assertEquals(alone.coversDrift, false);
  /** Another implementation of the job's run, beside which the control answers so many times as much. */
  const beside = (id: string, times: number): Result => {
    const levels = job!.comparison!.levels.map((level) => ({
      ...level,
      rounds: level.rounds.map((round) => ({
        ...round,
        reference: { ...round.reference, correct: Math.round(times * round.reference.correct) },
      })),
    }));
    return { ...job!, impl: { ...job!.impl, id }, comparison: { ...job!.comparison!, levels } };
  };
  const others = [beside("slow", 0.8), beside("fast", 1.2)];
  const { estimate, low, high, coversDrift } = valueOf(
    shareOfHello(job!, hello, 10, [job!, hello, ...others]),
  )!;
  assertEquals([estimate, coversDrift], [alone.estimate, true]);
  assert(low < 0.9 * alone.low && 1.1 * alone.high < high, `${low} to ${high}`);
  const elsewhere = others.map((it) => ({ ...it, machine: { ...it.machine, cpuCount: 4 } }));
  assertEquals(valueOf(shareOfHello(job!, hello, 10, [job!, hello, ...elsewhere])), alone);
});

Deno.test("shareOfHello() is unknown where the null server was more than 1.2 times as fast in one run", () => {
  const hello = helloOf(4);
  const [ceiling] = job!.ceilings!;
  const shareAt = (times: number, around: Result[] = []) => {
    const goodputPerSecond = times * ceiling!.goodputPerSecond;
    return shareOfHello(
      job!,
      { ...hello, ceilings: [{ ...ceiling!, goodputPerSecond }] },
      10,
      around,
    );
  };
  assertEquals([0.84, 1.19].map((times) => missingOf(shareAt(times))), [undefined, undefined]);
  assertEquals(
    [0.8, 1.21].map((times) => missingOf(shareAt(times))),
    [
      "the machine was faster when jwt-mysql was measured: the null server answered 1.25 times as many requests per second as with hello",
      "the machine was faster when hello was measured: the null server answered 1.21 times as many requests per second as with jwt-mysql",
    ],
  );
  // The median over a run: the speed drifts while it lasts.
  const others = [1, 1.1].map((times) => ({
    ...hello,
    ceilings: [{ ...ceiling!, goodputPerSecond: times * ceiling!.goodputPerSecond }],
  }));
  assertEquals(missingOf(shareAt(1.5, others)), undefined);
});

Deno.test("shareOfHello() leaves out rounds that the machine disturbed", () => {
  const hello = helloOf(4);
  const [level] = hello.comparison!.levels;
  const shareOver = (rounds: ComparedRound[]) =>
    shareOfHello(
      job!,
      {
        ...hello,
        comparison: { ...hello.comparison!, levels: [{ ...level!, rounds }] },
      },
      10,
      [],
    );
  const [first, ...others] = level!.rounds;
  const disturbed = { ...first!, disturbed: "other processes used the machine" };
  assertEquals(shareOver([disturbed, ...others]), shareOver(others));
});

Deno.test("shareOfHello() is at most what was measured where the load generator limited hello", () => {
  const bound = withSlowGenerator(helloOf(4));
  assertEquals(valueOf(shareOfHello(job!, bound, 10, []))!.qualifier, "at most");
  assertEquals(
    missingOf(shareOfHello(withSlowGenerator(job!), bound, 10, [])),
    "the load generator limited it in both scenarios",
  );
});

Deno.test("shareOfHello() says why there is none", () => {
  const hello = helloOf(4);
  assertEquals(
    missingOf(shareOfHello(job!, hello, 50, [])),
    "jwt-mysql: Swift was not compared at 50 connections",
  );
  const elsewhere = { ...hello, machine: { ...hello.machine, cpuCount: 4 } };
  assertEquals(
    missingOf(shareOfHello(job!, elsewhere, 10, [])),
    "hello was measured with Example CPU, 4 processors, jwt-mysql with Example CPU, 2 processors",
  );
  const framework = { name: "koa", version: "2.0.0" };
  assertEquals(
    missingOf(shareOfHello(job!, { ...hello, impl: { ...hello.impl, framework } }, 10, [])),
    "hello was measured with koa 2.0.0, jwt-mysql with koa 3.0.0",
  );
});
