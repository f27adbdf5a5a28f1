import { assert, assertEquals, assertRejects } from "@std/assert";
import { asBroken, BenchError, errorsIn, failureOf, Kept, messageOf, RunBroken } from "./error.ts";

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

Deno.test("failureOf() tells of a lost database, not of the server that ended because of it; a bug first of all", () => {
  const broken = new RunBroken("the database is lost");
  const failed = new BenchError("the server ended");
  const bug = new TypeError("a bug");
  const after = (first: unknown, later: unknown) => failureOf(new SuppressedError(later, first));
  assertEquals(after(failed, broken), broken);
  assertEquals(after(failed, bug), failed);
  assertEquals(after(bug, broken), bug);
  const kept = new Kept("Interrupted");
  assertEquals([after(kept, broken), failureOf(failed)], [kept, failed]);
});
