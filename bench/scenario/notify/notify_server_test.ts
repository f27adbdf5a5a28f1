import { assert, assertEquals } from "@std/assert";
import { findToolchain, noToolchain } from "../../impl/toolchains.ts";
import { silent } from "../../lib/report.ts";
import { findProblems, openGround, start } from "../../measure/session.ts";
import { controlImpl } from "../../native/native.ts";
import { redTeamCaller } from "../../testing/red_team.ts";
import { ensureNative } from "../../tools/tools.ts";
import { scenario } from "./mod.ts";

/** A check that must catch a cheat while the upstream works, and what it must say. */
const answering: Record<string, [check: string, came: string][]> = {
  "honest": [],
  "accepts-only": [["one call for a notification", "calls: 0 of "]],
  "notifies-twice": [["one call for a notification", "calls were repeated"]],
  "notifies-of-others": [["one call for a notification", "were lost, joined, or kept back"]],
  "joins-notifications": [["the same id again", "calls: 1 of "]],
};

/** The same during and after faults of the upstream. */
const faulty: Record<string, [check: string, came: string][]> = {
  "honest": [],
  "tries-again": [["no call again", "calls were repeated"]],
  "keeps-for-later": [["upstream back", "calls were repeated, or made later"]],
  "refuses-without-upstream": [
    ["upstream gone", "status is 503"],
    ["accepted during faults", "status is 503"],
  ],
};

Deno.test("notify", async (t) => {
  const folder = await Deno.makeTempDir({ prefix: "backbench-test-" });
  await using stack = new AsyncDisposableStack();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const { signal } = new AbortController();
  await using ground = await openGround({
    ...{ scenario, poolMax: 16, seed: 1, report: silent, folder, signal },
    impls: [await redTeamCaller("honest", "notify")],
  });

  await t.step("is what the control does", async () => {
    const impl = controlImpl(await ensureNative(ground));
    assertEquals(await findProblems({ impl, toolchain: noToolchain }, ground), []);
  });

  const verifications = [["verifyAnswers", answering], ["verifyFaults", faulty]] as const;
  for (const [verify, expected] of verifications) {
    for (const [id, problems] of Object.entries(expected)) {
      await t.step(`${verify} finds what ${id} does`, async () => {
        const impl = await redTeamCaller(id, "notify");
        await using subject = await start({ impl, toolchain: await findToolchain(impl) }, ground);
        const found = await ground.scenario[verify]!(subject, ground);
        if (problems.length === 0) assertEquals(found, []);
        for (const [check, came] of problems) {
          const problem = found.find((problem) => problem.check === check);
          assert(problem?.came.includes(came), `${check}: ${came}\n${JSON.stringify(found)}`);
        }
      });
    }
  }
});
