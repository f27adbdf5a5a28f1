import { assertEquals } from "@std/assert";
import { noToolchain } from "../../impl/toolchains.ts";
import { findProblems } from "../../measure/ground.ts";
import { controlImpl } from "../../native/native.ts";
import { type Expected, stepsOf } from "../../testing/callers.ts";
import { groundOf } from "../../testing/ground.ts";
import { redTeamCaller } from "../../testing/red_team.ts";
import { ensureNative } from "../../tools/tools.ts";
import { scenario } from "./mod.ts";

/** A check that must catch a cheat while the upstream works, and what it must say. */
const answering: Expected = {
  "honest": [],
  "accepts-only": [["one call for a notification", "calls: 0 of "]],
  "notifies-twice": [["one call for a notification", "calls were repeated"]],
  "notifies-of-others": [["one call for a notification", "were lost, joined, or kept back"]],
  "joins-notifications": [["the same id again", "calls: 1 of "]],
};

/** The same during and after faults of the upstream. */
const faulty: Expected = {
  "honest": [],
  "tries-again": [["no call again", "calls were repeated"]],
  "keeps-for-later": [["upstream back", "calls were repeated, or made later"]],
  "refuses-without-upstream": [
    ["upstream gone", "status is 503"],
    ["accepted during faults", "status is 503"],
  ],
};

Deno.test("notify", async (t) => {
  await using ground = await groundOf(scenario, {
    impls: [await redTeamCaller("honest", "notify")],
  });

  await t.step("is what the control does", async () => {
    const impl = controlImpl(await ensureNative(ground));
    assertEquals(await findProblems({ impl, toolchain: noToolchain }, ground), []);
  });

  for (const step of stepsOf(answering, "verifyAnswers", ground)) await t.step(step);
  for (const step of stepsOf(faulty, "verifyFaults", ground)) await t.step(step);
});
