/**
 * One implementation of each set of toolchains: built, verified in the default scenario, and loaded there. One of them has
 * tests of its own, in every scenario. That each implementation meets the contract of each of its scenarios is for the
 * workflow Check, which verifies those that a change touches in all that they list, and all of them where it touches the
 * harness; and for `just verify`. What the harness does in a scenario has tests beside it, with the control, an honest server
 * and those that cheat.
 */
import { defaultScenarioId } from "../scenario/ids.ts";
import {
  allImpls,
  buildInStep,
  oneOfEachLanguage,
  openSession,
  testCacheInStep,
  testedEverywhere,
  testInStep,
} from "./tested_impl.ts";

Deno.test("an implementation of each language meets the contract and gives a valid level", async (t) => {
  const impls = oneOfEachLanguage(await allImpls()).filter(({ id }) => id !== testedEverywhere);
  await using stack = new AsyncDisposableStack();
  const session = await openSession(stack, defaultScenarioId, impls);
  for (const impl of impls) {
    const side = await buildInStep(t, impl);
    if (side === undefined) continue;
    await testCacheInStep(t, side, session);
    await testInStep(t, side, session);
  }
});
