/** One implementation in every scenario that it lists; those of the other languages are for `impls_server_test.ts`. */
import { foldersOf } from "../cli/folders.ts";
import { discoverImpl } from "../impl/discover.ts";
import { buildInStep, openSession, testedEverywhere, testInStep } from "./tested_impl.ts";

Deno.test("an implementation meets the contract of each of its scenarios", async (t) => {
  const impl = await discoverImpl(foldersOf().impls, testedEverywhere);
  const side = await buildInStep(t, impl);
  if (side === undefined) throw new Error(`${impl.id} was not built, expected a program to test`);
  for (const scenarioId of impl.manifest.scenarios) {
    await using stack = new AsyncDisposableStack();
    await testInStep(t, side, await openSession(stack, scenarioId, [impl]));
  }
});
