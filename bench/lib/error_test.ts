import { assertEquals, assertRejects } from "@std/assert";
import { errorsIn, messageOf } from "./error.ts";

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
