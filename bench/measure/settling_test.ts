import { assertEquals } from "@std/assert";
import { judgeSettling } from "./settling.ts";

const side = { correct: 4_000, failed: 0, seconds: 1, perSlice: [] };
const settlingOf = (correct: number) => ({ ...side, settling: { correct, seconds: 0.2 } });

Deno.test("judgeSettling() tells a side that answers when it counts, over all rounds", () => {
  assertEquals(judgeSettling([settlingOf(400), settlingOf(400)]), []);
  assertEquals(judgeSettling([settlingOf(300), settlingOf(450)]), [
    "it answered 1,875 requests per second in the first part of its turns, which does not count, and 4,000 in the rest, " +
    "expected at least 50 % of that",
  ]);
});

Deno.test("judgeSettling() says nothing of earlier results, and of a side that answered nothing", () => {
  assertEquals(judgeSettling([side]), []);
  assertEquals(judgeSettling([{ ...settlingOf(0), correct: 0 }]), []);
});
