import { assertEquals, assertStringIncludes } from "@std/assert";
import { frameOf, type LevelFacts } from "./bottleneck.ts";
import type { Role } from "./resources_schema.ts";
import type { Frame } from "./protocols_schema.ts";

const durationSeconds = 10;

/** Mean numbers of processors, of two; what the made-up level has of them all. */
interface MadeUp {
  subject?: number;
  database?: number;
  upstream?: number;
  generator?: number;
  idle?: number;
  steal?: number;
  threads?: Partial<Record<"subject" | "database" | "upstream" | "generator", number>>;
  /** The share of the time for which the subject's busiest thread waited for a processor. */
  waiting?: number;
  running?: number;
  peak?: number;
  connections?: number;
  poolMax?: number;
  goodput?: number;
  harness?: number;
  /** Lower end of the interval of the null server's thousand. */
  low?: number;
  isDatabaseVisible?: boolean;
  /** Whether the scenario has one. */
  hasDatabase?: boolean;
}

/** A level with ten requests per second at a ceiling of a thousand, nothing in use, unless told. */
function level(made: MadeUp): LevelFacts {
  const role = (processors = 0, busiestThread = 0): Role => ({
    cpuSeconds: processors * durationSeconds,
    busiestThreadCpuSeconds: busiestThread * durationSeconds,
    peakMemoryBytes: 1,
    peakThreads: 1,
    contextSwitches: 1,
  });
  const { subject = 0, database = 0, upstream = 0, generator = 0, steal = 0, threads = {} } = made;
  return {
    connections: made.connections ?? 50,
    poolMax: made.poolMax ?? 16,
    goodputPerSecond: made.goodput ?? 10,
    ceiling: { goodputPerSecond: 1_000, lowPerSecond: made.low ?? 1_000 },
    observation: {
      durationSeconds,
      queries: made.hasDatabase === false ? undefined : {
        perRequest: 1,
        expectedPerRequest: 1,
        executesPerRequest: 1,
        prepares: 0,
        pingsPerRequest: 0,
        ...(made.running === undefined ? {} : { meanRunning: made.running }),
        ...(made.peak === undefined ? {} : { peakConnections: made.peak }),
      },
      resources: {
        source: "proc",
        memorySource: "pss",
        subject: {
          ...role(subject, threads.subject),
          busiestThreadWaitSeconds: (made.waiting ?? 0) * durationSeconds,
        },
        ...(made.isDatabaseVisible === false || made.hasDatabase === false
          ? {}
          : { database: role(database, threads.database) }),
        upstream: made.upstream === undefined ? undefined : role(upstream, threads.upstream),
        generator: role(generator, threads.generator),
        harness: role(made.harness),
        machine: {
          capacityCpuSeconds: 2 * durationSeconds,
          idleCpuSeconds: durationSeconds *
            (made.idle ?? 2 - steal - subject - database - upstream - generator),
          stealCpuSeconds: steal * durationSeconds,
          swappedBytes: 0,
        },
      },
    },
  };
}

Deno.test("frameOf() finds", async (t) => {
  const cases: [title: string, made: MadeUp, bottleneck: Frame["bottleneck"], says: string][] = [
    [
      "the generator from 70 % of its ceiling",
      { goodput: 700 },
      "generator",
      "70 % of the null server's",
    ],
    [
      "the generator where the interval of its ceiling does not tell",
      { goodput: 690, low: 950 },
      "generator",
      "69 % of the null server's, or up to 73 % by its interval, 70 % or more",
    ],
    [
      "the generator's share before everything else",
      { goodput: 800, threads: { subject: 1 } },
      "generator",
      "80 % of the null server's",
    ],
    [
      "a subject with one busy thread, though processors are idle",
      { subject: 1, database: 0.3, threads: { subject: 0.93 } },
      "subject",
      "one thread of the implementation used 93 % of a processor",
    ],
    [
      "a subject with a thread that runs or waits for a processor, though processors are idle",
      { subject: 0.9, database: 0.5, generator: 0.3, threads: { subject: 0.8 }, waiting: 0.12 },
      "subject",
      "one thread of the implementation used 80 % of a processor, and was ready and waiting for one 12 % of the time",
    ],
    [
      "nothing where such a thread is idle for longer",
      { subject: 0.9, database: 0.5, generator: 0.3, threads: { subject: 0.8 }, waiting: 0.09 },
      "undecided",
      "no part stands out",
    ],
    [
      "nothing where threads wait because all processors are busy",
      { subject: 0.9, database: 0.8, generator: 0.3, threads: { subject: 0.8 }, waiting: 0.2 },
      "undecided",
      "no part clearly used the most",
    ],
    [
      "a generator with one busy thread",
      { generator: 0.95, threads: { subject: 0.5, generator: 0.91 } },
      "generator",
      "one thread of the load generator used 91 % of a processor",
    ],
    [
      "an upstream with its thread busy",
      { upstream: 0.92, subject: 0.8, threads: { upstream: 0.92 }, hasDatabase: false },
      "upstream",
      "one thread of the upstream used 92 % of a processor",
    ],
    [
      "the subject before its upstream, where both are busy",
      { upstream: 0.5, subject: 1.3, generator: 0.15, hasDatabase: false },
      "subject",
      "1.30 of them with the implementation, 0.50 with the upstream, 0.15 with the load generator, 0.00 with the harness",
    ],
    [
      "the subject, which clearly uses the most of a busy machine",
      { subject: 1.4, database: 0.3, generator: 0.15 },
      "subject",
      "93 % busy: 1.40 of them with the implementation, 0.30 with the database, 0.15 with the load generator, 0.00 with the harness, 0.00 with others",
    ],
    [
      "nothing where others use almost as much of a busy machine as the subject",
      { subject: 0.8, database: 0.3, idle: 0.1 },
      "undecided",
      "0.80 with others: no part clearly used the most",
    ],
    [
      "the subject where it uses a quarter more than any other",
      { subject: 1, database: 0.78, generator: 0.2 },
      "subject",
      "1.00 of them with the implementation",
    ],
    [
      "nothing where it uses a fifth more",
      { subject: 0.96, database: 0.8, generator: 0.2 },
      "undecided",
      "no part clearly used the most",
    ],
    [
      "a pool of which half is at work",
      { subject: 0.1, peak: 16, running: 8.1 },
      "pool",
      "8.1 of 50",
    ],
    [
      "no pool of which less is",
      { subject: 0.1, peak: 16, running: 7.9 },
      "undecided",
      "no part stands out",
    ],
    ["the database likewise", { subject: 0.5, database: 1.2, generator: 0.2 }, "database", "1.20"],
    [
      "the generator likewise",
      { subject: 0.5, database: 0.3, generator: 1.1 },
      "generator",
      "1.10",
    ],
    [
      "nothing where two use almost as much of a busy machine",
      { subject: 0.8, database: 0.76, generator: 0.3 },
      "undecided",
      "no part clearly used the most",
    ],
    [
      "a busy machine in what the hypervisor has left",
      { subject: 1, database: 0.2, generator: 0.2, steal: 0.5 },
      "subject",
      "93 % busy",
    ],
    [
      "the subject, whatever a database used that is not visible",
      { subject: 1.4, generator: 0.1, idle: 0.1, isDatabaseVisible: false },
      "subject",
      "at most 0.40 with the database",
    ],
    [
      "the subject of a scenario without a database, and says nothing of one",
      { subject: 1.4, generator: 0.3, harness: 0.06, idle: 0.1, hasDatabase: false },
      "subject",
      "1.40 of them with the implementation, 0.30 with the load generator, 0.06 with the harness, 0.14 with others",
    ],
    [
      "nothing where others use as much as such a subject",
      { subject: 0.9, generator: 0.1, idle: 0.1, hasDatabase: false },
      "undecided",
      "0.90 with others",
    ],
    [
      "nothing where a database that is not visible may have used the most",
      { subject: 0.5, generator: 0.1, idle: 0.1, isDatabaseVisible: false },
      "undecided",
      "at most 1.30 with the database",
    ],
    [
      "a pool of one on processors that are idle",
      { subject: 0.5, database: 0.3, peak: 1, poolMax: 1 },
      "pool",
      "were in progress over 1 database connections",
    ],
    [
      "a pool whose connections all wait inside the database",
      { subject: 0.1, database: 0.1, peak: 16, running: 15.4 },
      "pool",
      "15.4 of 50 concurrent requests were in progress",
    ],
    [
      "nothing in a pool that was full for a moment only",
      { subject: 0.7, database: 0.6, peak: 16, running: 1.5 },
      "undecided",
      "no part stands out",
    ],
    [
      "no pool where there is a connection for each request",
      { subject: 0.1, peak: 10, running: 9, connections: 10 },
      "database",
      "9.0 statements of 10 concurrent requests",
    ],
    [
      "a database with one busy thread",
      { subject: 0.3, database: 0.97, threads: { database: 0.95 } },
      "database",
      "one thread of the database used 95 %",
    ],
    ["nothing on an idle machine", { subject: 0.2 }, "undecided", "10 % busy"],
  ];
  for (const [title, made, bottleneck, says] of cases) {
    await t.step(title, () => {
      const frame = frameOf(level(made));
      assertEquals(frame.bottleneck, bottleneck, frame.because);
      assertStringIncludes(frame.because, says);
      assertEquals(frame.shareOfCeiling, (made.goodput ?? 10) / 1_000);
      assertEquals(frame.isGeneratorBound, (made.goodput ?? 10) >= 0.7 * (made.low ?? 1_000));
    });
  }
  await t.step("nothing where the system does not tell of processors", () => {
    const { observation: { resources: _, ...observation }, ...rest } = level({});
    assertEquals(frameOf({ ...rest, observation }), {
      shareOfCeiling: 0.01,
      isGeneratorBound: false,
      bottleneck: "undecided",
      because: "the system does not report who used the processors",
    });
  });
});
