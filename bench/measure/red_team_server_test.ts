/**
 * Every way to cheat must be found under load alone: verification, which catches most of them before and after, is left out.
 * All are loaded in levels; in comparisons and rate sweeps, whose loads begin and are judged as those of levels, some
 * for each reason, and those that do not cheat all the time, or not everybody.
 */
import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { type SideName, sideNames } from "../database/database.ts";
import type { Startable } from "../impl/start.ts";
import { findToolchain, noToolchain, type Toolchain } from "../impl/toolchains.ts";
import { lockedVersions } from "../impl/lock_files.ts";
import { controlImpl } from "../native/native.ts";
import { makePlan } from "../results/plan.ts";
import { lastRepetition } from "../results/outcome.ts";
import { prepareGround } from "../testing/ground.ts";
import { exampleFacts, loadSessionOf } from "../testing/load_session.ts";
import { isUntold, measureAgainWhile, withoutMachine } from "../testing/of_machine.ts";
import { redTeamImpl } from "../testing/red_team.ts";
import {
  alone,
  type Amount,
  everywhere,
  inComparisons,
  inLevels,
  mayPayInTime,
  much,
  untold,
} from "../testing/red_team_told.ts";
import { ensureNative } from "../tools/tools.ts";
import { beginResult } from "./begin_result.ts";
import { compare } from "./compare.ts";
import { openWorkload } from "./workload.ts";
import { sweepProcess } from "./fixed_rates.ts";
import { start } from "./ground.ts";
import { measureLevel } from "./levels.ts";
import type { Session } from "./session.ts";
import { warmUp } from "./warm_up.ts";

const connections = 20;
const goal = { p99Seconds: 10, failureShare: 1 };

type Bench = { session: Session; toolchain: Toolchain };

async function inLevel(
  id: string,
  { requests }: Amount,
  { session, toolchain }: Bench,
): Promise<string> {
  const impl = await redTeamImpl(id);
  const versions = await lockedVersions(impl, toolchain);
  const facts = { ...session.facts, plan: { ...session.facts.plan, requests } };
  const result = await beginResult(impl, toolchain, versions, facts);
  const contestant = { impl, toolchain, result };
  const level = await measureLevel(contestant, connections, { ...session, facts });
  const { validity } = lastRepetition(level);
  return validity.valid ? "" : validity.reasons.map(({ message }) => message).join("; ");
}

/** Returns what is said of each side of a comparison, and how the machine disturbed it. */
async function inComparison(
  sides: Record<SideName, Startable>,
  { warmUpRequests }: Amount,
  { session }: Bench,
  slices = 2,
): Promise<Record<SideName, string> & { disturbed?: string }> {
  const { levels: [level] } = await compare(sides, {
    ...{ session, seed: 1, title: sides.subject.impl.id },
    plan: {
      ...{ budgetSeconds: 0, minRounds: 1, levels: [connections], loads: 1, slices },
      ...{ sliceSeconds: 0.25, settleSeconds: 0.05, warmUpRequests },
    },
  });
  const reasons = (level!.problem ?? "").split(/(?=the (?:subject|reference): )/);
  const saidOf = (name: SideName) =>
    reasons.filter((reason) => reason.startsWith(`the ${name}: `)).join("");
  const { disturbed } = level!.rounds[0]!;
  return { subject: saidOf("subject"), reference: saidOf("reference"), disturbed };
}

async function inStep(
  id: string,
  { warmUpRequests, stepSeconds }: Amount,
  { session, toolchain }: Bench,
): Promise<string> {
  await using subject = await start({ impl: await redTeamImpl(id), toolchain }, session);
  await using workload = await openWorkload(session);
  const requests = warmUpRequests;
  const seen = await warmUp(subject, { session, workload, connections, requests });
  const { steps: [step] } = await sweepProcess(subject, {
    ...{ session, workload, title: id, warmUp: seen },
    plan: {
      ...{ connections, goal },
      ratesPerSecond: [3_000],
      secondsPerStep: stepSeconds,
      processes: 1,
      warmUpRequests,
    },
  });
  return step!.problem ?? "";
}

Deno.test("under load is caught", async (t) => {
  await using ground = await prepareGround();
  const facts = await exampleFacts(
    ground.scenario.id,
    makePlan(
      "smoke",
      { levels: [connections], requests: much.requests, warmUpRequests: 200 },
      1,
    ),
  );
  const scenario = { ...ground.scenario, verifyAnswers: () => Promise.resolve([]) };
  const session: Session = {
    ...await loadSessionOf({ ...ground, scenario }, { stallMs: 3_000 }),
    facts,
    // The tests beside this one are no reason to measure again.
    mostRepeats: 0,
  };
  const control = { impl: controlImpl(await ensureNative(session)), toolchain: noToolchain };
  // What is told of an answer does not depend on how warm a server is.
  const toolchain = { ...await findToolchain(await redTeamImpl("honest")), warmUpFactor: 1 };
  const bench = { session, toolchain };
  const sideOf = async (id: string) => ({ impl: await redTeamImpl(id), toolchain });
  const loadOf = (id: string) => everywhere[id]![1];
  const ids = Object.keys(everywhere).sort((a, b) =>
    loadOf(a).requests - loadOf(b).requests || loadOf(a).warmUpRequests - loadOf(b).warmUpRequests
  );

  for (const [where, measure] of Object.entries({ "a level": inLevel, "a step": inStep })) {
    await t.step(`nothing of an honest server, in ${where}`, async () => {
      assertEquals(withoutMachine(await measure("honest", much, bench)), "");
    });
    for (const id of ids) {
      const [said, amount] = everywhere[id]!;
      await t.step(`${id}, in ${where}`, async () => {
        const mayBeUntold = (is: string) => isUntold(said, is);
        assertMatch(await measureAgainWhile(mayBeUntold, () => measure(id, amount, bench)), said);
      });
    }
  }
  await t.step("nothing of an honest server, in a comparison", async () => {
    const sides = { subject: await sideOf("honest"), reference: control };
    const { subject, reference } = await inComparison(sides, much, bench);
    assertEquals([withoutMachine(subject), reference], ["", ""]);
  });
  // Two at a time, for each side is judged by itself. The reference is the one that needs more load.
  const pairs = ids.filter((id) => !alone.includes(id));
  for (let index = pairs.length - 1; index >= 0; index -= 2) {
    const [subject, reference] = [pairs[Math.max(0, index - 1)]!, pairs[index]!];
    await t.step(`${subject} and ${reference}, in a comparison`, async () => {
      const sides = { subject: await sideOf(subject), reference: await sideOf(reference) };
      const [saidOfSubject] = everywhere[subject]!;
      const [saidOfReference, amount] = everywhere[reference]!;
      const said = await measureAgainWhile(({ disturbed, ...said }) => {
        const told = [saidOfSubject.test(said.subject), saidOfReference.test(said.reference)];
        // Where something else is said of a side, it is not tried again.
        const mayBeTold = sideNames.every((name, side) => told[side] || said[name] === "");
        return disturbed !== undefined && told.includes(false) && mayBeTold;
      }, () => inComparison(sides, amount, bench));
      assertMatch(said.subject, saidOfSubject);
      assertMatch(said.reference, saidOfReference);
    });
  }
  for (const id of alone) {
    await t.step(`${id}, in a comparison with an honest server`, async () => {
      const [said, amount] = everywhere[id]!;
      const sides = { subject: await sideOf(id), reference: control };
      const { subject, reference } = await inComparison(sides, amount, bench);
      assertMatch(subject, said);
      assertEquals(reference, "");
    });
  }
  for (const id of untold) {
    await t.step(`nothing of ${id}, which gains nothing`, async () => {
      assertEquals(withoutMachine(await inLevel(id, much, bench)), "");
    });
  }
  for (const [id, [said, amount]] of Object.entries(inLevels)) {
    await t.step(`${id}, in a level`, async () => {
      assertMatch(await inLevel(id, amount, bench), said);
    });
  }
  await t.step("exit-under-load, in a comparison", async () => {
    const sides = { subject: await sideOf("exit-under-load"), reference: control };
    const error = await assertRejects(() => inComparison(sides, much, bench), Error);
    assertMatch(error.message, /^Cannot compare "exit-under-load": the process ended with exit/);
  });
  for (const [id, [said, amount, slices]] of Object.entries(inComparisons)) {
    await t.step(`${id}, in a comparison`, async () => {
      const sides = { subject: await sideOf(id), reference: control };
      const { subject, reference } = await measureAgainWhile(
        ({ subject, reference, disturbed }) =>
          (subject === "" || reference !== "") &&
          (disturbed !== undefined || mayPayInTime.includes(id)),
        () => inComparison(sides, amount, bench, slices),
      );
      assertMatch(subject, said);
      assertEquals(reference, "");
    });
  }
});
