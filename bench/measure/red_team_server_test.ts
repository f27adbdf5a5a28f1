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
import { measureAgainWhile, withoutMachine } from "../testing/of_machine.ts";
import { redTeamImpl } from "../testing/red_team.ts";
import { ensureNative } from "../tools/tools.ts";
import { beginResult } from "./begin_result.ts";
import { compare } from "./compare.ts";
import { openWorkload } from "./workload.ts";
import { sweepProcess } from "./fixed_rates.ts";
import { start } from "./ground.ts";
import { measureLevel } from "./levels.ts";
import type { Session } from "./session.ts";
import { warmUp } from "./warm_up.ts";

const refuses = /answers were wrong \(not-refused\)/;
const another = /answers were wrong \((another-record|wrong-body)\)/;
const stale = /answers were wrong \(stale-record\)/;
const worksOn = /the database still worked for it \d\.\d\d s after it was frozen/;
const locks =
  /under load, (?:1 change of a row|\d+ changes of rows) waited for a lock of the server's, expected none: it locks what it only reads/;

/** How much load there is: as much as tells a cheat for certain, but in one undisturbed case of ten thousand or fewer. */
interface Amount {
  /** Of a level, after 200 to warm up. */
  requests: number;
  /** Of a comparison or a step. */
  warmUpRequests: number;
  stepSeconds: number;
}

/**
 * For what one answer in a hundred tells, or more. 64 statements too many or too few are always allowed: slow machines must
 * answer more requests than that, too, in one step.
 */
const little: Amount = { requests: 800, warmUpRequests: 900, stepSeconds: 0.5 };
/**
 * For rows that must have changed after they were read, and be asked for again, as one request in fifty does: in a level, on
 * a machine that hardly comes to change them, too. For one answer in a thousand, and for one kind of token of the six that
 * must be refused, as one in a hundred must. Some cheat from the 2,000th request on, or up to it: slow machines must come
 * that far, too.
 */
const much: Amount = { requests: 6_000, warmUpRequests: 1_900, stepSeconds: 2 };
/**
 * For rows that are remembered for a second: on a busy machine, it is less well known when a load began, and so which answers
 * are stale. Of 1,900 answers, four to seven were (28 November 2026, two processors of an AMD EPYC).
 */
const most: Amount = { ...much, warmUpRequests: 4_500 };

/** What is said of each cheat wherever it is under load. */
const everywhere: Record<string, [RegExp, Amount]> = {
  "big-pool": [
    /\d\d connections to the database were open at one time, expected at most 16/,
    little,
  ],
  "cache-of-1-s": [stale, most],
  "cache-of-10-s": [stale, much],
  "first-identity-of-connection": [another, little],
  "forgotten-batches": [/the prepared statement of [\d,]+ of [\d,]+ executions is gone/, little],
  "helper-outside-group": [/a process left the group of the server/, little],
  "honest-at-first": [stale, much],
  "honest-later": [stale, much],
  "knows-accept": [refuses, little],
  "knows-user-agent": [stale, much],
  "knows-user-agent-unverified": [refuses, little],
  "locks-rows": [locks, much],
  "lowers-generator": [/the load generator .*had nice value 10, expected 0/, much],
  "only-age-read": [stale, much],
  "padded-batches": [
    /the prepared statement .*"(?:SELECT .* IN .*|DO 0)" (?:returned|is not)/,
    little,
  ],
  "snapshot-with-dummy-query": [stale, much],
  "swaps-one-in-a-thousand": [another, much],
  "text-protocol": [/0\.0\d\d executions of server-side prepared statements per request/, little],
  "two-queries": [
    // Of few requests, none may be one of the hundredth that must be refused.
    /the database counted (?:1\.9\d\d|2\.000) queries per request, expected (?:0\.9\d\d|1\.000)/,
    little,
  ],
  "validates-cache": [/"SELECT CRC32.*" is not a plain query/, little],
  "verifies-one-in-a-hundred": [refuses, little],
  "verifies-once-per-connection": [refuses, little],
};

/** While it holds its locks, no row changes, and what another server remembers is right, too. */
const alone = ["locks-rows"];

/** Of cheats that are told by the same reason as one of those: a level is enough. */
const inLevels: Record<string, [RegExp, Amount]> = {
  "alg-none": [refuses, much],
  "cached-rows": [stale, much],
  "constant-answer": [another, little],
  // After 1,500 requests.
  "exit-under-load": [/the process ended with exit code 1 while the load ran/, much],
  "freezes-under-load": [/hardly a query reached the database for 3 s while the load ran/, much],
  "locks-rows-for-good": [locks, much],
  "logs-requests": [/[\d,]+ lines were logged for [\d,]+ requests/, little],
  "swapped-users": [another, little],
  "tenth-500": [/requests failed \(status-500: [\d,]+\)/, little],
  "unverified-token": [refuses, little],
  "wrong-bytes": [another, little],
  "wrong-length": [another, little],
};

/** What is said of cheats that slow down the other side of a comparison. The last leaves something in the database. */
const toRivals: Record<string, [RegExp, Amount]> = {
  "pins-rival": [
    /the control could use processors \d+ only, expected \S+.*the load generator of the control could use processors \d/,
    much,
  ],
  "floods-rival": [/connections? (was|were) opened to the other server while only this/, much],
  "thaws-itself": [
    /its processes used \d\.\d\d s of CPU time while they were frozen, expected at most 0\.03 s in a load/,
    little,
  ],
  "leaves-commands": [worksOn, little],
  "leaves-statements": [worksOn, little],
};

/**
 * Those that no load tells, because their answers are right and their statements many enough.
 *
 * - `remembers-tokens`, `cached-verification`: no token comes twice before 500,000 others have, so that they save
 *   nothing, and keep 500,000 tokens in memory; for a later process, what they keep on the disk is of no use. The second answers expired tokens, for which verification rejects it.
 * - `joins-requests`: of 20 requests in flight, hardly two ask for the same of 100,000 users: it saves about one statement in
 *   two thousand, and one in a thousand would be too many, as it would save of 300.
 */
const untold = ["remembers-tokens", "cached-verification", "joins-requests"];

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
): Promise<Record<SideName, string> & { disturbed?: string }> {
  const { levels: [level] } = await compare(sides, {
    ...{ session, seed: 1, title: sides.subject.impl.id },
    plan: {
      ...{ budgetSeconds: 0, minRounds: 1, levels: [connections], loads: 1, slices: 2 },
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
        const isUntold = (is: string) => !said.test(is) && is !== "" && withoutMachine(is) === "";
        assertMatch(await measureAgainWhile(isUntold, () => measure(id, amount, bench)), said);
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
  for (const [id, [said, amount]] of Object.entries(toRivals)) {
    await t.step(`${id}, in a comparison`, async () => {
      const sides = { subject: await sideOf(id), reference: control };
      const { subject, reference } = await inComparison(sides, amount, bench);
      assertMatch(subject, said);
      assertEquals(reference, "");
    });
  }
});
