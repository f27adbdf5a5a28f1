import { assert, assertEquals, assertRejects } from "@std/assert";
import { asBroken, BenchError, errorsIn, messageOf, RunBroken } from "./error.ts";

Deno.test("messageOf() is never empty", () => {
  const thrown = [new Error("why"), new AggregateError([new Error("why")]), "thrown"];
  assertEquals(thrown.map(messageOf), ["why", "AggregateError", "thrown"]);
});

Deno.test("errorsIn() gives what failed, then what failed in disposing", async () => {
  const failing = (message: string) => ({
    [Symbol.asyncDispose]: () => Promise.reject(new Error(message)),
  });
  const error = await assertRejects(async () => {
    await using _outer = failing("third");
    await using _inner = failing("second");
    throw new Error("first");
  });
  const messages = [...errorsIn(error)].map((it) => it instanceof Error ? it.message : it);
  assertEquals(messages, ["first", "second", "third"]);
  assertEquals([...errorsIn("thrown")], ["thrown"]);
});

Deno.test("asBroken() takes what the system refuses for no bug, and all else as it is", async () => {
  const refused = await Deno.readFile("/dev/null/none").catch((error) => error);
  const full = Object.assign(new Error("No space left on device"), { code: "ENOSPC" });
  const broken = asBroken(full);
  assert(broken instanceof RunBroken && broken.message === "Cannot go on: No space left on device");
  for (const other of [refused, new TypeError("a bug"), new BenchError("known"), "thrown"]) {
    assertEquals(asBroken(other), other);
  }
});
