import { assert, assertEquals } from "@std/assert";
import { createRandom } from "../../lib/random.ts";
import { createBurst } from "./judge.ts";

const burst = createBurst(createRandom(1));

Deno.test("users of a burst ask for delays that differ by 1 % at most, so that no constant is right", () => {
  const delays = burst.paths(1_000, 2).map((path) => Number(path.replace("/delay/", "")));
  assertEquals(delays.length, 1_000);
  assert(new Set(delays).size > 20, `${new Set(delays).size} delays`);
  assert(Math.min(...delays) >= 1_980 && Math.max(...delays) <= 2_020, `${delays}`);
});

Deno.test("an answer of a burst is right with its own bytes, not before its time", () => {
  const kindOf = (body: string, afterSeconds: number) =>
    burst.judge("/delay/1003", { body, afterSeconds })?.check;
  assertEquals(kindOf('{"delayed":1003}', 1.003), undefined);
  // A timer of whole milliseconds.
  assertEquals(kindOf('{"delayed":1003}', 1.001), undefined);
  assertEquals(kindOf('{"delayed":1003}', 0.9529), "early");
  assertEquals(kindOf('{"delayed":1003}', 0), "early");
  assertEquals(kindOf('{"delayed":1000}', 2), "wrong-body");
  assertEquals(kindOf("", 2), "wrong-body");
});
