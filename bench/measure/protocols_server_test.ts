import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { redTeamImpl } from "../testing/red_team.ts";
import { compare } from "./compare.ts";
import { conclude } from "./conclude.ts";
import { makePlan } from "../results/plan.ts";
import { comparisonPlans } from "../results/profiles.ts";
import type { ComparedRound } from "../results/comparison_schema.ts";
import {
  addComparison,
  addFrame,
  addRateSweep,
  addStartup,
  ensureHelpers,
  measureCeilingAt,
  type ProtocolSession,
} from "./protocols.ts";
import { ownReasons } from "../results/outcome.ts";
import { RunBroken } from "../lib/error.ts";
import { silent } from "../lib/report.ts";
import { withoutMachine } from "../testing/of_machine.ts";
import { beginResult } from "./begin_result.ts";
import { resultSchema } from "../results/result_schema.ts";
import { openGround } from "./ground.ts";
import { measureLevel } from "./levels.ts";
import type { Contestant } from "./session.ts";
import { loadScenario } from "../scenario/list.ts";
import { defaultScenarioId } from "../scenario/ids.ts";
import { findToolchain, noToolchain } from "../impl/toolchains.ts";
import { controlImpl } from "../native/native.ts";
import { ensureOha } from "../tools/tools.ts";
import { exampleFacts } from "../testing/load_session.ts";

const { signal } = new AbortController();

Deno.test("the protocols beside levels", async (t) => {
  const folder = await Deno.makeTempDir();
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const facts = await exampleFacts(defaultScenarioId, {
    ...makePlan("smoke", { levels: [10] }, 7),
    ceiling: { loadSeconds: 0.2, mostLoads: 5 },
    comparison: { ...comparisonPlans.smoke, budgetSeconds: 0, levels: [10], loads: 2 },
    rateSweep: {
      ratesPerSecond: [200, 400],
      stepRatio: 1.5,
      processes: 2,
      connections: 20,
      secondsPerStep: 1,
      warmUpRequests: 500,
      goal: { p99Seconds: 1, failureShare: 0.1 },
    },
    startupRuns: 2,
  });
  const shared = { facts, report: silent, signal, folder };
  const oha = await ensureOha(shared);
  const helpers = await ensureHelpers(shared);
  const scenario = await loadScenario(defaultScenarioId);
  await using ground = await openGround({ ...shared, ...facts.plan, scenario, impls: [] });
  // The tests beside this one are no reason to measure again.
  const repeats = { mostRepeats: 0, requestLines: 20_000 };
  const session: ProtocolSession = { ...ground, facts, oha, helpers, ...repeats };
  const impl = await redTeamImpl("honest");
  const toolchain = await findToolchain(impl);
  const result = await beginResult(impl, toolchain, new Map(), facts);
  const contestant: Contestant = { impl, toolchain, result };

  await t.step("a level has the null server's goodput above it, and what bounds it", async () => {
    const level = await measureLevel(contestant, 10, session);
    addFrame(result, level, (await measureCeilingAt(10, session))!);
    result.levels.push(level);
    const [ceiling] = result.ceilings!;
    assertEquals(ceiling!.connections, 10);
    const { figures } = level.repetitions.at(-1)!;
    // The machine may have disturbed the level, which then has none.
    assertEquals(ownReasons(level), []);
    assertEquals(
      level.frame?.shareOfCeiling,
      figures && figures.goodputPerSecond / ceiling!.goodputPerSecond,
    );
  });

  await t.step("the comparison has a ratio to the control from each round", async () => {
    await addComparison(contestant, session);
    assertEquals(result.control, { version: helpers.native.controlVersion });
    const [level] = result.comparison!.levels;
    assertEquals(withoutMachine(level!.problem ?? ""), "");
    if (level!.problem === undefined) {
      assertEquals([level!.rounds.length, level!.goodput?.rounds], [3, 3]);
    }
    for (const { order, subject, reference } of level!.rounds) {
      assertEquals(order.replaceAll(" ", "").length, 2 * 2 * facts.plan.comparison!.slices);
      const beginners = order.split(" ").map((load) => load[0]);
      assertEquals(beginners.toSorted(), ["r", "s"], "one side begins both loads of a round");
      assert(subject.correct > 0 && reference.correct > 0);
      assertEquals([subject.failed, reference.failed], [0, 0]);
    }
  });

  await t.step("a comparison whose processes were not warm is measured again, whole", async () => {
    const { comparison, ...rest } = result;
    const notWarm = "the ratio changes by -9.0 %";
    const levels = comparison!.levels.map(({ problem: _, ...level }) => level);
    const cold = { levels: levels.map((level) => ({ ...level, problem: notWarm })), notWarm };
    const seeds: number[] = [];
    const measure: typeof compare = (_, { seed }) =>
      Promise.resolve(seeds.push(seed) === 1 ? cold : { levels });
    const lines: string[] = [];
    const report = { ...silent, line: (line: string) => lines.push(line) };
    const other: Contestant = { impl, toolchain, result: rest };
    await addComparison(other, { ...session, report, mostRepeats: 1 }, measure);
    const { plan } = comparison!;
    assertEquals(other.result.comparison, { plan, levels, repeatedBecause: notWarm });
    assertEquals(seeds, [facts.plan.seed, facts.plan.seed + 1]);
    assertEquals(lines, [`honest against the control, once more: ${notWarm}`]);
  });

  await t.step("a process that becomes slower from load to load was not warm", async () => {
    const slowing = { impl: await redTeamImpl("slows-down"), toolchain };
    const plan = { ...result.comparison!.plan, minRounds: 5, warmUpRequests: 50 };
    const sides = {
      subject: slowing,
      reference: { impl: controlImpl(helpers.native), toolchain: noToolchain },
    };
    const { poolMax } = session;
    // With something else to measure, a comparison does not end early.
    const options = { plan, session, title: "slowing", afterLoads: () => Promise.resolve() };
    let rounds: ComparedRound[] = [];
    let notWarm: string | undefined;
    // What others do on this machine widens the interval: more rounds narrow it.
    for (let seed = 1; seed <= 6 && notWarm === undefined; seed++) {
      const { levels: [more] } = await compare(sides, { ...options, seed });
      rounds.push(...more!.rounds.map(({ disturbed: _, ...round }) => round));
      const { levels, ...concluded } = conclude(new Map([[10, rounds]]), { plan, poolMax });
      notWarm = concluded.notWarm;
      // Something else that others caused would hide it in all that follows.
      if (notWarm === undefined && levels[0]!.problem !== undefined) rounds = [];
    }
    assertMatch(notWarm ?? "", /^the ratio changes by -\d+\.\d % /);
  });

  await t.step("the rate sweep has the null server's floor, which is measured once", async () => {
    await addRateSweep(contestant, session);
    const { processes } = result.rateSweep!;
    assertEquals(processes.length, 2);
    for (const { steps } of processes) {
      assertEquals(steps.slice(0, 1).map(({ ratePerSecond }) => ratePerSecond), [200]);
      assert(steps.every(({ cpuSecondsPerAnswer }) => cpuSecondsPerAnswer! > 0));
    }
    assertEquals(result.rateSweep!.floor.map(({ ratePerSecond }) => ratePerSecond), [200, 400]);
    assertEquals(session.floor, result.rateSweep!.floor);
  });

  await t.step("a server that ends in the sweep has no second one, and says why", async () => {
    const { rateSweep: _, ...rest } = result;
    const rateSweep = { ...facts.plan.rateSweep!, warmUpRequests: 2_000 };
    const again = { ...session, facts: { ...facts, plan: { ...facts.plan, rateSweep } } };
    const other: Contestant = {
      impl: await redTeamImpl("exit-under-load"),
      toolchain,
      result: rest,
    };
    await addRateSweep(other, { ...again, mostRepeats: 1 });
    const { processes, sustainablePerSecond } = other.result.rateSweep!;
    const problem = "the process ended with exit code 1 while the load ran, expected it to live";
    assertEquals(processes, [{ steps: [], problem }, { steps: [], problem }]);
    assertEquals(sustainablePerSecond, undefined);
  });

  await t.step("a control that does not start is no failure of the implementation", async () => {
    const { comparison: _, ...rest } = result;
    const native = { ...helpers.native, control: "/bin/false" };
    const broken = { ...session, helpers: { ...helpers, native } };
    await assertRejects(
      () => addComparison({ ...contestant, result: rest }, broken),
      RunBroken,
      'Cannot start "control"',
    );
  });

  await t.step("startup has each run of both sides", async () => {
    await addStartup(contestant, session);
    const [first, second, ...others] = result.startup!.blocks;
    assertEquals([first!.subject.seconds.length, second!.control.seconds.length], [1, 1]);
    assertEquals([others, result.startup!.ratio], [[], undefined]);
  });

  await t.step("what is there already is not measured again", async () => {
    const { comparison, rateSweep, startup } = result;
    await addComparison(contestant, session);
    await addRateSweep(contestant, session);
    await addStartup(contestant, session);
    assert(result.comparison === comparison && result.rateSweep === rateSweep);
    assert(result.startup === startup);
  });

  await t.step("the result is what the schema says", () => {
    result.status = "complete";
    result.endedAt = new Date().toISOString();
    resultSchema.parse(result);
  });
});
