import { assertArrayIncludes, assertEquals } from "@std/assert";
import { prepareGround } from "../testing/ground.ts";
import { redTeamImpl } from "../testing/red_team.ts";
import { measureLevel, type Session } from "./levels.ts";
import { describeMachine } from "../machine/describe.ts";
import { makePlan } from "../results/plan.ts";
import { beginResult, type RunFacts } from "./begin_result.ts";
import { lastRepetition } from "../results/outcome.ts";
import type { ReasonCode } from "../results/result_schema.ts";
import { findToolchain } from "../impl/toolchains.ts";
import { ensureOha } from "../tools/tools.ts";
import { lockedVersions } from "../impl/lock_files.ts";

/**
 * What the measurement by itself must hold against each cheat, were it never verified: verification after
 * the load, which takes seconds and catches most of them again, is left out.
 */
const caught: Record<string, ReasonCode[]> = {
  "big-pool": ["pool-exceeded"],
  "cached-rows": ["query-count"],
  "cached-verification": ["wrong-answer"],
  "constant-answer": ["wrong-answer"],
  "exit-under-load": ["subject-exited"],
  "freezes-under-load": ["stalled"],
  "logs-requests": ["request-log"],
  "tenth-500": ["failures"],
  "text-protocol": ["no-prepared-statements"],
  "two-queries": ["query-count"],
  "wrong-bytes": ["wrong-answer"],
  "wrong-length": ["failures"],
};

/** A session without a command line: one database for all levels. */
async function openSession(): Promise<Session & AsyncDisposable> {
  const ground = await prepareGround();
  const plan = { levels: [50], requests: 8_000, warmUpRequests: 1_000 };
  const facts: RunFacts = {
    runId: "20260101T000000Z-0000000",
    scenario: ground.scenario.id,
    plan: makePlan("smoke", plan, 1),
    machine: await describeMachine(),
    checkout: { commit: "0".repeat(40), dirty: false },
    tools: {},
  };
  return { ...ground, facts, oha: await ensureOha(ground), stallMs: 3_000 };
}

async function reasonCodes(id: string, session: Session): Promise<ReasonCode[]> {
  const impl = await redTeamImpl(id);
  const toolchain = await findToolchain(impl);
  const result = await beginResult(
    impl,
    toolchain,
    await lockedVersions(impl, toolchain),
    session.facts,
  );
  const { validity } = lastRepetition(
    await measureLevel({ impl, toolchain, result }, 50, session),
  );
  return validity.valid ? [] : validity.reasons.map(({ code }) => code);
}

Deno.test("measureLevel() catches", async (t) => {
  await using session = await openSession();

  await t.step("nothing in an honest server", async () => {
    const codes = await reasonCodes("honest", session);
    // Tests may run beside other programs.
    assertEquals(codes.filter((code) => code !== "foreign-load"), []);
  });
  const scenario = { ...session.scenario, verifyAnswers: () => Promise.resolve([]) };
  for (const [id, expected] of Object.entries(caught)) {
    await t.step(`${id}: ${expected.join(", ")}`, async () => {
      assertArrayIncludes(await reasonCodes(id, { ...session, scenario }), expected);
    });
  }
  // Whether the side client meets one of the swapped answers is up to chance, in so short a load.
  await t.step("swapped-users: wrong-answer or verification", async () => {
    const codes = await reasonCodes("swapped-users", session);
    assertEquals(codes.some((it) => it === "wrong-answer" || it === "verification"), true);
  });
});
