import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { join } from "@std/path";
import { writeTokens } from "../../tokens.gen.ts";
import { type LadderOptions, measureFloor, measureLadder } from "./fixed_rates.ts";
import { LoadBroken } from "./observe_load.ts";
import { nullServerImpl } from "../native/native.ts";
import { startProcess } from "../lib/process.ts";
import { silent } from "../lib/report.ts";
import { type Ground, prepareGround } from "../testing/ground.ts";
import { ladderSchema } from "../results/protocols_schema.ts";
import { startSubject } from "../impl/start.ts";
import { ensureNative, ensureOha } from "../tools/tools.ts";
import { noToolchain } from "../impl/toolchains.ts";

const goal = { p99Seconds: 0.05, failureShare: 0.001 };

Deno.test("measureLadder()", async (t) => {
  await using ground = await prepareGround();
  const options = await prepareOptions(ground);

  await t.step("shows a freeze of 1 s in 20, which latency from sending hides", async () => {
    await using subject = await ground.start("freezes-briefly");
    const plan = {
      ratesPerSecond: [400],
      connections: 20,
      secondsPerRung: 22,
      preWarmRequests: 0,
      goal,
    };
    const { rungs: [rung], capacityPerSecond } = await measureLadder(subject, { ...options, plan });
    const { due, attempted, unsent, problem, latencySeconds, uncorrectedSeconds } = rung!;
    // A machine that others keep busy is no fault of the server, and hides nothing of a freeze.
    if (rung!.repeatedBecause === undefined) assertEquals(problem, undefined);
    // Of 8,800 requests, 400 became due while the server stood still: evenly late by up to 1 s.
    assert(latencySeconds!.p99 > 0.5, `p99 is ${latencySeconds!.p99} s`);
    // Only one on each connection, 20 in all, was under way: less than one in a hundred.
    assert(uncorrectedSeconds!.p99 < latencySeconds!.p99 / 2, `it is ${uncorrectedSeconds!.p99} s`);
    assert(uncorrectedSeconds!.max > 0.5, `the longest is ${uncorrectedSeconds!.max} s`);
    assertEquals([due, attempted + unsent], [8_800, 8_800]);
    assertEquals([rung!.holds, capacityPerSecond], [false, undefined]);
  });
  await t.step("stops after two rates in a row that are too much", async () => {
    await using subject = await ground.start("honest");
    const progress = new Set<string>();
    const plan = {
      ratesPerSecond: [400_000, 100, 200_000, 300_000],
      connections: 20,
      secondsPerRung: 2,
      preWarmRequests: 0,
      goal,
    };
    const ladder = await measureLadder(subject, {
      ...options,
      plan,
      report: { ...silent, progress: (label) => void progress.add(label) },
    });
    ladderSchema.omit({ floor: true }).parse(ladder);
    assertEquals(ladder.rungs.map(({ ratePerSecond }) => ratePerSecond), [100, 200_000, 300_000]);
    assertEquals(ladder.rungs.map(({ due }) => due), [200, 400_000, 600_000]);
    for (const { due, attempted, unsent, correct, failures } of ladder.rungs) {
      assertEquals(attempted + unsent, due);
      assertEquals({ correct, failures }, { correct: attempted, failures: {} });
    }
    assertEquals(ladder.rungs.slice(1).map((rung) => rung.holds), [false, false]);
    assertEquals([...progress], [
      "honest at 100 requests per second (step 1 of at most 4)",
      "honest at 200000 requests per second (step 2 of at most 4)",
      "honest at 300000 requests per second (step 3 of at most 4)",
    ]);
  });
  await t.step("invalidates a rate at which the side client got a wrong answer", async () => {
    await using subject = await ground.start("wrong-bytes");
    const plan = {
      ratesPerSecond: [100],
      connections: 20,
      secondsPerRung: 1,
      preWarmRequests: 0,
      goal,
    };
    const { rungs: [rung] } = await measureLadder(subject, { ...options, plan });
    assertEquals(rung!.holds, false);
    assert(rung!.problem!.startsWith('Cannot verify "'), rung!.problem);
  });
  await t.step("fails when the process ends", async () => {
    await using subject = await ground.start("exit-under-load");
    const plan = {
      ratesPerSecond: [1_000],
      connections: 20,
      secondsPerRung: 60,
      preWarmRequests: 0,
      goal,
    };
    await assertRejects(
      () => measureLadder(subject, { ...options, plan }),
      LoadBroken,
      "the process ended with exit code 1 at 1000 requests per second, expected it to live",
    );
  });
  await t.step("ends at once when its signal aborts", async () => {
    await using subject = await ground.start("honest");
    const controller = new AbortController();
    const plan = {
      ratesPerSecond: [100],
      connections: 20,
      secondsPerRung: 600,
      preWarmRequests: 0,
      goal,
    };
    setTimeout(() => controller.abort(new Error("enough")), 500);
    const { signal } = controller;
    await assertRejects(
      () => measureLadder(subject, { ...options, load: { ...options.load, signal }, plan }),
      Error,
      "enough",
    );
  });
  await t.step("repeats a step with background load, and says so", async () => {
    await using subject = await ground.start("honest");
    await using _busy = startProcess(["sh", "-c", "while :; do :; done"], { logPath: "/dev/null" });
    const plan = {
      ratesPerSecond: [100],
      connections: 20,
      secondsPerRung: 2,
      preWarmRequests: 0,
      goal,
    };
    const { pid: databasePid } = ground.database;
    const lines: string[] = [];
    const { rungs: [rung], capacityPerSecond } = await measureLadder(subject, {
      ...options,
      report: { ...silent, line: (text) => void lines.push(text) },
      plan,
      ...(databasePid === undefined ? {} : { databasePid }),
    });
    const expected =
      /^processes without a role used \d+\.\d % of the machine, expected at most 5 %$/;
    assertMatch(rung!.problem!, expected);
    assertMatch(rung!.repeatedBecause!, expected);
    assertEquals(lines, [
      `honest at 100 requests per second, once more: ${rung!.repeatedBecause}`,
    ]);
    assertEquals([rung!.holds, capacityPerSecond], [false, undefined]);
  });
  await t.step("has a floor: the null server at the same rates", async () => {
    const { load: { signal } } = options;
    await using nullServer = await startSubject(
      nullServerImpl(await ensureNative({ report: silent, signal })),
      {
        toolchain: noToolchain,
        surroundings: ground,
        folder: options.load.folder,
        signal,
      },
    );
    const plan = {
      ratesPerSecond: [100, 500],
      connections: 20,
      secondsPerRung: 1,
      preWarmRequests: 0,
      goal,
    };
    const floor = await measureFloor(nullServer, { ...options, plan });
    assertEquals(floor.map(({ ratePerSecond }) => ratePerSecond), [100, 500]);
  });
  await Deno.remove(options.load.folder, { recursive: true });
});

async function prepareOptions(
  { database, secret, scenario, options: { signal } }: Ground,
): Promise<Omit<LadderOptions, "plan">> {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  const { path: ohaPath } = await ensureOha({ report: silent, signal });
  const headerLinesPath = join(folder, "tokens.txt");
  await using connection = await database.connect();
  await writeTokens(connection, {
    secret,
    output: headerLinesPath,
    expiresInSeconds: 3600,
    signal,
  });
  return {
    load: { ohaPath, headerLinesPath, requestTimeoutSeconds: 10, folder, signal },
    scenario,
    report: silent,
    title: "honest",
  };
}
