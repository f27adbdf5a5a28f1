import { assertEquals } from "@std/assert";
import { judgeBurst, notHeld } from "./burst_judge.ts";

const right = { answered: 1_000, failures: {}, wrong: {}, problems: [], log: { lines: 0 } };
const quiet = {
  capacityCpuSeconds: 20,
  foreignCpuSeconds: 0.1,
  idleCpuSeconds: 10,
  stealCpuSeconds: 0,
  swappedBytes: 0,
};

Deno.test("judgeBurst() counts users who were turned away, and does not invalidate for them", () => {
  const burst = { ...right, answered: 800, failures: { reset: 150, "status-503": 50 } };
  assertEquals(judgeBurst(burst, 1_000, quiet, []), { disturbed: undefined });
  // What a server logs of those is its affair.
  const logged = { ...burst, log: { lines: 5_000 } };
  assertEquals(judgeBurst(logged, 1_000, quiet, []).invalidBecause, undefined);
});

Deno.test("judgeBurst() does not count one wrong answer, and names its request", () => {
  const early = {
    ...right,
    answered: 999,
    wrong: { early: 1 },
    problems: [{
      check: "early",
      sent: "GET /delay/1003",
      came: "an answer after 953.0 ms",
      expected: "none before 1003 ms",
    }],
  };
  assertEquals(judgeBurst(early, 1_000, quiet, []), {
    invalidBecause: [
      "1 of 1,000 users had a wrong answer (early); the first: GET /delay/1003 got " +
      "an answer after 953.0 ms, expected none before 1003 ms",
    ],
  });
  // What the machine did besides is told, and nothing is measured in place of a wrong answer.
  const busy = { ...quiet, foreignCpuSeconds: 4 };
  const judged = judgeBurst(early, 1_000, busy, []);
  assertEquals([judged.invalidBecause?.length, judged.disturbed], [2, undefined]);
});

Deno.test("judgeBurst() finds a line in the log for each user, where all were answered", () => {
  assertEquals(judgeBurst({ ...right, log: { lines: 21 } }, 1_000, quiet, []).invalidBecause, [
    "the log grew by 21 lines for 1,000 users, expected at most 20",
  ]);
});

Deno.test("judgeBurst() blames the machine and the load generator for what they broke", () => {
  const noPorts = { ...right, answered: 990, failures: { "out-of-ports": 10 } };
  assertEquals(judgeBurst(noPorts, 1_000, quiet, []), {
    disturbed: "the load generator was out of ports for 10 of 1,000 users",
  });
  const missing = { ...right, answered: 998 };
  assertEquals(judgeBurst(missing, 1_000, quiet, []).disturbed, "998 users came, expected 1,000");
  const busy = { ...quiet, foreignCpuSeconds: 4 };
  const disturbed = "other processes used 20.0 % of the machine's CPU time, expected at most 5.0 %";
  assertEquals(judgeBurst(right, 1_000, busy, []), { disturbed });
  // It does not depend on what became of the users.
  const failed = { ...right, answered: 900, failures: { reset: 100 } };
  assertEquals(judgeBurst(failed, 1_000, busy, []), { disturbed });
  // A server that takes too much memory makes a machine swap: that is not left out.
  const swapping = judgeBurst(right, 1_000, { ...busy, swappedBytes: 2 ** 30 }, []);
  assertEquals([swapping.disturbed, swapping.invalidBecause?.length], [undefined, 2]);
});

Deno.test("notHeld() wants all users at the same time, and an answer to each", () => {
  assertEquals(notHeld(10, { users: 10, peakOpen: 10, lateP99Seconds: 0 }), undefined);
  assertEquals(
    notHeld(10, { users: 10, peakOpen: 9, lateP99Seconds: 0 }),
    "the null server held 9 users at the same time and answered 10, expected 10: " +
      "the machine or the load generator cannot have so many",
  );
});
