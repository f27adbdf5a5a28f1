import { assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { together } from "./together.ts";

const never = new AbortController().signal;

Deno.test("together() gives the results in order, whichever is first", async () => {
  const results = await together(never, [
    () => delay(20).then(() => "slow"),
    () => Promise.resolve(2),
  ]);
  assertEquals(results, ["slow", 2]);
});

Deno.test("together() ends the others when one fails, and waits until they have ended", async () => {
  const events: string[] = [];
  const lasting = async (signal: AbortSignal) => {
    await delay(10_000, { signal }).catch(() => events.push("aborted"));
    await delay(5);
    events.push("ended");
  };
  const failing = () => delay(5).then(() => Promise.reject(new Error("no such package")));
  await assertRejects(() => together(never, [lasting, failing]), Error, "no such package");
  assertEquals(events, ["aborted", "ended"]);
});

Deno.test("together() ends with its signal", async () => {
  const aborter = new AbortController();
  const waiting = together(aborter.signal, [(signal) => delay(10_000, { signal })]);
  aborter.abort(new Error("Ctrl-C"));
  await assertRejects(() => waiting, Error, "Ctrl-C");
});
